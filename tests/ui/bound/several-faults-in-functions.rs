use mcp_runtime::{tool, tools};

struct Page {
    number: u32,
}

struct Missing;

#[tool]
fn first(page: Page, by: &Page, count: u32) -> u32 {
    page.number + by.number + count
}

#[tool]
async fn next(page: Page) -> Result<Page, Missing> {
    if page.number == 0 { Err(Missing) } else { Ok(page) }
}

fn main() {
    let _ = tools![first, next];
}
