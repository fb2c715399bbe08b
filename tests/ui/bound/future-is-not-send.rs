use mcp_runtime::{tool, tools};

struct Handle(*const u8);

async fn wait() {}

#[tool]
async fn show(number: u32) -> u32 {
    let handle = Handle(&0);
    wait().await;
    let _ = handle.0;
    number
}

fn main() {
    let _ = tools![show];
}
