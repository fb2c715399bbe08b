//! Prompts: templates of messages that people pick in their client, and fill in with its help.
//!
//! ```sh
//! cargo run --example reviewer -- get review '{"code":"fn main() {}","language":"rust"}'
//! ```

use std::process::ExitCode;

use mcp_runtime::{Completion, CompletionRequest, PromptMessage, Server, prompt, prompts};
use schemars::JsonSchema;
use serde::Deserialize;

const LANGUAGES: [(&str, &[&str]); 3] =
    [("go", &["errors", "goroutines"]), ("python", &["typing"]), ("rust", &["errors", "lifetimes", "unsafe"])];

/// Languages that begin with what is typed so far.
fn languages(typed: &str) -> Vec<&'static str> {
    LANGUAGES.iter().map(|(language, _)| *language).filter(|language| language.starts_with(typed)).collect()
}

/// What there is to look at in the language that was chosen before.
fn topics(request: &CompletionRequest) -> Completion {
    let chosen = request.argument("language");
    let topics = LANGUAGES.iter().find(|(language, _)| Some(*language) == chosen).map_or(&[][..], |(_, topics)| topics);
    Completion::new(topics.iter().copied().filter(|topic| topic.starts_with(request.value())))
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Kind,
    Strict,
}

/// Review a piece of code.
#[prompt(title = "Review code")]
fn review(
    /// The code.
    #[arg(len = 1..)]
    code: &str,
    /// What it is written in.
    #[arg(complete = languages)]
    language: &str,
    /// What to look at above all.
    #[arg(complete = topics)]
    topic: Option<String>,
    #[arg(default = Tone::Kind)] tone: Tone,
) -> [PromptMessage; 2] {
    let manner = match tone {
        Tone::Kind => "Be kind.",
        Tone::Strict => "Spare nobody.",
    };
    let topic = topic.map(|topic| format!(" Look at {topic} above all.")).unwrap_or_default();
    [
        PromptMessage::user(format!("Review this {language} code.{topic} {manner}\n\n```{language}\n{code}\n```")),
        PromptMessage::assistant("I begin with the gravest fault."),
    ]
}

/// Explain what an error of the compiler means.
#[prompt]
fn explain(
    /** The text of the error. */
    error: &str,
) -> String {
    format!("What does this error mean, and what would you change?\n\n{error}")
}

fn main() -> ExitCode {
    Server::new("reviewer", env!("CARGO_PKG_VERSION")).prompts(prompts![review, explain]).run()
}
