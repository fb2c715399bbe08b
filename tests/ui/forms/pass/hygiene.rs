//! What the derive macro writes means the same, whatever the names around it mean.
#![no_implicit_prelude]
#![allow(dead_code, unused_imports)]

mod core {}
mod mcp_runtime {}
mod schemars {}
mod serde {}
mod std {}

/// What has a meaning in the prelude or in the output, with another one.
mod names {
    pub(crate) struct Box;
    pub(crate) struct Option;
    pub(crate) struct String;
    pub(crate) struct Vec;
    pub(crate) trait Form {}
    pub(crate) trait FormChoice {}
    pub(crate) trait FormData {}
    pub(crate) trait FormField {}
}

/// Among all these names.
pub mod among {
    use super::names::*;

    /// What is derived from schemars needs the prelude.
    macro_rules! schemas {
        ($($ty:ident)*) => { $(
            impl ::schemars::JsonSchema for $ty {
                fn schema_name() -> ::std::borrow::Cow<'static, str> {
                    ::std::borrow::Cow::Borrowed(::core::stringify!($ty))
                }

                fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                    ::schemars::json_schema!({})
                }
            }
        )* };
    }

    schemas! { Size Order }

    fn form_data() {}
    fn form_field() {}

    #[derive(::core::fmt::Debug, ::serde::Deserialize, ::mcp_runtime::Form)]
    #[serde(crate = "::serde")]
    pub enum Size {
        Small,
        Large,
    }

    #[derive(::core::fmt::Debug, ::serde::Deserialize, ::mcp_runtime::Form)]
    #[serde(crate = "::serde")]
    pub struct Order {
        pub count: u32,
        pub size: ::core::option::Option<Size>,
        pub text: ::std::string::String,
    }
}

fn main() {}
