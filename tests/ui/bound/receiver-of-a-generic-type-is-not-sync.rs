use mcp_runtime::{tool, toolset};

struct Desk<B> {
    backend: B,
}

trait Backend {
    fn get(&self) -> u32;
}

#[toolset]
impl<B: Backend> Desk<B> {
    #[tool]
    fn count(&self) -> u32 {
        self.backend.get()
    }
}

fn main() {}
