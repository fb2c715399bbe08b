use mcp_runtime::{resource, toolset};

struct Desk;

#[toolset]
impl Desk {
    #[resource("orders://open")]
    fn open(&self) -> String {
        String::new()
    }

    #[resource("orders://open", name = "others")]
    fn others(&self) -> String {
        String::new()
    }
}

fn main() {
    let _ = mcp_runtime::Server::new("desk", "1").toolset(Desk);
}
