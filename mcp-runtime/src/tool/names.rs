//! What the names of a server's tools have to be, each by itself and all together.
//!
//! Spec: 2026-07-28, `server/tools`, "Tool Names".

use std::collections::HashMap;
use std::panic::Location;

use crate::text::shortened;

/// The longest name that the protocol allows, in bytes.
const MAX_NAME_BYTES: usize = 128;

/// The longest name that every model provider takes, in bytes.
const MAX_PORTABLE_BYTES: usize = 64;

/// A name and where its tool was made.
pub(super) type Origin<'a> = (&'a str, &'static Location<'static>);

/// What is wrong with a name by itself.
pub(super) fn problem(name: &str) -> Option<String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let fits = (1..=MAX_NAME_BYTES).contains(&name.len()) && name.bytes().all(is_allowed);
    (!fits).then(|| format!("`{}` is no tool name: use 1 to 128 of A-Z, a-z, 0-9, `_`, `-` and `.`", shortened(name)))
}

/// Every name that several tools have, in order, with where each of them comes from.
pub(super) fn clashes<'a>(origins: impl Iterator<Item = Origin<'a>>) -> Vec<String> {
    groups(origins.map(|origin| (origin.0, origin)))
        .into_iter()
        .filter(|same| same.len() > 1)
        .filter_map(|same| {
            let (name, first) = *same.first()?;
            if same.iter().all(|(_, place)| *place == first) {
                return Some(format!("the tool `{name}`, made at {first}, is added {} times", same.len()));
            }
            let places: Vec<String> = same.iter().map(|(_, place)| place.to_string()).collect();
            Some(format!("{} tools have the name `{name}`: those made at {}", same.len(), places.join(", at ")))
        })
        .collect()
}

/// Names that the protocol allows and some clients do not: too long ones, and those that become one when what is not a
/// letter or a digit is replaced.
pub(super) fn doubts<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let long = names
        .clone()
        .filter(|name| name.len() > MAX_PORTABLE_BYTES)
        .map(|name| format!("the tool name `{name}` has {} characters; some clients take no more than 64", name.len()));
    let plain = |name: &str| name.replace(['.', '-'], "_");
    let similar = groups(names.map(|name| (plain(name), name)))
        .into_iter()
        .filter(|same| same.len() > 1)
        .map(|same| format!("the tool names `{}` are one for clients that replace `.` and `-`", same.join("`, `")));
    long.chain(similar).collect()
}

/// The values of each key, in the order in which the keys come first.
fn groups<K: std::hash::Hash + Eq, V>(entries: impl Iterator<Item = (K, V)>) -> Vec<Vec<V>> {
    let mut places = HashMap::new();
    let mut groups: Vec<Vec<V>> = Vec::new();
    for (key, value) in entries {
        let place = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(value),
            None => groups.push(vec![value]),
        }
    }
    groups
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
        assert_eq!(doubts(names.into_iter()), expected);
    }
}
