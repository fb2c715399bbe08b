use mcp_runtime::{tool, tools};

#[tool]
fn find(
    #[arg(length = 5, rename = 3, default, pattern)]
    #[arg(default = "a", range = ..)]
    #[unit]
    text: &str,
    #[arg] #[args(all)] number: u8,
    #[serde(default, rename = "n")] other: u8,
) -> String {
    format!("{text}{number}{other}")
}

fn main() {
    let _ = tools![find];
}
