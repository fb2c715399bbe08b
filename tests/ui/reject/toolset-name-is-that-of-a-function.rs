use mcp_runtime::{tool, toolset};

struct Till;

#[toolset(open)]
impl Till {
    #[tool]
    fn open(&self) {}
}

fn main() {
    Till.open();
}
