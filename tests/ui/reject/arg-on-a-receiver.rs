use mcp_runtime::{tool, tools};

struct Till;

impl Till {
    #[tool]
    fn open(#[arg(default)] &self) {}
}

fn main() {
    let _ = tools![Till::open];
}
