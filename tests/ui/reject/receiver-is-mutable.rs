use mcp_runtime::{tool, tools};

struct Till;

impl Till {
    #[tool]
    fn open(&mut self) {}
}

fn main() {
    let _ = tools![Till::open];
}
