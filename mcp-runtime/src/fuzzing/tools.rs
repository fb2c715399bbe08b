//! Tools that return their arguments, of types that are hard to take.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::num::NonZeroU8;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::handler::Surroundings;
use crate::registry::Registrable as _;
use crate::tool::Registered;
use crate::{tool, tools};

/// A tool, and whether what it returns reads as the very same once more. `serde_json` reads floats almost exactly only.
pub(super) struct Echo {
    pub(super) tool: Registered,
    pub(super) is_exact: bool,
}

/// The result of a tool with the one argument `value`.
#[derive(Serialize, JsonSchema)]
struct Returned<T> {
    value: T,
}

macro_rules! echoes {
    ($($name:ident: $ty:ty,)*) => {
        $(
            #[tool]
            fn $name(value: $ty) -> Returned<$ty> {
                Returned { value }
            }
        )*

        pub(super) fn all() -> Vec<Echo> {
            let defs = tools![$($name,)* several, whole];
            let tools = defs.into_iter().map(|def| Registered::register(def.into(), &Surroundings::default()));
            tools.map(|tool| Echo { is_exact: !tool.name().starts_with("float"), tool }).collect()
        }
    };
}

echoes! {
    byte: u8,
    signed: i64,
    unsigned: u64,
    huge: i128,
    non_zero: NonZeroU8,
    float: f64,
    float_any: Value,
    character: char,
    text: String,
    address: Ipv4Addr,
    flag: bool,
    unit: (),
    maybe: Option<u8>,
    maybe_text: Option<String>,
    list_of_maybe: Vec<Option<i8>>,
    three: [u8; 3],
    pair: (u8, String),
    by_number: BTreeMap<u8, bool>,
    by_flag: BTreeMap<bool, u8>,
    by_text: BTreeMap<String, Vec<i32>>,
    optional: Optional,
    renamed: Renamed,
    external: External,
    internal: Internal,
    adjacent: Adjacent,
    untagged: Untagged,
    flat: Flat,
    tree: Tree,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Several<'a> {
    id: u16,
    name: Cow<'a, str>,
    #[serde(rename = "type")]
    kind: Option<External>,
    limit: u8,
}

#[tool]
fn several(
    #[arg(range = 1..=1000)] id: u16,
    #[arg(len = 1..=5)] name: String,
    #[arg(rename = "type")] kind: Option<External>,
    #[arg(default = 7, range = 0..20)] limit: u8,
) -> Several<'static> {
    Several { id, name: Cow::Owned(name), kind, limit }
}

#[tool]
fn whole(#[args] all: Optional) -> Optional {
    all
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Optional {
    a: u8,
    b: Option<String>,
    #[serde(default)]
    c: Vec<i8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    d: Option<Unit>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Renamed {
    #[serde(rename = "a/b \"c\"")]
    a: u8,
    long_name: bool,
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Red,
    Green,
}

#[derive(Serialize, Deserialize, JsonSchema)]
enum External {
    Empty,
    One(u8),
    Two(u8, String),
    Named { a: u8, b: Option<bool> },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
enum Internal {
    Empty,
    Named { a: u8 },
    Other { b: Option<String>, c: Vec<i8> },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", content = "value")]
enum Adjacent {
    One(u8),
    Named { a: u8 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Number(u8),
    Text(String),
    List(Vec<Untagged>),
    Named { a: u8 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Flat {
    id: u8,
    #[serde(flatten)]
    inner: Inner,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Inner {
    a: u8,
    b: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Tree {
    a: u8,
    #[serde(default)]
    list: Vec<Tree>,
}
