//! What the names of a server's tools have to be, each by itself and all together.
//!
//! Spec: 2026-07-28, `server/tools`, "Tool Names".

use crate::registry::same;
use crate::text::shortened;

/// The longest name that the protocol allows, in bytes.
const MAX_NAME_BYTES: usize = 128;

/// The longest name that every model provider takes, in bytes.
const MAX_PORTABLE_BYTES: usize = 64;

/// What is wrong with a name by itself.
pub(crate) fn problem(name: &str) -> Option<String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let fits = (1..=MAX_NAME_BYTES).contains(&name.len()) && name.bytes().all(is_allowed);
    (!fits).then(|| format!("`{}` is no tool name: use 1 to 128 of A-Z, a-z, 0-9, `_`, `-` and `.`", shortened(name)))
}

/// Names that the protocol allows and some clients do not: too long ones, and those that become one when what is not a
/// letter or a digit is replaced.
pub(crate) fn doubts(names: &[&str]) -> Vec<String> {
    let mut doubts = Vec::new();
    for name in names.iter().filter(|name| name.len() > MAX_PORTABLE_BYTES) {
        doubts.push(format!("the tool name `{name}` has {} characters; some clients take no more than 64", name.len()));
    }
    let plain: Vec<String> = names.iter().map(|name| name.replace(['.', '-'], "_")).collect();
    for same in same(&plain.iter().map(String::as_str).collect::<Vec<_>>()) {
        let same: Vec<&str> = same.iter().filter_map(|index| names.get(*index)).copied().collect();
        doubts.push(format!("the tool names `{}` are one for clients that replace `.` and `-`", same.join("`, `")));
    }
    doubts
}

#[cfg(test)]
mod tests {
    use super::{doubts, problem, shortened};

    #[test]
    fn takes_the_names_of_the_protocol_and_no_others() {
        for name in ["a", "A-z_0.9", &"x".repeat(128)] {
            assert_eq!(problem(name), None);
        }
        for name in ["", "files/open now", "straße", &"x".repeat(129)] {
            let text = problem(name).unwrap();
            assert!(text.starts_with(&format!("`{}` is no tool name: ", shortened(name))), "{text}");
        }
    }

    #[test]
    fn doubts_names_that_some_clients_refuse_or_mix_up() {
        let (fits, long) = ("x".repeat(64), "y".repeat(65));
        let names = ["x.y", "open", &fits, "x_y", &long, "Open", "x-y"];
        let expected = [
            format!("the tool name `{long}` has 65 characters; some clients take no more than 64"),
            "the tool names `x.y`, `x_y`, `x-y` are one for clients that replace `.` and `-`".to_owned(),
        ];
        assert_eq!(doubts(&names), expected);
    }
}
