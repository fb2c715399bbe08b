use mcp_runtime::{tool, tools};

struct Till;

impl Till {
    #[tool]
    fn open(#[args] &self) {}
}

fn main() {
    let _ = tools![Till::open];
}
