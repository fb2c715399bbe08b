//! The names of a list, compared by the compiler: two of one name are a compile error at the second.

/// A name in a list, or a URI.
#[derive(Clone, Copy, Debug)]
pub struct ListedName {
    name: &'static str,
    is_new: bool,
}

impl ListedName {
    /// Marks the names that stand before. A constant is interpreted, step by step, so each name is compared only with
    /// those of its bucket: comparing all with all takes seconds for some hundred tools.
    #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which reports an index out of bounds")]
    #[must_use]
    pub const fn all<const N: usize>(names: [&'static str; N]) -> [Self; N] {
        let mut listed = [Self { name: "", is_new: true }; N];
        let mut newest = [None::<usize>; BUCKETS];
        let mut before = [None::<usize>; N];
        let mut index = 0;
        while index < N {
            let name = names[index];
            let bucket = bucket(name);
            let mut is_new = true;
            let mut other = newest[bucket];
            while let Some(earlier) = other {
                if same(names[earlier], name) {
                    is_new = false;
                    break;
                }
                other = before[earlier];
            }
            listed[index] = Self { name, is_new };
            before[index] = newest[bucket];
            newest[bucket] = Some(index);
            index += 1;
        }
        listed
    }
}

const BUCKETS: usize = 256;

/// The bucket of a name: FNV-1a, folded to the size of the table.
#[expect(clippy::indexing_slicing, reason = "the index is compared with the length")]
const fn bucket(name: &str) -> usize {
    let name = name.as_bytes();
    let mut hash = 0x811c_9dc5_u32;
    let mut at = 0;
    while at < name.len() {
        hash = (hash ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ (hash >> 16)) as usize % BUCKETS
}

/// Fails to compile if the name of a tool at `index` stands before it.
pub const fn assert_new_name(names: &[ListedName], index: usize) {
    assert_new(names, index, "tools have the name", "`; give one of them `#[tool(name = \"…\")]`");
}

/// Fails to compile if the name of a prompt at `index` stands before it.
pub const fn assert_new_prompt(names: &[ListedName], index: usize) {
    assert_new(names, index, "prompts have the name", "`; give one of them `#[prompt(name = \"…\")]`");
}

/// Fails to compile if the URI of a resource at `index` stands before it.
pub const fn assert_new_uri(uris: &[ListedName], index: usize) {
    assert_new(uris, index, "resources have the URI", "`; a URI is that of one resource");
}

/// A constant cannot format, so the text is put together here.
#[expect(clippy::indexing_slicing, clippy::panic, reason = "evaluated by the compiler, which reports the text")]
const fn assert_new(names: &[ListedName], index: usize, what: &str, help: &str) {
    if names[index].is_new {
        return;
    }
    let (text, len) = ([0; MAX_TEXT_BYTES], 0);
    let (text, len) = appended(text, len, "two ");
    let (text, len) = appended(text, len, what);
    let (text, len) = appended(text, len, " `");
    let (text, len) = appended(text, len, names[index].name);
    let (text, len) = appended(text, len, help);
    match std::str::from_utf8(text.split_at(len).0) {
        Ok(text) => panic!("{}", text),
        Err(_) => panic!("two of them are the same"),
    }
}

/// The longest name of a tool has 128 bytes; a longer URI is cut.
const MAX_TEXT_BYTES: usize = 256;

/// The text with more of it, as far as there is room.
#[expect(clippy::indexing_slicing, reason = "both indices are compared with the lengths")]
const fn appended(mut text: [u8; MAX_TEXT_BYTES], len: usize, more: &str) -> ([u8; MAX_TEXT_BYTES], usize) {
    let more = more.as_bytes();
    let mut at = 0;
    while at < more.len() && len + at < MAX_TEXT_BYTES {
        text[len + at] = more[at];
        at += 1;
    }
    (text, len + at)
}

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which reports an index out of bounds")]
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use std::array;

    use super::{BUCKETS, ListedName};

    #[test]
    fn marks_the_names_that_stand_before() {
        const N: usize = 3 * BUCKETS;
        let mut names: [&'static str; N] = array::from_fn(|index| &*format!("tool_{index}").leak());
        names[N - 1] = "tool_0";
        names[N / 2] = "tool_7";
        let listed = ListedName::all(names);
        let again: Vec<usize> = (0..N).filter(|index| !listed[*index].is_new).collect();
        assert_eq!(again, [N / 2, N - 1]);
    }
}
