use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mcp_runtime::{Context, Server, tool, tools};

#[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema)]
struct Page {
    number: u32,
}

/// It need not be `Clone` to be lent.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
enum Unit {
    Celsius,
    Fahrenheit,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Wrapped<T>(T);

#[tool]
fn none() {}

#[tool]
fn numbers(a: u8, b: i64, c: f64, d: bool, e: char, f: u128) -> f64 {
    f64::from(a) + b as f64 + c + f64::from(u8::from(d)) + f64::from(u32::from(e)) + f as f64
}

#[tool]
fn owned(
    text: String,
    path: PathBuf,
    list: Vec<Page>,
    pair: (u8, String),
    array: [u8; 3],
    map: HashMap<String, Vec<u32>>,
    page: Page,
    unit: Unit,
    wrapped: Wrapped<Page>,
    boxed: Box<str>,
    json: serde_json::Value,
    unit_type: (),
) -> String {
    let Wrapped(page_inside) = wrapped;
    format!("{text}{path:?}{list:?}{pair:?}{array:?}{map:?}{page:?}{unit:?}{page_inside:?}{boxed}{json}{unit_type:?}")
}

#[tool]
async fn optional(text: Option<String>, page: Option<Page>, list: Option<Vec<u8>>, nested: Option<Option<bool>>) -> String {
    format!("{text:?}{page:?}{list:?}{nested:?}")
}

#[tool]
async fn borrowed(
    text: &str,
    bytes: &[u8],
    path: &Path,
    page: &Page,
    unit: &Unit,
    pages: &[Page],
    owner: &String,
    optional: &Option<Page>,
    elided: &'_ str,
    cow: Cow<'_, str>,
    cow_static: Cow<'static, str>,
    map: &BTreeMap<String, Page>,
) -> String {
    ready().await;
    format!("{text}{bytes:?}{path:?}{page:?}{unit:?}{pages:?}{owner}{optional:?}{elided}{cow}{cow_static}{map:?}")
}

#[tool]
fn borrowed_by_sync(text: &str, bytes: &[u8], path: &Path, page: &Page) -> String {
    format!("{text}{bytes:?}{path:?}{page:?}")
}

#[tool]
fn only_context(ctx: &Context) -> bool {
    ctx.is_cancelled()
}

#[tool]
async fn only_context_in_async(ctx: &Context) -> bool {
    ready().await;
    ctx.is_cancelled()
}

#[tool]
async fn context_between(first: &str, ctx: &Context, last: u8, again: &Context) -> String {
    ready().await;
    format!("{first}{}{last}{}", ctx.is_cancelled(), again.is_cancelled())
}

#[tool]
fn mutable(mut text: String, mut list: Vec<u8>, mut optional: Option<u8>) -> String {
    text.push('!');
    list.push(1);
    optional.take();
    format!("{text}{list:?}{optional:?}")
}

/// A trailing comma, a doc comment of each form, and attributes that a parameter keeps.
#[tool]
#[rustfmt::skip]
fn documented(
    /// One line.
    one: u8,
    /** A block,
     *  of two lines. */
    block: u8,
    #[doc = "An attribute."] attribute: u8,
    #[doc = concat!("A ", "macro.")] pieces: u8,
    #[allow(unused_variables)] unused: u8,
    #[expect(unused_variables)] expected: u8,
) -> u8 {
    one + block + attribute + pieces
}

async fn ready() {}

fn main() -> ExitCode {
    let tools = tools![
        none,
        numbers,
        owned,
        optional,
        borrowed,
        borrowed_by_sync,
        only_context,
        only_context_in_async,
        context_between,
        mutable,
        documented,
    ];
    Server::new("parameters", "1.0.0").tools(tools).run_from(["list"])
}
