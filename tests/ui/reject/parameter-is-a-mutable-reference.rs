use mcp_runtime::{tool, tools};

#[tool]
fn sort(list: &mut [u32]) -> u32 {
    list.sort_unstable();
    list[0]
}

fn main() {
    let _ = tools![sort];
}
