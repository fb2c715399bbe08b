use mcp_runtime::{prompt, prompts};

async fn languages(request: mcp_runtime::CompletionRequest) -> usize {
    request.value().len()
}

#[prompt]
fn review(#[arg(complete = languages)] language: &str) -> String {
    language.to_owned()
}

fn main() {
    let _ = prompts![review];
}
