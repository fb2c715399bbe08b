use mcp_runtime::{tool, toolset};

struct Till;

#[toolset(files, folders)]
impl Till {
    #[tool]
    fn open(&self) {}
}

fn main() {
    let _ = Till::files();
    let _ = Till;
}
