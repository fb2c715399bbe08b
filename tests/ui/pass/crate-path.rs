// The name of the runtime means another crate here, as in a program that names its dependency differently.
extern crate core as mcp_runtime;
extern crate mcp_runtime as renamed;

use std::process::ExitCode;

use renamed::{Context, Server, State, prompt, prompts, resource, resources, tool, tools, toolset};

mod facade {
    pub(crate) mod mcp {
        pub(crate) use ::renamed::*;
    }
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Page {
    number: u32,
}

#[tool(crate = renamed)]
async fn by_name(#[arg(default = "text", len = 1..=80)] text: &str) -> Result<Vec<String>, String> {
    Ok(vec![text.to_owned()])
}

#[tool(crate = ::renamed, read_only)]
fn by_global_path(#[arg(default = 3, range = 0..=20, example = 4)] number: u8, #[cfg(any(unix, not(unix)))] page: Page) -> u32 {
    page.number + u32::from(number)
}

#[tool(crate = facade::mcp)]
fn by_facade(page: &Page) -> u32 {
    page.number
}

#[tool(crate = crate::facade::mcp)]
fn by_crate() {}

#[tool(crate = self::facade::mcp)]
fn by_self() {}

mod inner {
    #[super::tool(crate = super::facade::mcp)]
    pub(crate) fn by_super(#[cfg(not(any(unix, not(unix))))] number: u8) {}
}

macro_rules! tool_by_dollar_crate {
    ($name:ident) => {
        #[tool(crate = $crate::facade::mcp)]
        fn $name(number: u8) -> u8 {
            number
        }
    };
}

tool_by_dollar_crate!(by_dollar_crate);

#[prompt(crate = renamed)]
async fn prompt_by_name(#[arg(default = "text", len = 1..=80, complete = |_: &str| ["a"])] text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

#[resource("by://{name}{?number}", crate = facade::mcp)]
fn resource_by_facade(name: &str, #[arg(default = 3)] number: u8, state: &State<Page>, ctx: &Context) -> Option<String> {
    Some(format!("{name}{number}{}{}", state.number, ctx.is_cancelled()))
}

struct Desk;

#[toolset(crate = facade::mcp)]
impl Desk {
    #[tool]
    fn of_toolset(&self, state: &State<Page>) -> u32 {
        state.number
    }

    #[tool(crate = renamed)]
    fn of_toolset_by_name() {}

    #[prompt]
    fn prompt_of_toolset(&self, text: &str) -> String {
        text.to_owned()
    }

    #[resource("of://{id}")]
    fn resource_of_toolset(&self, id: u32, state: &State<Page>) -> u32 {
        state.number + id
    }
}

#[toolset(files, crate = renamed)]
impl Desk {
    #[tool]
    fn of_named_toolset(&self) {}
}

fn main() -> ExitCode {
    Server::new("crate-path", "1.0.0")
        .state(Page { number: 1 })
        .toolset(Desk)
        .tools(Desk::files())
        .tools(tools![by_name, by_global_path, by_facade, by_crate, by_self, inner::by_super, by_dollar_crate])
        .prompts(prompts![prompt_by_name])
        .resources(resources![resource_by_facade])
        .run_from(["list"])
}
