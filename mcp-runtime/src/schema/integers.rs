//! The integer types, which `schemars` names in `format`.

use serde_json::{Map, Value};

/// The least and the greatest value of the integer type that a derived schema names, where they are within 2^53 of zero;
/// `None` for any other schema.
pub(crate) fn integer_bounds(schema: &Map<String, Value>) -> Option<(Option<i64>, Option<i64>)> {
    Some(match schema.get("format")?.as_str()? {
        "int8" => (Some(i8::MIN.into()), Some(i8::MAX.into())),
        "int16" => (Some(i16::MIN.into()), Some(i16::MAX.into())),
        "int32" => (Some(i32::MIN.into()), Some(i32::MAX.into())),
        "uint8" => (Some(0), Some(u8::MAX.into())),
        "uint16" => (Some(0), Some(u16::MAX.into())),
        "uint32" => (Some(0), Some(u32::MAX.into())),
        "uint" | "uint64" | "uint128" => (Some(0), None),
        _ => return None,
    })
}
