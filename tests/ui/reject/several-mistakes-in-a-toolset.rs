use mcp_runtime::{tool, toolset};

struct Till;

macro_rules! getter {
    ($name:ident) => {
        fn $name(&self) {}
    };
}

#[toolset(files, nets, group = a)]
impl Till {
    getter!(left);

    #[tool(descripton = "x")]
    fn open(&mut self, text: Option<&str>) {
        let _ = text;
    }

    #[tool(timeout = 0)]
    fn close(&self, #[arg(range = 5)] number: u8) {
        let _ = number;
    }
}

fn main() {
    let _ = Till::files();
    Till.left();
}
