//! The members of an object, each as it stands in the text, found in one walk that also makes sure that all of it is JSON.
//!
//! `serde_json` does the same where a struct has members that are `&RawValue`. It was a third of what a small call costs,
//! most of it around the walk and not in it: a seed for each key and each value, and a position to go back to.
//!
//! The walk takes what is plain, and nearly every message is. Where something is not (an escape in a key, deep nesting, a
//! member that its reader wants to look at again, or no JSON at all), it says so and no more: the text is then read by
//! `serde_json`, which also has the words for what is wrong. So whatever is found here has to be what `serde_json` finds.

use serde::Deserialize;
use serde::de::value::{BorrowedStrDeserializer, Error, MapDeserializer};
use serde::de::{Deserializer, Visitor};
use serde_json::value::RawValue;

use crate::json;

/// How deep values are nested in one that is plain. The walk is recursive, and a text may be nested as deep as it is long.
const MAX_DEPTH: u8 = 32;

/// Walks over a text that is an object. `take` is given the key of each member, in order, and the walk to go over its value, or
/// not if it is not plain to it. Returns whether all is; otherwise what was found is to be forgotten.
pub(crate) fn object<'a>(text: &'a str, take: impl FnMut(&'a str, &mut Walk<'a>) -> Option<()>) -> bool {
    let mut walk = Walk { text, at: 0 };
    walk.object(take).is_some() && walk.peek().is_none() && walk.at == text.len()
}

/// Keeps a member that stands in the object once.
pub(crate) fn once<'a>(slot: &mut Option<&'a str>, value: &'a str) -> Option<()> {
    slot.replace(value).is_none().then_some(())
}

/// The same for a raw value.
pub(crate) fn once_raw<'a>(slot: &mut Option<&'a RawValue>, value: &'a str) -> Option<()> {
    slot.replace(as_raw(value)?).is_none().then_some(())
}

/// A text that the walk has found to be JSON, as what it is.
///
/// There is no way to say so to `serde_json`, which makes a raw value of a borrowed text by reading it. But it makes one as it
/// makes anything else, from what a deserializer hands it, and ours hands it the text. Should it ever ask for it in another
/// way, it reads the text once more.
pub(crate) fn as_raw(text: &str) -> Option<&RawValue> {
    <&RawValue>::deserialize(Walked(text)).ok().or_else(|| json::parse(text).ok())
}

/// What the string stands for that a text begins with, if it is one without escapes. What comes behind it is not looked at.
pub(crate) fn plain_string(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('"')?;
    let (plain, rest) = inner.split_at_checked(special(inner.as_bytes())?)?;
    rest.starts_with('"').then_some(plain)
}

/// A deserializer that has done its work before.
struct Walked<'a>(&'a str);

impl<'de> Deserializer<'de> for Walked<'de> {
    type Error = Error;

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        let text = BorrowedStrDeserializer::new(self.0);
        visitor.visit_map(MapDeserializer::new(std::iter::once((name, text))))
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.0)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A place in a text. Each step goes on to behind what it has found, and is `None` if that is not there or not plain.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Walk<'a> {
    /// Goes over a value of any kind. Returns it as it stands.
    pub(crate) fn value(&mut self) -> Option<&'a str> {
        let first = self.peek()?;
        let start = self.at;
        match first {
            // Most values are strings.
            b'"' => self.skip_string()?,
            _ => self.skip(first, MAX_DEPTH)?,
        }
        self.text.get(start..self.at)
    }

    /// The same for one that is not null. A member that is null is as good as missing to some readers, but may not be there
    /// again.
    pub(crate) fn value_but_null(&mut self) -> Option<&'a str> {
        self.value().filter(|value| *value != "null")
    }

    /// Whether the next value is an object.
    pub(crate) fn is_at_object(&mut self) -> bool {
        self.peek() == Some(b'{')
    }

    /// Goes over an object. `take` is given the key of each member, and goes over its value. Returns it as it stands.
    pub(crate) fn object(&mut self, mut take: impl FnMut(&'a str, &mut Self) -> Option<()>) -> Option<&'a str> {
        self.eat(b'{')?;
        let start = self.at - 1;
        let mut has_more = !self.is_closed(b'}')?;
        while has_more {
            let key = self.key()?;
            self.eat(b':')?;
            take(key, self)?;
            has_more = self.has_more(b'}')?;
        }
        self.text.get(start..self.at)
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        let mut byte = self.byte()?;
        while byte <= b' ' {
            matches!(byte, b' ' | b'\n' | b'\t' | b'\r').then(|| self.at += 1)?;
            byte = self.byte()?;
        }
        Some(byte)
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, expected: u8) -> Option<()> {
        (self.peek()? == expected).then(|| self.at += 1)
    }

    /// Whether an array or an object that has begun ends here.
    fn is_closed(&mut self, close: u8) -> Option<bool> {
        let is_closed = self.peek()? == close;
        self.at += usize::from(is_closed);
        Some(is_closed)
    }

    /// Whether there is a comma, and not the end.
    fn has_more(&mut self, close: u8) -> Option<bool> {
        let byte = self.peek()?;
        self.at += 1;
        (byte == b',' || byte == close).then_some(byte == b',')
    }

    /// A key without escapes.
    fn key(&mut self) -> Option<&'a str> {
        self.peek()?;
        let key = plain_string(self.text.get(self.at..)?)?;
        self.at += key.len() + 2;
        Some(key)
    }

    /// A value that begins with the next byte.
    fn skip(&mut self, first: u8, depth: u8) -> Option<()> {
        match first {
            b'"' => self.skip_string(),
            b'-' | b'0'..=b'9' => self.skip_number(),
            b'{' => self.skip_object(depth.checked_sub(1)?),
            b'[' => self.skip_array(depth.checked_sub(1)?),
            b't' => self.skip_word("true"),
            b'f' => self.skip_word("false"),
            b'n' => self.skip_word("null"),
            _ => None,
        }
    }

    fn skip_object(&mut self, depth: u8) -> Option<()> {
        self.at += 1;
        let mut has_more = !self.is_closed(b'}')?;
        while has_more {
            (self.peek()? == b'"').then_some(())?;
            self.skip_string()?;
            self.eat(b':')?;
            let first = self.peek()?;
            self.skip(first, depth)?;
            has_more = self.has_more(b'}')?;
        }
        Some(())
    }

    fn skip_array(&mut self, depth: u8) -> Option<()> {
        self.at += 1;
        let mut has_more = !self.is_closed(b']')?;
        while has_more {
            let first = self.peek()?;
            self.skip(first, depth)?;
            has_more = self.has_more(b']')?;
        }
        Some(())
    }

    fn skip_word(&mut self, word: &str) -> Option<()> {
        self.text.as_bytes().get(self.at..)?.starts_with(word.as_bytes()).then(|| self.at += word.len())
    }

    fn skip_number(&mut self) -> Option<()> {
        self.skip_if(|byte| byte == b'-');
        // A zero stands alone in front of the point.
        if !self.skip_if(|byte| byte == b'0') {
            self.skip_digits()?;
        }
        if self.skip_if(|byte| byte == b'.') {
            self.skip_digits()?;
        }
        if self.skip_if(|byte| matches!(byte, b'e' | b'E')) {
            self.skip_if(|byte| matches!(byte, b'+' | b'-'));
            self.skip_digits()?;
        }
        Some(())
    }

    fn skip_digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.skip_if(|byte| byte.is_ascii_digit()) {}
        (self.at > start).then_some(())
    }

    fn skip_if(&mut self, is_wanted: impl FnOnce(u8) -> bool) -> bool {
        let skips = self.byte().is_some_and(is_wanted);
        self.at += usize::from(skips);
        skips
    }

    /// A string, whose first quote is the next byte.
    fn skip_string(&mut self) -> Option<()> {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        loop {
            at += special(bytes.get(at..)?)?;
            match bytes.get(at)? {
                b'"' => {
                    self.at = at + 1;
                    return Some(());
                }
                b'\\' => at += 1 + escape_len(bytes.get(at + 1..)?)?,
                _ => return None,
            }
        }
    }
}

/// How long what follows a backslash is. What code it is for does not matter to one who does not look inside.
fn escape_len(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => Some(1),
        [b'u', a, b, c, d, ..] if [a, b, c, d].into_iter().all(u8::is_ascii_hexdigit) => Some(5),
        _ => None,
    }
}

/// Where the first byte is that no string holds as it is: a quote, a backslash, or a control character.
fn special(bytes: &[u8]) -> Option<usize> {
    let mut rest = bytes;
    while let Some((chunk, behind)) = rest.split_first_chunk::<8>() {
        if let Some(at) = special_of_eight(*chunk) {
            return Some(bytes.len() - rest.len() + at);
        }
        rest = behind;
    }
    let at = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..b' '))?;
    Some(bytes.len() - rest.len() + at)
}

/// The same of eight bytes, looked at together, since strings are most of a message. A byte less than another leaves a borrow in
/// its highest bit. A borrow from below can only add to those, so the lowest is right.
fn special_of_eight(bytes: [u8; 8]) -> Option<usize> {
    const EACH: u64 = u64::MAX / 0xFF;
    let word = u64::from_le_bytes(bytes);
    let is_zero = |word: u64| word.wrapping_sub(EACH) & !word;
    let is_control = word.wrapping_sub(EACH * u64::from(b' ')) & !word;
    let is_quote = is_zero(word ^ (EACH * u64::from(b'"')));
    let is_backslash = is_zero(word ^ (EACH * u64::from(b'\\')));
    let found = (is_control | is_quote | is_backslash) & (EACH << 7);
    (found != 0).then(|| found.trailing_zeros() as usize / 8)
}

#[cfg(test)]
mod tests;
