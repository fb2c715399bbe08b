//! The errors that users of the crate meet.

use crate::jsonrpc::ErrorObject;

/// A tool's own choice of how it fails: a failure that the model reads, with data if it likes, or a protocol error.
///
/// Any error type that implements `Display` is a tool failure already; this type is for the other cases.
///
/// # Examples
/// ```
/// use mcp_runtime::ToolError;
///
/// fn check(day: u8) -> Result<(), ToolError> {
///     match day {
///         1..=31 => Ok(()),
///         _ => Err(ToolError::failure(format!("`day` is 1 to 31, got {day}"))),
///     }
/// }
/// # assert!(check(40).is_err());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ToolError(pub(crate) ToolErrorKind);

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ToolErrorKind {
    Failure { text: String, data: Option<serde_json::Value> },
    Protocol(ErrorObject),
}

impl ToolError {
    /// A failure that the model can read and act on: a result with `isError`.
    pub fn failure(text: impl Into<String>) -> Self {
        Self(ToolErrorKind::Failure { text: text.into(), data: None })
    }

    /// A JSON-RPC error, which the model does not see. `code` should lie outside of -32768 to -32000 unless it is one
    /// of the constants of [`ErrorObject`]. One that revision 2026-07-28 reserves is sent as -32603 there.
    pub fn protocol(code: i64, message: impl Into<String>) -> Self {
        Self(ToolErrorKind::Protocol(ErrorObject::new(code, message)))
    }

    /// Adds data: the structured content of a failure (clients since 2025-06-18 see it), or the `data` of a protocol
    /// error.
    #[must_use]
    pub fn with_data(mut self, value: serde_json::Value) -> Self {
        match &mut self.0 {
            ToolErrorKind::Failure { data, .. } => *data = Some(value),
            ToolErrorKind::Protocol(error) => error.data = Some(value),
        }
        self
    }
}

impl std::fmt::Display for ToolError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            ToolErrorKind::Failure { text, .. } => f.write_str(text),
            ToolErrorKind::Protocol(error) => write!(f, "{} ({})", error.message, error.code),
        }
    }
}

impl std::error::Error for ToolError {}

/// Why a server does not start. The text names every mistake, one a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartError {
    pub(crate) problems: Vec<String>,
}

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.problems.join("\n"))
    }
}

impl std::error::Error for StartError {}

/// Why a tool, a prompt or a resource was not added to a server that serves. The text names every mistake, one a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetError {
    pub(crate) problems: Vec<String>,
}

impl std::fmt::Display for SetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.problems.join("\n"))
    }
}

impl std::error::Error for SetError {}

/// Why serving ended before the client was done.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// The server was not started, since it is not put together right.
    Start(StartError),
    /// Reading or writing failed.
    Io(std::io::Error),
}

impl std::fmt::Display for ServeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Start(error) => error.fmt(f),
            Self::Io(error) => write!(f, "the connection failed: {error}"),
        }
    }
}

impl std::error::Error for ServeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Start(error) => Some(error),
            Self::Io(error) => Some(error),
        }
    }
}

impl From<StartError> for ServeError {
    fn from(error: StartError) -> Self {
        Self::Start(error)
    }
}

impl From<std::io::Error> for ServeError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}
