//! From what a resource's function returns to its contents.

use std::any::Any;
use std::borrow::Cow;

use serde::Serialize;

use super::probe::{Probed, probe};
use crate::protocol::ResourceContents;
use crate::protocol::pages::CacheHint;
use crate::protocol::resources::ReadResourceResult;
use crate::result::Outcome;

/// What a resource can return, also in a `Result` whose error can be displayed: every type that is `Serialize`.
///
/// - What serializes to a string is text.
/// - Bytes are sent in base64: a `Vec<u8>`, `Box<[u8]>`, `[u8; N]`, `&'static [u8]` or `&'static [u8; N]`, a `Cow` of them, and
///   what serializes to bytes, as `serde_bytes::ByteBuf` does. Serde knows other bytes as lists.
/// - [`ResourceContents`], one or a `Vec` of them, are sent as they are. What has no URI gets that of the request.
/// - Any other value is sent as its JSON.
/// - `None` of an `Option` says that there is no such resource.
///
/// What says nothing of its MIME type has that of the resource, or else `text/plain`, `application/octet-stream` or
/// `application/json`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a resource",
    label = "not a resource result",
    note = "return a string, `Vec<u8>`, `ResourceContents`, or a type that derives `Serialize`, as every type inside it does",
    note = "or any of these in an `Option`, whose `None` says that there is no such resource"
)]
pub trait ResourceOutput: 'static {
    #[doc(hidden)]
    fn into_outcome(self) -> Outcome;
}

const JSON: &str = "application/json";

#[diagnostic::do_not_recommend]
impl<T: Serialize + 'static> ResourceOutput for T {
    fn into_outcome(self) -> Outcome {
        // A blanket `impl` and others would overlap, so the types that are no JSON are told apart here.
        let mut value = Some(self);
        let known = as_bytes(&mut value).or_else(|| as_contents(&mut value));
        known.or_else(|| value.as_ref().map(as_value)).unwrap_or(Outcome::NotFound)
    }
}

fn as_bytes<T: 'static>(value: &mut Option<T>) -> Option<Outcome> {
    if let Some(bytes) = array(value) {
        return Some(read(blob(bytes)));
    }
    take(value, |bytes: Vec<u8>| blob(&bytes))
        .or_else(|| take(value, |bytes: &'static [u8]| blob(bytes)))
        .or_else(|| take(value, |bytes: Cow<'static, [u8]>| blob(&bytes)))
        .or_else(|| take(value, |bytes: Box<[u8]>| blob(&bytes)))
}

/// The bytes of an array, which is serializable with up to 32 of them.
fn array(value: &dyn Any) -> Option<&[u8]> {
    macro_rules! first_of {
        ($($length:literal)*) => { $(
            if let Some(Some(bytes)) = value.downcast_ref::<Option<[u8; $length]>>() {
                return Some(bytes);
            }
            if let Some(Some(bytes)) = value.downcast_ref::<Option<&'static [u8; $length]>>() {
                return Some(*bytes);
            }
            if let Some(Some(Some(bytes))) = value.downcast_ref::<Option<Option<[u8; $length]>>>() {
                return Some(bytes);
            }
            if let Some(Some(Some(bytes))) = value.downcast_ref::<Option<Option<&'static [u8; $length]>>>() {
                return Some(*bytes);
            }
        )* };
    }
    first_of! { 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 }
    None
}

fn blob(bytes: &[u8]) -> Vec<ResourceContents> {
    vec![ResourceContents::blob("", bytes)]
}

fn as_contents<T: 'static>(value: &mut Option<T>) -> Option<Outcome> {
    take(value, |contents: ResourceContents| vec![contents]).or_else(|| take(value, |contents| contents))
}

fn as_value<T: Serialize>(value: &T) -> Outcome {
    match probe(value) {
        Probed::Nothing => Outcome::NotFound,
        Probed::Bytes(bytes) => read(blob(&bytes)),
        Probed::Text(text) => read(vec![ResourceContents::text("", text)]),
        Probed::Other => match serde_json::to_string(value) {
            Ok(json) => read(vec![ResourceContents::text("", json).defaulting_to(JSON)]),
            Err(error) => Outcome::Failed(format!("the contents cannot be written as JSON: {error}")),
        },
    }
}

/// The contents of a value that is an `S`, or an `Option` of one.
fn take<T: 'static, S: 'static>(
    value: &mut Option<T>,
    contents: impl FnOnce(S) -> Vec<ResourceContents>,
) -> Option<Outcome> {
    let value: &mut dyn Any = value;
    if let Some(some) = value.downcast_mut::<Option<S>>() {
        return some.take().map(|some| read(contents(some)));
    }
    let maybe = value.downcast_mut::<Option<Option<S>>>()?.take()?;
    Some(maybe.map_or(Outcome::NotFound, |some| read(contents(some))))
}

fn read(contents: Vec<ResourceContents>) -> Outcome {
    Outcome::Resource(Box::new(ReadResourceResult { contents, cache: CacheHint::default() }))
}
