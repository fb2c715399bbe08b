use mcp_runtime::prompts;

fn review(code: &str) -> String {
    code.to_owned()
}

fn main() {
    let _ = review("");
    let _ = prompts![review];
}
