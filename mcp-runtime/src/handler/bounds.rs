//! Which types the bounds of `#[arg]` apply to.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroIsize, NonZeroU8, NonZeroU16, NonZeroU32, NonZeroU64,
    NonZeroUsize,
};

use serde_json::Value;

/// A type that `range` applies to: a number, or an optional one.
#[diagnostic::on_unimplemented(
    message = "`range` does not apply to `{Self}`",
    label = "not a number",
    note = "it applies to the integers up to 64 bits, to floats, and to an `Option` of one"
)]
pub trait Ranged {
    /// What the ends of the range are.
    type Bound: Bound;
}

/// One end of a range.
pub trait Bound {
    #[doc(hidden)]
    fn into_json(self) -> Value;

    /// The greatest value below an exclusive end; `None` for floats, which have none.
    #[doc(hidden)]
    fn below(self) -> Option<Value>;
}

/// A type that `len` applies to: a string, a list, or an optional one.
#[diagnostic::on_unimplemented(
    message = "`len` does not apply to `{Self}`",
    label = "neither a string nor a list",
    note = "it applies to strings (in characters), to lists and sets (in items), and to an `Option` of one"
)]
pub trait Measured {
    #[doc(hidden)]
    const IS_TEXT: bool;
}

/// A type that `pattern` applies to: a string, or an optional one. Without the feature `pattern` there is none.
#[cfg_attr(
    feature = "pattern",
    diagnostic::on_unimplemented(
        message = "`pattern` does not apply to `{Self}`",
        label = "not a string",
        note = "it applies to strings, and to an `Option` of one"
    )
)]
#[cfg_attr(
    not(feature = "pattern"),
    diagnostic::on_unimplemented(
        message = "`#[arg(pattern)]` needs the feature `pattern` of `mcp-runtime`",
        label = "the feature is off",
        note = "write `features = [\"pattern\"]` for `mcp-runtime` in Cargo.toml"
    )
)]
pub trait Patterned {}

macro_rules! integers {
    ($($name:ident)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Ranged for $name {
            type Bound = Self;
        }

        impl Bound for $name {
            fn into_json(self) -> Value {
                self.into()
            }

            fn below(self) -> Option<Value> {
                // Nothing is below the least value; the range is empty then, which the check of the default finds.
                Some(self.checked_sub(1).unwrap_or(self).into())
            }
        }
    )* };
}

integers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

macro_rules! floats {
    ($($name:ident)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Ranged for $name {
            type Bound = Self;
        }

        impl Bound for $name {
            fn into_json(self) -> Value {
                self.into()
            }

            fn below(self) -> Option<Value> {
                None
            }
        }
    )* };
}

floats!(f32 f64);

macro_rules! non_zero {
    ($($name:ident: $bound:ident,)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Ranged for $name {
            type Bound = $bound;
        }
    )* };
}

non_zero! {
    NonZeroU8: u8, NonZeroU16: u16, NonZeroU32: u32, NonZeroU64: u64, NonZeroUsize: usize,
    NonZeroI8: i8, NonZeroI16: i16, NonZeroI32: i32, NonZeroI64: i64, NonZeroIsize: isize,
}

#[diagnostic::do_not_recommend]
impl<T: Ranged> Ranged for Option<T> {
    type Bound = T::Bound;
}

macro_rules! texts {
    ($($name:ty),*) => { $(
        #[diagnostic::do_not_recommend]
        impl Measured for $name {
            const IS_TEXT: bool = true;
        }

        #[cfg(feature = "pattern")]
        #[diagnostic::do_not_recommend]
        impl Patterned for $name {}
    )* };
}

texts!(String, Cow<'_, str>, Box<str>);

macro_rules! lists {
    ($($name:ident)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T> Measured for $name<T> {
            const IS_TEXT: bool = false;
        }
    )* };
}

lists!(Vec VecDeque BTreeSet);

#[diagnostic::do_not_recommend]
impl<T, S> Measured for HashSet<T, S> {
    const IS_TEXT: bool = false;
}

#[diagnostic::do_not_recommend]
impl<T: Measured> Measured for Option<T> {
    const IS_TEXT: bool = T::IS_TEXT;
}

#[cfg(feature = "pattern")]
#[diagnostic::do_not_recommend]
impl<T: Patterned> Patterned for Option<T> {}
