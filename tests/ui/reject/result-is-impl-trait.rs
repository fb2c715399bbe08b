use mcp_runtime::{tool, tools};

#[tool]
fn count(to: u32) -> impl ToString {
    to
}

fn main() {
    let _ = tools![count];
}
