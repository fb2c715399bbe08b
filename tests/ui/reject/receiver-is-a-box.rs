use mcp_runtime::{tool, tools};

struct Till;

impl Till {
    #[tool]
    fn open(self: Box<Self>) {}
}

fn main() {
    let _ = tools![Till::open];
}
