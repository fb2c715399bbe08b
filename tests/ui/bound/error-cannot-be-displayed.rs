use mcp_runtime::{tool, tools};

struct Missing;

#[tool]
fn show(number: u32) -> Result<u32, Missing> {
    if number == 0 { Err(Missing) } else { Ok(number) }
}

fn main() {
    let _ = tools![show];
}
