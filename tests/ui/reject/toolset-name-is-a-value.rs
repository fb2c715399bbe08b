use mcp_runtime::{tool, toolset};

struct Till;

#[toolset(name = "files")]
impl Till {
    #[tool]
    fn open(&self) {}
}

fn main() {
    let _ = Till::files();
    let _ = Till;
}
