use mcp_runtime::{tool, toolset};

struct Till;

macro_rules! getter {
    ($name:ident) => {
        #[tool]
        fn $name(&self) {}
    };
}

#[toolset]
impl Till {
    getter!(left);

    #[tool]
    fn open(&self) {}
}

fn main() {
    let _ = mcp_runtime::Server::new("till", "1").toolset(Till);
}
