use mcp_runtime::{tool, toolset};

struct Till;

#[toolset]
impl Till {
    #[tool]
    fn open<T>(&self, value: T) {
        let _ = value;
    }
}

fn main() {
    let _ = mcp_runtime::Server::new("till", "1").toolset(Till);
}
