use mcp_runtime::resources;

mod orders {
    use mcp_runtime::resource;

    #[resource("orders://{id}")]
    pub fn order(id: u32) -> String {
        id.to_string()
    }
}

use orders::order;

fn main() {
    let _ = resources![order];
}
