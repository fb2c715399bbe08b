use mcp_runtime::{prompt, prompts};

struct Handle(*const u8);

async fn wait() {}


#[prompt]
async fn review(code: String) -> String {
    let handle = Handle(&0);
    wait().await;
    let _ = handle.0;
    code
}

fn main() {
    let _ = prompts![review];
}
