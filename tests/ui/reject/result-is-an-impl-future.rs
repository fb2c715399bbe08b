use mcp_runtime::{tool, tools};

#[tool]
fn count(to: u32) -> impl Future<Output = u32> {
    async move { to }
}

fn main() {
    let _ = tools![count];
}
