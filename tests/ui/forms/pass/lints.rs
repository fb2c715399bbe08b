#![deny(
    warnings,
    future_incompatible,
    missing_debug_implementations,
    missing_docs,
    nonstandard_style,
    redundant_lifetimes,
    rust_2018_idioms,
    single_use_lifetimes,
    trivial_casts,
    unit_bindings,
    unreachable_pub,
    unused,
    unused_lifetimes,
    unused_qualifications,
    unused_results
)]
//! What the derive macro writes draws no lint.

/// What is derived here.
pub mod samples {
    use mcp_runtime::Form;
    use schemars::JsonSchema;
    use serde::Deserialize;

    /// A choice.
    #[derive(Debug, Deserialize, JsonSchema, Form)]
    pub enum Size {
        /// Up to a metre.
        Small,
        /// The others.
        Large,
    }

    /// A form.
    #[derive(Debug, Deserialize, JsonSchema, Form)]
    pub struct Order {
        /// How many.
        pub count: u32,
        /// How large.
        pub size: Option<Size>,
        /// What for.
        pub text: String,
    }

    /// What draws lints, which the type allows.
    #[derive(Debug, Deserialize, JsonSchema, Form)]
    #[allow(unused_qualifications)]
    pub(crate) struct Qualified {
        /// How large.
        pub(crate) sizes: Vec<self::Size>,
    }
}

fn main() {
    drop(samples::Qualified { sizes: Vec::new() }.sizes);
}
