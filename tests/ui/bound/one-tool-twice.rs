use mcp_runtime::tools;

mod numbers {
    use mcp_runtime::tool;

    #[tool]
    pub fn add(a: u32, b: u32) -> u32 {
        a + b
    }
}

fn main() {
    let _ = tools![numbers::add, crate::numbers::add];
}
