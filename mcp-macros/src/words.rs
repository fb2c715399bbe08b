//! Words in messages: lists of them, and the one that was probably meant.

/// `` `a`, `b` ``
pub(crate) fn ticked(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

/// The known word that was probably meant: one is the beginning of the other, or they differ in few characters.
pub(crate) fn nearest<'a>(written: &str, known: &[&'a str]) -> Option<&'a str> {
    let written = squeeze(written);
    let close = known.iter().filter_map(|word| {
        let word_squeezed = squeeze(word);
        let distance = edit_distance(&written, &word_squeezed);
        let near = is_prefix_of_either(&written, &word_squeezed)
            || sorted(&written) == sorted(&word_squeezed)
            || distance <= word_squeezed.len() / 3
            // A character too many, in a word so short.
            || (distance == 1 && written.len() >= 3);
        near.then_some((distance, *word))
    });
    close.min_by_key(|(distance, _)| *distance).map(|(_, word)| word)
}

/// `read_only` and `readOnly` as the same word.
fn squeeze(word: &str) -> String {
    word.replace('_', "").to_lowercase()
}

fn is_prefix_of_either(a: &str, b: &str) -> bool {
    a.len().min(b.len()) >= 3 && (a.starts_with(b) || b.starts_with(a))
}

/// Equal for words that differ in the order of their characters.
fn sorted(word: &str) -> Vec<char> {
    let mut characters: Vec<char> = word.chars().collect();
    characters.sort_unstable();
    characters
}

/// How many characters to insert, remove or replace.
fn edit_distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (line, a) in from.chars().enumerate() {
        let mut next = vec![line + 1];
        for ((above, replaced), b) in row.iter().skip(1).zip(&row).zip(to.chars()) {
            let inserted = next.last().map_or(0, |left| left + 1);
            let replaced = replaced + usize::from(a != b);
            next.push(inserted.min(above + 1).min(replaced));
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}
