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

/// A text on one line: a space in the place of each control character. Of JSON, where only white space between its tokens
/// can hold any, it is the same value.
pub(crate) fn on_one_line(text: String) -> String {
    // The smallest of all bytes is found many at a time.
    if text.bytes().fold(u8::MAX, u8::min) < b' ' { text.replace(|letter| letter < ' ', " ") } else { text }
}
