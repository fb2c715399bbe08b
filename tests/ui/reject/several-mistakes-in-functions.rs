use mcp_runtime::{tool, tools};

mod orders {
    use mcp_runtime::tool;

    #[tool(desc = "Find an order.")]
    pub fn find(id: Option<&str>) -> String {
        id.unwrap_or("none").to_owned()
    }

    #[tool]
    pub async fn list(_: u32) -> Vec<String> {
        Vec::new()
    }
}

struct Till;

impl Till {
    #[tool]
    fn open(&mut self) {}
}

#[tool(name = "")]
unsafe fn close() {}

/// Nothing is wrong with this one.
#[tool]
fn ping() {}

fn main() {
    let _ = tools![orders::find, orders::list, Till::open, close, ping];
}
