use mcp_runtime::toolset;

#[toolset]
fn open() {}

fn main() {
    open();
}
