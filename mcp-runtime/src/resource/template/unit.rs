//! Characters of URIs, of which `a` and `%61` are one and `/` and `%2F` are not.
//!
//! Spec: RFC 3986, 2.1 to 2.3 and 6.2.2.

/// A byte of a URI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// One that stands for itself.
    Plain(u8),
    /// One that is percent-encoded, or has to be and is not: `ö` is read as `%C3%B6`, a space as `%20`.
    Encoded(u8),
}

/// The bytes of a URI in one of the ways to write it; the scheme in lower case. `None` if a `%` is not followed by two
/// hexadecimal digits.
pub(super) fn units(uri: &str) -> Option<Vec<Unit>> {
    let scheme = scheme(uri).unwrap_or_default().bytes();
    let mut rest = uri.bytes().skip(scheme.len());
    let mut units: Vec<Unit> = scheme.map(|byte| Unit::Plain(byte.to_ascii_lowercase())).collect();
    while let Some(byte) = rest.next() {
        units.push(match byte {
            b'%' => {
                let byte = hexadecimal(rest.next()?)? << 4 | hexadecimal(rest.next()?)?;
                if is_unreserved(byte) { Unit::Plain(byte) } else { Unit::Encoded(byte) }
            }
            _ if is_unreserved(byte) || is_reserved(byte) => Unit::Plain(byte),
            _ => Unit::Encoded(byte),
        });
    }
    Some(units)
}

/// What the units stand for; `None` if it is not UTF-8.
pub(super) fn decoded(units: &[Unit]) -> Option<String> {
    let bytes = units.iter().map(|unit| match unit {
        Unit::Plain(byte) | Unit::Encoded(byte) => *byte,
    });
    String::from_utf8(bytes.collect()).ok()
}

/// The scheme of a URI, without its colon.
pub(super) fn scheme(uri: &str) -> Option<&str> {
    let (scheme, _) = uri.split_once(':')?;
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    (scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.bytes().all(is_allowed)).then_some(scheme)
}

/// Whether a template can have the character as it is. Those that are not ASCII are for [`units`] what they are
/// percent-encoded.
pub(super) fn is_literal(character: char) -> bool {
    match u8::try_from(character) {
        Ok(byte) if byte.is_ascii() => is_unreserved(byte) || is_reserved(byte),
        _ => !character.is_whitespace() && !character.is_control(),
    }
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn is_reserved(byte: u8) -> bool {
    b":/?#[]@!$&'()*+,;=".contains(&byte)
}

fn hexadecimal(digit: u8) -> Option<u8> {
    u8::try_from(char::from(digit).to_digit(16)?).ok()
}
