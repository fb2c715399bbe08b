use mcp_runtime::{tool, toolset};

struct Till;

#[toolset]
impl Till {
    #[tool]
    fn open(self) {}

    #[tool]
    async fn close(&mut self, name: Option<&str>) {
        let _ = name;
    }

    #[tool]
    fn count(self: std::rc::Rc<Self>) {}
}

fn main() {
    let _ = mcp_runtime::Server::new("till", "1").toolset(Till);
}
