//! Texts for models and for the log: quoting a value, guessing a name, keeping to one line.

use std::borrow::Cow;

/// How many characters of a value are quoted in a message.
const QUOTED_CHARS: usize = 60;

/// A value as it is quoted in a message: not longer than a line.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    shortened_to(QUOTED_CHARS, text)
}

/// At most so many characters of a text, and a sign if there were more.
pub(crate) fn shortened_to(chars: usize, text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(chars) {
        Some((at, _)) => Cow::Owned(format!("{}…", text.get(..at).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}

/// The name that the key was most likely meant to be: at most half of its letters differ, case and separators aside.
pub(crate) fn nearest<'n>(key: &str, names: &[&'n str]) -> Option<&'n str> {
    // A key of this length is no misspelling, and the distance is quadratic.
    if key.len() > 64 {
        return None;
    }
    let plain = |name: &str| name.to_lowercase().replace(['-', ' ', '.'], "_");
    let key = plain(key);
    names
        .iter()
        .map(|name| (distance(&key, &plain(name)), *name))
        .filter(|(distance, name)| *distance * 2 <= name.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// The name that was meant by one that is spelt wrong: it has the same words, but for a letter or two of long ones. Less like each
/// other are the names of different operations: who writes `read_file` does not mean `write_file`.
pub(crate) fn misspelt<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    // Nearly all names are of another length, and need not be looked at.
    const MAX_DIFFERENCE: usize = 8;
    if name.len() > 128 {
        return None;
    }
    names
        .filter(|meant| meant.len().abs_diff(name.len()) <= MAX_DIFFERENCE)
        .filter_map(|meant| Some((wrong_letters(name, meant)?, meant)))
        .min_by_key(|(wrong, _)| *wrong)
        .map(|(_, meant)| meant)
}

/// What stands between the words of a name.
const SEPARATORS: [char; 4] = ['_', '-', ' ', '.'];

/// How many letters of a name are wrong, if it is another spelling of the one that is meant. Case and separators are none.
fn wrong_letters(spelt: &str, meant: &str) -> Option<usize> {
    let without_separators = |name| letters(name).filter(|letter| !SEPARATORS.contains(letter));
    if without_separators(spelt).eq(without_separators(meant)) {
        return Some(0);
    }
    let (mut words, mut wrong) = (spelt.split(SEPARATORS), 0);
    for meant in meant.split(SEPARATORS) {
        let most = match meant.chars().count() {
            0..5 => 0,
            5..9 => 1,
            _ => 2,
        };
        wrong += distance_within(most, letters(words.next()?), letters(meant))?;
    }
    words.next().is_none().then_some(wrong)
}

fn letters(text: &str) -> impl Iterator<Item = char> + Clone {
    text.chars().flat_map(char::to_lowercase)
}

/// How many letters have to be added, removed or replaced (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, other) in row.iter_mut().skip(1).zip(&b) {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = *cell;
            *cell = replaced.min(*cell + 1).min(left + 1);
            left = *cell;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

/// The same, if it is no more than `most`, which is small. Two letters that have changed places count as one.
fn distance_within<L: Iterator<Item = char> + Clone>(most: usize, mut a: L, mut b: L) -> Option<usize> {
    loop {
        let (with_a, with_b) = (a.clone(), b.clone());
        match (a.next(), b.next()) {
            (None, None) => return Some(0),
            (one, other) if one == other => {}
            (one, other) => {
                let most = most.checked_sub(1)?;
                let (mut behind_a, mut behind_b) = (a.clone(), b.clone());
                let are_swapped = one.is_some() && one == behind_b.next() && other == behind_a.next();
                let swapped = are_swapped.then(|| distance_within(most, behind_a, behind_b)).flatten();
                let replaced = distance_within(most, a.clone(), b.clone());
                let removed = one.and_then(|_| distance_within(most, a, with_b));
                let added = other.and_then(|_| distance_within(most, with_a, b));
                return [swapped, replaced, removed, added].into_iter().flatten().min().map(|distance| distance + 1);
            }
        }
    }
}

/// A text on one line: a space in the place of each control character. Of JSON, where only white space between its tokens
/// can hold any, it is the same value.
pub(crate) fn on_one_line(text: String) -> String {
    // The smallest of all bytes is found many at a time.
    if text.bytes().fold(u8::MAX, u8::min) < b' ' { text.replace(|letter| letter < ' ', " ") } else { text }
}

#[cfg(test)]
mod tests {
    use super::{distance, distance_within, misspelt};

    #[test]
    fn counts_few_letters_as_it_counts_many_but_for_those_that_have_changed_places() {
        let words = ["", "a", "b", "ab", "aab", "aabb", "aaab", "bbb", "übb", "aaaaa"];
        for (a, b) in words.into_iter().flat_map(|a| words.map(|b| (a, b))) {
            for most in 0..4 {
                let expected = Some(distance(a, b)).filter(|distance| *distance <= most);
                assert_eq!(distance_within(most, a.chars(), b.chars()), expected, "{a} {b} {most}");
            }
        }
        for (a, b, expected) in [("ab", "ba", 1), ("xaby", "xbay", 1), ("abcd", "badc", 2), ("abc", "cba", 2)] {
            assert_eq!(distance_within(3, a.chars(), b.chars()), Some(expected), "{a} {b}");
            assert_eq!(distance_within(expected - 1, a.chars(), b.chars()), None, "{a} {b}");
        }
    }

    #[test]
    fn knows_a_name_again_that_is_spelt_wrong() {
        for (name, meant) in [
            ("order-status", "order_status"),
            ("orderStatus", "order_status"),
            ("order_statu", "order_status"),
            ("ordr_status", "order_status"),
            ("ordre_sttaus", "order_status"),
            ("Add", "add"),
            ("translaet", "translate"),
            ("überstzen", "übersetzen"),
        ] {
            assert_eq!(misspelt(name, ["other", meant, "more"].into_iter()), Some(meant), "{name}");
        }
    }

    #[test]
    fn takes_no_name_for_that_of_another_operation() {
        for (name, other) in [
            ("read_file", "write_file"),
            ("create_user", "delete_user"),
            ("get_order", "set_order"),
            ("start_job", "stop_job"),
            ("enable_account", "disable_account"),
            ("list_users", "delete_users"),
            ("list", "list_users"),
            ("add", "and"),
            ("", "a"),
        ] {
            assert_eq!(misspelt(name, [other].into_iter()), None, "{name}");
        }
        assert_eq!(misspelt(&"x".repeat(129), ["x".repeat(129).as_str()].into_iter()), None);
    }
}
