use mcp_runtime::{resource, toolset};

struct Desk;

#[toolset]
impl Desk {
    #[resource("orders://{id}")]
    fn order(&self) -> String {
        String::new()
    }
}

fn main() {
    let _ = mcp_runtime::Server::new("desk", "1").toolset(Desk);
}
