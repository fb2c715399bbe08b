use mcp_runtime::{tool, tools};

struct Page {
    number: u32,
}

struct Missing;

#[tool]
fn show(number: u32) -> Result<Page, Missing> {
    if number == 0 { Err(Missing) } else { Ok(Page { number }) }
}

fn main() {
    let _ = tools![show];
}
