use mcp_runtime::{tool, toolset};

#[toolset]
impl Till {
    #[tool]
    fn open(&self) {}
}

fn main() {}
