use mcp_runtime::{tool, tools};

struct Till;

impl Till {
    #[tool]
    fn open(number: u32) -> u32 {
        number
    }
}

fn main() {
    let _ = tools![Till::open];
}
