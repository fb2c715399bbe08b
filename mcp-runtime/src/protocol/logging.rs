//! `logging/setLevel` and `notifications/message`.
//!
//! Spec: 2026-07-28, `server/utilities/logging`.

use serde::de::IntoDeserializer as _;
use serde::de::value::{Error, StrDeserializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::jsonrpc::{ErrorObject, as_string};

/// How much a log message matters, as in syslog (RFC 5424), from the least to the most.
///
/// # Spec
/// 2026-07-28, `schema`, `LoggingLevel`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum LogLevel {
    /// For who looks for a fault.
    Debug,
    /// What happens.
    Info,
    /// What happens, and is not usual.
    Notice,
    /// What may become a fault.
    Warning,
    /// What has failed.
    Error,
    /// A part has failed.
    Critical,
    /// Somebody has to do something.
    Alert,
    /// Nothing works.
    Emergency,
}

impl LogLevel {
    const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    /// The level with that number.
    pub(crate) fn of_number(number: u8) -> Self {
        Self::ALL.into_iter().find(|level| *level as u8 == number).unwrap_or(Self::Emergency)
    }

    /// Reads a level.
    ///
    /// # Errors
    /// `-32602` with all levels there are.
    pub(crate) fn decode(raw: &RawValue, name: &str) -> Result<Self, ErrorObject> {
        // An enum would be read from an object with one member, too.
        let level = as_string(raw).and_then(|level| {
            let level: StrDeserializer<'_, Error> = level.as_ref().into_deserializer();
            Self::deserialize(level).ok()
        });
        level.ok_or_else(|| {
            ErrorObject::invalid_params(format!(
                "`{name}` must be one of \"debug\", \"info\", \"notice\", \"warning\", \"error\", \"critical\", \
                 \"alert\" and \"emergency\""
            ))
        })
    }
}

#[derive(Deserialize)]
struct SetLevelParams<'a> {
    #[serde(borrow)]
    level: Option<&'a RawValue>,
}

/// The level that the params of `logging/setLevel` name.
///
/// # Errors
/// `-32602` if they name none.
pub(crate) fn decode_set_level(params: Option<&RawValue>) -> Result<LogLevel, ErrorObject> {
    let missing = || ErrorObject::invalid_params("`level` is missing");
    let params: SetLevelParams<'_> = super::meta::object(params.ok_or_else(missing)?, "params")?;
    LogLevel::decode(params.level.ok_or_else(missing)?, "level")
}

/// The params of `notifications/message`.
#[derive(Debug, Serialize)]
pub(crate) struct MessageParams<'a> {
    pub(crate) level: LogLevel,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) logger: Option<&'a str>,
    pub(crate) data: &'a RawValue,
}
