//! Which compiler the texts in the folders `bound` are those of.

use std::process::Command;

/// Whether the files will be given to that compiler; says so where not.
pub(crate) fn is_used() -> bool {
    let (pinned, used) = (pinned_release(), used_release());
    if used != pinned {
        eprintln!("skipped: the texts in `bound` are those of rustc {pinned}, and this is {used}");
    }
    used == pinned
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
