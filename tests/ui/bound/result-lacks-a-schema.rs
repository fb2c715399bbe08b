use mcp_runtime::{tool, tools};

#[derive(serde::Serialize)]
struct Page {
    number: u32,
}

#[tool]
async fn show(number: u32) -> Page {
    Page { number }
}

fn main() {
    let _ = tools![show];
}
