use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use mcp_runtime::{
    Completion, CompletionRequest, ContentBlock, Context, GetPromptResult, PromptDef, PromptMessage, Server, State, ToolError,
    prompt, prompts,
};

#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
enum Tone {
    Kind,
    Strict,
}

/// No more than displayed.
struct Shown(String);

impl Display for Shown {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

struct Desk(Vec<String>);

type Ctx = Context;

// What is returned.

macro_rules! returns {
    ($($name:ident, $asynchronous:ident: $ty:ty = $value:expr;)*) => {
        $(
            #[prompt]
            fn $name() -> $ty {
                $value
            }

            #[prompt]
            async fn $asynchronous() -> $ty {
                $value
            }
        )*

        const RETURNS: &[PromptDef] = &prompts![$($name, $asynchronous),*];
    };
}

returns! {
    text, async_text: String = String::new();
    literal, async_literal: &'static str = "";
    cow, async_cow: Cow<'static, str> = "".into();
    boxed, async_boxed: Box<str> = "".into();
    block, async_block: ContentBlock = ContentBlock::text("");
    blocks, async_blocks: Vec<ContentBlock> = Vec::new();
    two_blocks, async_two_blocks: [ContentBlock; 2] = [ContentBlock::text(""), ContentBlock::text("")];
    message, async_message: PromptMessage = PromptMessage::user("");
    messages, async_messages: Vec<PromptMessage> = Vec::new();
    two_messages, async_two_messages: [PromptMessage; 2] = [PromptMessage::user(""), PromptMessage::assistant("")];
    full, async_full: GetPromptResult = GetPromptResult::new([]);
    result_of_text, async_result_of_text: Result<String, String> = Ok(String::new());
    result_of_messages, async_result_of_messages: Result<Vec<PromptMessage>, ToolError> = Err(ToolError::failure(""));
    result_of_shown, async_result_of_shown: Result<&'static str, Shown> = Err(Shown(String::new()));
    result_of_boxed, async_result_of_boxed: Result<&'static str, Box<dyn std::error::Error>> = Err("".into());
}

// What is taken.

/// Every passing.
#[prompt(title = "Taken")]
fn taken(
    /// The code.
    code: String,
    number: u32,
    flag: bool,
    numbers: Vec<u8>,
    tone: Option<Tone>,
    desk: State<Desk>,
) -> String {
    format!("{code}{number}{flag}{numbers:?}{tone:?}{}", desk.0.len())
}

#[prompt]
async fn lent(code: &str, path: &Path, numbers: &[u8], tone: &Tone, cow: Cow<'_, str>, ctx: &Ctx, desk: &State<Desk>) -> String {
    format!("{code}{path:?}{numbers:?}{tone:?}{cow}{}{}", ctx.is_cancelled(), desk.0.len())
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Whole {
    code: String,
}

#[prompt]
fn whole(#[args] whole: Whole, ctx: &Context) -> String {
    format!("{}{}", whole.code, ctx.is_cancelled())
}

#[prompt]
fn r#match(r#type: &str, #[cfg(not(any(unix, not(unix))))] missing: &str) -> String {
    r#type.to_owned()
}

#[prompt(
    name = "every-key",
    title = "Every key",
    description = concat!("A ", "text."),
    blocking,
    timeout = 0.5,
    icon(src = "https://example.com/icon.png", mime_type = "image/png", sizes = "48x48", theme = "dark"),
    meta = serde_json::json!({ "team": "billing" })
)]
fn keys(
    #[arg(description = "How many.", rename = "how-many", range = 1..=20, default = 3, example = 4)] count: u32,
    #[arg(len = 1..=80, default = "once", example = "twice")] text: &str,
    #[arg(default = Tone::Kind)] tone: Tone,
) -> String {
    format!("{count}{text}{tone:?}")
}

// What completes.

fn words(typed: &str) -> Vec<&'static str> {
    ["go", "rust"].into_iter().filter(|word| word.starts_with(typed)).collect()
}

fn owned_words(request: &CompletionRequest) -> Vec<String> {
    request.state::<Desk>().map_or(Vec::new(), |desk| desk.0.clone())
}

fn few_words(_: &str) -> [&'static str; 2] {
    ["go", "rust"]
}

fn generic_words<T: Into<Completion> + Default>(_: &str) -> T {
    T::default()
}

async fn later_words(request: CompletionRequest) -> Completion {
    Completion::new([request.value().to_owned()])
}

async fn failing_words(_: CompletionRequest) -> Result<Vec<String>, Shown> {
    Err(Shown(String::new()))
}

fn completer(_: &'static str) -> impl Fn(&str) -> Vec<String> + Send + Sync + 'static {
    |typed| vec![typed.to_owned()]
}

mod lists {
    pub(crate) fn words(typed: &str) -> Result<Vec<String>, std::fmt::Error> {
        Ok(vec![typed.to_owned()])
    }
}

#[prompt]
fn completed(
    #[arg(complete = words)] a: &str,
    #[arg(complete = owned_words)] b: String,
    #[arg(complete = few_words)] c: Option<String>,
    #[arg(complete = generic_words::<Completion>)] d: &str,
    #[arg(complete = later_words)] e: &str,
    #[arg(complete = failing_words)] f: u32,
    #[arg(complete = completer("a"))] g: &str,
    #[arg(complete = lists::words)] h: &str,
    #[arg(complete = |typed: &str| vec![typed.to_owned()])] i: &str,
    #[arg(complete = Desk::words, default = "j")] j: &str,
) -> String {
    format!("{a}{b}{c:?}{d}{e}{f}{g}{h}{i}{j}")
}

// Where it stands.

impl Desk {
    fn words(_: &str) -> Vec<String> {
        Vec::new()
    }

    /// A method without a toolset.
    #[prompt]
    fn method(&self, code: &str) -> String {
        format!("{}{code}", self.0.len())
    }

    #[prompt]
    async fn shared(self: Arc<Self>, #[arg(complete = Self::words)] code: String) -> String {
        format!("{}{code}", self.0.len())
    }
}

mod inner {
    #[::mcp_runtime::prompt()]
    pub(crate) fn by_path() -> String {
        String::new()
    }

    pub(crate) mod glob {
        use mcp_runtime::prompt;

        #[prompt]
        pub fn by_glob() -> &'static str {
            ""
        }
    }
}

use inner::glob::*;

macro_rules! prompt_of {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($arg:ident: $ty:ty) -> $result:ty $body:block) => {
        #[prompt(title = "Of a macro")]
        $(#[$meta])*
        $vis fn $name(#[arg(complete = words)] $arg: $ty) -> $result $body
    };
}

prompt_of! {
    /// Of a macro.
    pub fn by_macro(text: &str) -> String { text.to_owned() }
}

macro_rules! list {
    ($($prompt:path),*) => {
        prompts![$($prompt),*]
    };
}

fn in_a_body() -> [PromptDef; 1] {
    #[prompt]
    fn local(text: &str) -> String {
        text.to_owned()
    }

    prompts![local]
}

/// A tool and a prompt at once.
#[mcp_runtime::tool]
#[prompt]
fn both(text: &str) -> String {
    text.to_owned()
}

const NONE: [PromptDef; 0] = prompts![];

fn main() -> ExitCode {
    Server::new("prompts", "1.0.0")
        .state(Desk(Vec::new()))
        .prompts(NONE)
        .prompts(RETURNS.iter().copied())
        .prompts(prompts![taken, lent, whole, r#match, keys, completed, Desk::method, Desk::shared])
        .prompts(list![inner::by_path, by_glob, self::by_macro, both])
        .tools(mcp_runtime::tools![both])
        .prompts(in_a_body())
        .run_from(["list"])
}
