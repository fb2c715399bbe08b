use mcp_runtime::prompts;

mod reviews {
    use mcp_runtime::prompt;

    #[prompt]
    pub fn review(code: &str) -> String {
        code.to_owned()
    }
}

use reviews::review;

fn main() {
    let _ = prompts![review];
}
