#![allow(unexpected_cfgs)]

use std::process::ExitCode;
use std::sync::Arc;

use mcp_runtime::{Context, PromptMessage, Server, State, Toolset, prompt, resource, tool, toolset};

trait Backend: Send + Sync + 'static {
    type Id: serde::de::DeserializeOwned + schemars::JsonSchema + Send + Sync + 'static;

    fn get(&self, id: &Self::Id) -> Option<String>;
}

struct Memory;

impl Backend for Memory {
    type Id = u8;

    fn get(&self, id: &u8) -> Option<String> {
        Some(id.to_string())
    }
}

struct Desk<B> {
    backend: B,
}

/// All three, in any order, in a generic block.
#[toolset]
impl<B: Backend> Desk<B> {
    #[resource("desk://{id}", mime_type = "text/plain")]
    fn read(&self, id: B::Id) -> Option<String> {
        self.backend.get(&id)
    }

    /// Finds what there is.
    #[tool(read_only)]
    async fn find(&self, text: &str, ctx: &Context) -> Result<String, String> {
        if ctx.is_cancelled() { Err(text.to_owned()) } else { Ok(text.to_owned()) }
    }

    #[prompt]
    async fn review(self: Arc<Self>, #[arg(complete = Self::ids)] id: B::Id) -> Vec<PromptMessage> {
        vec![PromptMessage::user(self.backend.get(&id).unwrap_or_default())]
    }

    #[resource("desk://all")]
    fn all(other: &State<Till>) -> usize {
        let Till = **other;
        0
    }

    fn ids(typed: &str) -> Vec<String> {
        vec![typed.to_owned()]
    }

    #[cfg(feature = "never")]
    #[prompt]
    fn never(&self, nothing: Missing) -> Missing {}

    #[cfg_attr(any(unix, not(unix)), resource("desk://sometimes"))]
    fn sometimes(&self) -> &'static str {
        ""
    }

    /// The same name as that of a tool.
    #[prompt(name = "find")]
    fn find_prompt(&self, text: &str) -> String {
        text.to_owned()
    }
}

#[derive(Clone, Copy)]
struct Till;

/// Prompts only.
#[toolset]
impl Till {
    #[prompt]
    fn close(&self) -> &'static str {
        "Close the till."
    }
}

struct Shelf;

/// Resources only, by another path of the runtime.
mod facade {
    pub(crate) use mcp_runtime::*;
}

#[toolset(crate = facade)]
impl Shelf {
    #[resource("shelf://{id}")]
    fn book(&self, id: u32) -> u32 {
        id
    }
}

macro_rules! desk {
    ($ty:ident, $uri:literal, $($name:ident),*) => {
        struct $ty;

        #[toolset]
        impl $ty {
            #[resource($uri)]
            fn of_macro(&self, id: u32) -> u32 {
                id
            }

            $(
                #[prompt]
                fn $name(&self, text: &str) -> String {
                    text.to_owned()
                }
            )*
        }
    };
}

desk!(FromAMacro, "macro://{id}", left, right);

fn main() -> ExitCode {
    assert_eq!(Desk::<Memory>::tools().len(), 1);
    assert_eq!(Desk::<Memory>::prompts().len(), 2);
    assert_eq!(Desk::<Memory>::resources().len(), 3);
    assert_eq!((Till::tools().len(), Till::prompts().len(), Till::resources().len()), (0, 1, 0));
    assert_eq!((Shelf::tools().len(), Shelf::prompts().len(), Shelf::resources().len()), (0, 0, 1));
    Server::new("toolsets", "1.0.0")
        .toolset(Desk::<Memory> { backend: Memory })
        .toolset(Till)
        .toolset(Shelf)
        .toolset(FromAMacro)
        .run_from(["list"])
}
