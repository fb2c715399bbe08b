use mcp_runtime::{resources, tool};

mod shop {
    use super::tool;

    #[tool]
    pub fn order(id: u32) -> u32 {
        id
    }
}

fn main() {
    let _ = resources![shop::order];
}
