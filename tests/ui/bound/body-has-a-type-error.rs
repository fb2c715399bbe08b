use mcp_runtime::{tool, tools};

#[tool]
async fn show(number: u32) -> u32 {
    let half: u32 = "two";
    number / half
}

fn main() {
    let _ = tools![show];
}
