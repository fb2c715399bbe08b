use std::process::ExitCode;

use mcp_runtime::{Server, tool, tools};

const ABOUT: &str = "Say what time it is.";
const TITLES: [&str; 2] = ["First", "Second"];

mod texts {
    pub(crate) const TITLE: &str = "Time";

    pub(crate) struct Texts<const N: usize, T>(T);

    impl<const N: usize, T> Texts<N, T> {
        pub(crate) const TITLE: &'static str = "Generic";
    }
}

const fn describe(first: bool) -> &'static str {
    if first { "The first." } else { "The second." }
}

#[tool()]
fn empty_parentheses() {}

#[tool(name = "every.key", title = "Every key", description = "Has all keys.", read_only, destructive = false, idempotent, open_world = true,)]
fn every_key() {}

#[tool(read_only = false, idempotent = false, destructive = true, open_world = false)]
fn every_hint() {}

#[tool(read_only, destructive, idempotent, open_world)]
fn every_hint_alone() {}

#[tool(description = ABOUT, title = texts::TITLE)]
fn constants() {}

#[tool(description = concat!("Say ", "what."), title = TITLES[1])]
fn expressions() {}

#[tool(description = include_str!("attributes.rs"), title = texts::Texts::<3, (u8, u8)>::TITLE)]
fn file() {}

#[tool(description = describe(1 < 2), title = <texts::Texts<1, u8>>::TITLE)]
fn function_call() {}

#[doc = include_str!("attributes.rs")]
#[tool]
fn doc_of_file() {}

/// First.
#[doc = concat!("Then ", "this.")]
/// Last.
#[tool]
fn doc_of_pieces() {}

/** A block
 *  of two lines. */
#[tool]
fn doc_of_block() {}

#[doc(hidden)]
#[doc(alias = "concealed")]
#[tool]
fn doc_without_text() {}

#[deprecated]
#[tool]
fn deprecated_before() {}

#[tool]
#[deprecated(since = "1.0.0", note = "not any more")]
async fn deprecated_after(a: u8) -> u8 {
    a
}

#[tool]
#[must_use]
#[inline]
#[cold]
#[track_caller]
fn attributes_of_functions() -> u8 {
    1
}

#[must_use = "the answer"]
#[tool]
async fn attributes_of_async_functions() -> u8 {
    1
}

fn main() -> ExitCode {
    let tools = tools![
        empty_parentheses,
        every_key,
        every_hint,
        every_hint_alone,
        constants,
        expressions,
        file,
        function_call,
        doc_of_file,
        doc_of_pieces,
        doc_of_block,
        doc_without_text,
        deprecated_before,
        deprecated_after,
        attributes_of_functions,
        attributes_of_async_functions,
    ];
    Server::new("attributes", "1.0.0").tools(tools).run_from(["list"])
}
