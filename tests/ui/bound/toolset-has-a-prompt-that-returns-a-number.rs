use mcp_runtime::{Server, prompt, resource, toolset};

struct Desk;

#[toolset]
impl Desk {
    #[prompt]
    fn review(&self, code: &str) -> usize {
        code.len()
    }

    #[resource("orders://{id}")]
    fn order(&self, id: u32, page: u32) -> String {
        format!("{id}{page}")
    }
}

fn main() {
    let _ = Server::new("desk", "1").toolset(Desk);
}
