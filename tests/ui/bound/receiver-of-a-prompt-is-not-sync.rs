use std::cell::Cell;

use mcp_runtime::{prompt, prompts};

struct Desk(Cell<u32>);

impl Desk {
    #[prompt]
    fn review(&self, code: &str) -> String {
        format!("{}{code}", self.0.get())
    }
}

fn main() {
    let _ = prompts![Desk::review];
}
