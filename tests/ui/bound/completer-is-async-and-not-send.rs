use mcp_runtime::{prompt, prompts};

async fn wait() {}

async fn languages(request: mcp_runtime::CompletionRequest) -> Vec<String> {
    let shared = std::rc::Rc::new(request.value().to_owned());
    wait().await;
    vec![shared.to_string()]
}

#[prompt]
fn review(#[arg(complete = languages)] language: &str) -> String {
    language.to_owned()
}

fn main() {
    let _ = prompts![review];
}
