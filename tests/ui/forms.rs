//! What `#[derive(Form)]` accepts, what it refuses, and in which words, as `ui.rs` does for the other macros. The files
//! have the features that this test is built with, and so the test needs `ask`:
//!
//! `cargo test -p mcp-runtime --features ask --test forms`

#![allow(clippy::expect_used, reason = "a test may panic")]

mod pinned;

/// The texts are ours, so that every compiler says them.
#[test]
fn refuses_mistakes_in_our_words() {
    trybuild::TestCases::new().compile_fail("../tests/ui/forms/reject/*.rs");
}

/// The texts are the compiler's, and other releases have others.
#[test]
fn leads_the_compiler_to_the_mistake() {
    if pinned::is_used() {
        trybuild::TestCases::new().compile_fail("../tests/ui/forms/bound/*.rs");
    }
}

/// Among them a server that asks with each of its forms.
#[test]
fn accepts_every_form() {
    trybuild::TestCases::new().pass("../tests/ui/forms/pass/*.rs");
}
