use mcp_runtime::{toolset};

struct Till;

trait Shop {
    fn open(&self, number: u8);
}

#[toolset]
impl Shop for Till {
    #[mcp_runtime::tool]
    fn open(&self, #[arg(default)] number: u8) {
        let _ = number;
    }
}

fn main() {
    Till.open(1);
}
