use std::borrow::Cow;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use mcp_runtime::{
    Completion, CompletionRequest, Context, ResourceContents, ResourceDef, Server, State, ToolError, resource, resources,
};

#[derive(Debug, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Order {
    id: u32,
}

#[derive(Debug, Clone, Copy, serde::Deserialize, schemars::JsonSchema)]
enum Sort {
    Newest,
    Oldest,
}

struct Shop(Vec<Order>);

// What the server provides, by any name.

type Ctx = Context;
type Db = State<Shop>;
type Of<T> = State<T>;

mod facade {
    pub(crate) use mcp_runtime::{Context as Call, State as Shared};
}

#[resource("orders://provided")]
fn provided(
    /// What is known of the call.
    ctx: &Context,
    #[arg(description = "Where the orders are.")] taken: State<Shop>,
    /// The same.
    #[allow(unused)]
    lent: &State<Shop>,
) -> String {
    format!("{}{}{}", ctx.is_cancelled(), taken.0.len(), lent.0.len())
}

#[resource("orders://{id}/provided")]
async fn provided_by_aliases(ctx: &Ctx, id: u32, taken: Db, lent: &Db, generic: &Of<Shop>, other: facade::Shared<Shop>, call: &facade::Call) -> String {
    format!("{}{id}{}{}{}{}{}", ctx.is_cancelled(), taken.0.len(), lent.0.len(), generic.0.len(), other.0.len(), call.is_cancelled())
}

// Templates.

#[resource("orders://recent")]
fn plain() -> &'static str {
    ""
}

#[resource("file:///notes.txt")]
fn of_a_file() {}

#[resource("orders://{id}/items/{item}{?page,sort}")]
fn several(item: &str, id: u32, sort: Option<Sort>, #[arg(default = 1)] page: u32) -> String {
    format!("{item}{id}{sort:?}{page}")
}

#[resource("files:///{+path}")]
fn reserved(path: &std::path::Path) -> Vec<u8> {
    path.display().to_string().into_bytes()
}

#[resource("orders://all{/year}{.format}{#part}")]
fn operators(year: u16, format: String, part: Cow<'_, str>) -> String {
    format!("{year}{format}{part}")
}

#[resource("orders://search?limit=5{&text}")]
fn continued(#[arg(default)] text: Option<String>) -> String {
    format!("{text:?}")
}

#[resource("orders://{type}/{order_id}")]
fn renamed(r#type: &str, #[arg(rename = "order_id")] id: u32) -> String {
    format!("{type}{id}", type = r#type)
}

#[resource("types://{type}")]
fn keyword(#[arg(rename = "type")] value: bool, #[cfg(not(any(unix, not(unix))))] missing: &str) -> String {
    value.to_string()
}

// Keys.

/// Every key.
#[resource(
    "orders://keys/{id}{?count,text}",
    name = "every key",
    title = "Every key",
    description = concat!("A ", "text."),
    mime_type = "application/json",
    size = 4096,
    priority = 0.5,
    audience = "user",
    audience = "assistant",
    last_modified = "2026-07-28",
    ttl = 300,
    cache_scope = "public",
    blocking = false,
    timeout = 0.5,
    icon(src = "https://example.com/icon.png", mime_type = "image/png", sizes = "48x48", theme = "dark"),
    meta = serde_json::json!({ "team": "billing" })
)]
fn keys(
    #[arg(description = "Which.", example = 4, complete = ids)] id: u32,
    #[arg(range = 1..=20, default = 3)] count: u32,
    #[arg(len = 1..=80, default = "once", complete = later)] text: &str,
) -> Order {
    Order { id: id + count + u32::from(text.is_empty()) }
}

fn ids(typed: &str) -> Vec<String> {
    vec![typed.to_owned()]
}

async fn later(request: CompletionRequest) -> Result<Completion, String> {
    Ok(Completion::new([request.value().to_owned()]))
}

// What is returned.

macro_rules! returns {
    ($($name:ident $uri:literal: $ty:ty = $value:expr;)*) => {
        $(
            #[resource($uri)]
            fn $name() -> $ty {
                $value
            }
        )*

        mod later {
            use super::*;

            $(
                #[resource($uri, name = "later")]
                pub async fn $name() -> $ty {
                    $value
                }
            )*
        }

        const RETURNS: &[ResourceDef] = &resources![$($name),*];
        const RETURNS_LATER: &[ResourceDef] = &resources![$(later::$name),*];
    };
}

returns! {
    text "r://text": String = String::new();
    literal "r://literal": &'static str = "";
    cow "r://cow": Cow<'static, str> = "".into();
    bytes "r://bytes": Vec<u8> = Vec::new();
    number "r://number": u64 = 1;
    order "r://order": Order = Order { id: 1 };
    orders "r://orders": Vec<Order> = Vec::new();
    map "r://map": BTreeMap<String, Order> = BTreeMap::new();
    json "r://json": serde_json::Value = serde_json::Value::Null;
    contents "r://contents": ResourceContents = ResourceContents::text("", "");
    list_of_contents "r://list_of_contents": Vec<ResourceContents> = Vec::new();
    optional "r://optional": Option<Order> = None;
    optional_bytes "r://optional_bytes": Option<Vec<u8>> = None;
    result "r://result": Result<Order, String> = Ok(Order { id: 1 });
    result_of_optional "r://result_of_optional": Result<Option<String>, ToolError> = Ok(None);
    result_of_boxed "r://result_of_boxed": Result<Vec<u8>, Box<dyn std::error::Error>> = Err("".into());
    result_of_io "r://result_of_io": std::io::Result<Vec<u8>> = Ok(Vec::new());
}

// Where it stands.

impl Shop {
    #[resource("shop://{id}")]
    fn method(&self, id: u32) -> Option<Order> {
        self.0.iter().find(|order| order.id == id).cloned()
    }

    #[resource("shop://all")]
    async fn shared(self: Arc<Self>, ctx: &Context) -> usize {
        self.0.len() + usize::from(ctx.is_cancelled())
    }
}

mod inner {
    #[::mcp_runtime::resource("inner://path")]
    pub(crate) fn by_path() -> String {
        String::new()
    }

    pub(crate) mod glob {
        use mcp_runtime::resource;

        #[resource("inner://{glob}")]
        pub fn by_glob(glob: &str) -> String {
            glob.to_owned()
        }
    }
}

use inner::glob::*;

macro_rules! resource_of {
    ($uri:literal, $(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),*) -> $result:ty $body:block) => {
        #[resource($uri, title = "Of a macro")]
        $(#[$meta])*
        $vis fn $name($($arg: $ty),*) -> $result $body
    };
}

resource_of! {
    "macro://{id}{?text}",
    /// Of a macro.
    pub fn by_macro(id: u32, text: Option<String>, ctx: &Context) -> String {
        format!("{id}{text:?}{}", ctx.is_cancelled())
    }
}

macro_rules! list {
    ($($resource:path),*) => {
        resources![$($resource),*]
    };
}

fn in_a_body() -> [ResourceDef; 1] {
    #[resource("body://{text}")]
    fn local(text: &str) -> String {
        text.to_owned()
    }

    resources![local]
}

const NONE: [ResourceDef; 0] = resources![];

fn main() -> ExitCode {
    Server::new("resources", "1.0.0")
        .state(Shop(Vec::new()))
        .resources(NONE)
        .resources(resources![provided, provided_by_aliases, plain, of_a_file, several, reserved, operators])
        .resources(resources![continued, renamed, keyword, keys, Shop::method, Shop::shared])
        .resources(RETURNS.iter().copied())
        .resources(list![inner::by_path, by_glob, self::by_macro])
        .resources(in_a_body())
        .run_from(if RETURNS_LATER.is_empty() { ["call"] } else { ["list"] })
}
