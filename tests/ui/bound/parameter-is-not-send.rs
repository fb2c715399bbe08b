use mcp_runtime::{tool, tools};

use std::marker::PhantomData;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Page {
    number: u32,
    here: PhantomData<*const u8>,
}

#[tool]
async fn show(page: Page) -> u32 {
    let _ = page.here;
    page.number
}

fn main() {
    let _ = tools![show];
}
