use mcp_runtime::tools;

mod numbers {
    pub fn add(a: u32, b: u32) -> u32 {
        a + b
    }
}

fn main() {
    let _ = tools![numbers::add];
}
