use mcp_runtime::{tool, toolset};

struct Till;

#[toolset]
impl Till {
    #[tool]
    fn open(&self) {}
}

#[toolset]
impl Till {
    #[tool]
    fn close(&self) {}
}

fn main() {
    let _ = Till;
}
