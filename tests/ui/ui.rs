//! What the macros accept, what they refuse, and in which words.
//!
//! `TRYBUILD=overwrite` writes the texts anew; they are to be read before they are kept. A single file is tried with the name
//! of its test and its own: `cargo test -p mcp-runtime --test ui -- refuses trybuild=function-is-generic`.

#![allow(clippy::expect_used, reason = "a test may panic")]

mod pinned;

/// The texts are ours, so that every compiler says them.
#[test]
fn refuses_mistakes_in_our_words() {
    trybuild::TestCases::new().compile_fail("../tests/ui/reject/*.rs");
}

/// The texts are the compiler's, and other releases have others.
#[test]
fn leads_the_compiler_to_the_mistake() {
    if pinned::is_used() {
        trybuild::TestCases::new().compile_fail("../tests/ui/bound/*.rs");
    }
}

/// Each file is a server that lists what it has.
#[test]
fn accepts_every_form() {
    trybuild::TestCases::new().pass("../tests/ui/pass/*.rs");
}
