use mcp_runtime::{tool, tools};

use std::cell::Cell;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Page {
    number: Cell<u32>,
}

#[tool]
fn show(page: &Page) -> u32 {
    page.number.get()
}

fn main() {
    let _ = tools![show];
}
