//! What a value is to serde, as far as a resource has to know: nothing, a text, bytes, or anything else.

use serde::Serialize;
use serde::ser::{Error as _, Impossible, Serializer};

/// What a value is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Probed {
    /// `None`.
    Nothing,
    Text(String),
    Bytes(Vec<u8>),
    Other,
}

/// Looks at a value.
pub(super) fn probe<T: Serialize + ?Sized>(value: &T) -> Probed {
    // Whatever else it is ends with an error, at its first step.
    value.serialize(Probe).unwrap_or(Probed::Other)
}

struct Probe;

type Error = serde::de::value::Error;

/// Methods that end with an error. A row is a name and what it takes.
macro_rules! others {
    ($($name:ident($($ty:ty),*) -> $ok:ty;)*) => { $(
        fn $name(self, $(_: $ty),*) -> Result<$ok, Error> {
            Err(Error::custom("something else"))
        }
    )* };
}

impl Serializer for Probe {
    type Ok = Probed;
    type Error = Error;
    type SerializeSeq = Impossible<Probed, Error>;
    type SerializeTuple = Impossible<Probed, Error>;
    type SerializeTupleStruct = Impossible<Probed, Error>;
    type SerializeTupleVariant = Impossible<Probed, Error>;
    type SerializeMap = Impossible<Probed, Error>;
    type SerializeStruct = Impossible<Probed, Error>;
    type SerializeStructVariant = Impossible<Probed, Error>;

    fn serialize_none(self) -> Result<Probed, Error> {
        Ok(Probed::Nothing)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Probed, Error> {
        value.serialize(self)
    }

    fn serialize_str(self, text: &str) -> Result<Probed, Error> {
        Ok(Probed::Text(text.to_owned()))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<Probed, Error> {
        Ok(Probed::Bytes(bytes.to_owned()))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Probed, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Probed, Error> {
        Err(Error::custom("something else"))
    }

    others! {
        serialize_bool(bool) -> Probed;
        serialize_i8(i8) -> Probed;
        serialize_i16(i16) -> Probed;
        serialize_i32(i32) -> Probed;
        serialize_i64(i64) -> Probed;
        serialize_i128(i128) -> Probed;
        serialize_u8(u8) -> Probed;
        serialize_u16(u16) -> Probed;
        serialize_u32(u32) -> Probed;
        serialize_u64(u64) -> Probed;
        serialize_u128(u128) -> Probed;
        serialize_f32(f32) -> Probed;
        serialize_f64(f64) -> Probed;
        serialize_char(char) -> Probed;
        serialize_unit() -> Probed;
        serialize_unit_struct(&'static str) -> Probed;
        serialize_unit_variant(&'static str, u32, &'static str) -> Probed;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct(&'static str, usize) -> Self::SerializeStruct;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }
}

#[cfg(test)]
mod tests {
    use super::{Probed, probe};

    #[derive(serde::Serialize)]
    struct Wrapped<T>(T);

    struct Raw;

    impl serde::Serialize for Raw {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(b"raw")
        }
    }

    #[test]
    fn knows_bytes() {
        assert_eq!(probe(&Some(Wrapped(Raw))), Probed::Bytes(b"raw".to_vec()));
    }

    #[test]
    fn tells_nothing_and_texts_from_the_rest() {
        assert_eq!(probe(&None::<u8>), Probed::Nothing);
        assert_eq!(probe(&Some(None::<u8>)), Probed::Nothing);
        for text in [probe("a"), probe(&Wrapped("a")), probe(&Some(Wrapped("a"))), probe(&Box::new("a".to_owned()))] {
            assert_eq!(text, Probed::Text("a".to_owned()));
        }
        for other in
            [probe(&()), probe(&f64::NAN), probe(&serde_json::Value::Null), probe(&["a"]), probe(&'a'), probe(&1)]
        {
            assert_eq!(other, Probed::Other);
        }
    }
}
