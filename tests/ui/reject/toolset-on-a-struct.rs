use mcp_runtime::toolset;

#[toolset]
struct Till;

fn main() {
    let _ = Till;
}
