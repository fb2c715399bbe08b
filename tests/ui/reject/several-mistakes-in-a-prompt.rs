#![allow(unused)]

use mcp_runtime::{prompt, prompts};

#[prompt(name = "a b", read_only, description = , titel = "Review", timeout = "1s")]
unsafe fn review(
    #[arg(header = "Code", complete)] code: &mut str,
    #[arg(default, default)] language: Option<&str>,
    &(from, to): &(u8, u8),
    ctx: Option<&mcp_runtime::Context>,
) -> impl ToString {
    code
}

fn main() {
    let _ = prompts![review];
}
