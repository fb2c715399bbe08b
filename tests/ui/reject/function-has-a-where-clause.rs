use mcp_runtime::{tool, tools};

#[tool]
fn show(value: u32) -> String
where
    u32: ToString,
{
    value.to_string()
}

fn main() {
    let _ = tools![show];
}
