use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::num::NonZeroU8;
use std::process::ExitCode;

use mcp_runtime::{AskError, Context, Form, FormField, Server, tool, tools};

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Deserialize, schemars::JsonSchema, Form)]
#[serde(rename_all = "lowercase")]
enum Size {
    Small,
    /// Of a metre or more.
    #[schemars(title = "Very large")]
    Large,
}

/// Of another crate's, in effect.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
struct Date(String);

impl FormField for Date {}

type Maybe<T> = Option<T>;
type Sizes = Vec<Size>;

/// Every field.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema, Form)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Every {
    /// A name.
    #[schemars(length(min = 1, max = 40))]
    name: String,
    boxed: Box<str>,
    cow: Cow<'static, str>,
    initial: char,
    news: bool,
    float: f64,
    single: f32,
    #[schemars(range(min = 1, max = 9))]
    count: u8,
    wide: i64,
    exact: NonZeroU8,
    size: Size,
    sizes: Sizes,
    set: BTreeSet<Size>,
    hashed: HashSet<Size>,
    #[serde(default)]
    optional: Option<String>,
    optional_size: Maybe<Size>,
    optional_sizes: Option<Vec<Size>>,
    date: Option<Date>,
    #[serde(skip)]
    skipped: Vec<String>,
    #[schemars(with = "String")]
    shown_as_text: Shown,
    r#type: std::option::Option<::std::string::String>,
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Shown(String);

/// Consent alone.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema, Form)]
struct Consent {}

mod facade {
    pub(crate) mod mcp {
        pub(crate) use mcp_runtime::*;
    }
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema, facade::mcp::Form)]
#[form(crate = facade::mcp)]
struct ByFacade {
    size: SizeByFacade,
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema, facade::mcp::Form)]
#[form(crate = crate::facade::mcp)]
enum SizeByFacade {
    Small,
}

macro_rules! form {
    ($name:ident { $($field:ident: $ty:ty),* }) => {
        #[derive(Debug, serde::Deserialize, schemars::JsonSchema, Form)]
        struct $name {
            $($field: $ty),*
        }
    };
}

form!(OfMacro { count: u32, size: Option<Size> });

#[tool]
async fn order(ctx: &Context) -> Result<String, AskError> {
    #[derive(Debug, serde::Deserialize, schemars::JsonSchema, Form)]
    struct InABody {
        count: u32,
    }

    let every: Every = ctx.elicit("every", "What?").await?;
    let consent = ctx.elicit::<Consent>("consent", "Is it so?").await?;
    let facade = ctx.elicit::<ByFacade>("facade", "How large?").await?;
    let of_macro = ctx.elicit::<OfMacro>("macro", "How many?").await?;
    let in_a_body = ctx.elicit::<InABody>("body", format!("Of {every:?}?")).await?;
    Ok(format!("{consent:?}{facade:?}{of_macro:?}{in_a_body:?}"))
}

fn main() -> ExitCode {
    Server::new("forms", "1.0.0").tools(tools![order]).run_from(["list"])
}
