//! What `#[tool]` and `tools!` accept, what they refuse, and in which words.
//!
//! `TRYBUILD=overwrite` writes the texts anew; they are to be read before they are kept. A single file is tried with
//! `cargo test -p mcp-runtime --test ui -- trybuild=function-is-generic`.

#![allow(clippy::expect_used, reason = "a test may panic")]

use std::process::Command;

/// The texts are ours, so that every compiler says them.
#[test]
fn refuses_mistakes_in_our_words() {
    trybuild::TestCases::new().compile_fail("../tests/ui/reject/*.rs");
}

/// The texts are the compiler's, and other releases have others.
#[test]
fn leads_the_compiler_to_the_mistake() {
    let (pinned, used) = (pinned_release(), used_release());
    if used == pinned {
        trybuild::TestCases::new().compile_fail("../tests/ui/bound/*.rs");
    } else {
        eprintln!("skipped: the texts of tests/ui/bound are those of rustc {pinned}, and this is {used}");
    }
}

/// Each file is a server that lists its tools.
#[test]
fn accepts_every_form() {
    trybuild::TestCases::new().pass("../tests/ui/pass/*.rs");
}

/// The release that `rust-toolchain.toml` names.
fn pinned_release() -> &'static str {
    let toolchain = include_str!("../../rust-toolchain.toml");
    let channel = toolchain.lines().find_map(|line| line.strip_prefix("channel = "));
    channel.expect("the toolchain has a channel").trim_matches('"')
}

/// The release of the compiler that the files are given to.
fn used_release() -> String {
    let output = Command::new("rustc").arg("--version").output().expect("rustc runs");
    let version = String::from_utf8(output.stdout).expect("a version is text");
    // `rustc 1.95.0 (59807616e 2026-04-14)`
    version.split_whitespace().nth(1).expect("a version has a release").to_owned()
}
