//! Why a question to the client has no answer.

use crate::jsonrpc::ErrorObject;
use crate::protocol::ClientCapability;

/// Why a question to the client has no answer.
///
/// A tool may handle it. One that returns it fails with a text that tells the model what to do instead.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AskError {
    /// The user has read the question and said no.
    Declined,
    /// The user has closed the question without an answer.
    Cancelled,
    /// The client has not declared that it can be asked this.
    Unsupported(ClientCapability),
    /// The question cannot be put to this client: what is wrong with it, such as a field that no form can have.
    Unaskable(String),
    /// The answer does not fit the question: what is wrong with it, one problem each.
    Invalid(Vec<String>),
    /// The client has answered with an error. Its code is -1 where the user has refused a request for sampling.
    Refused(ErrorObject),
    /// The client has not answered in time.
    TimedOut,
    /// What the call has to remember between its rounds is larger than what may travel through the client.
    TooLarge {
        /// How much is allowed, in bytes.
        max_bytes: usize,
    },
    /// The call has more questions open than it may.
    TooMany {
        /// How many are allowed at a time.
        max_questions: usize,
    },
    /// The connection has ended, or the session, or the call itself, and with it the way to an answer.
    ConnectionLost,
}

impl std::fmt::Display for AskError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Declined => {
                f.write_str("the user declined to answer; go on without the answer, or ask the user what to do instead")
            }
            Self::Cancelled => {
                f.write_str("the user closed the question without an answer; another call asks it again")
            }
            Self::Unsupported(capability) => write!(
                f,
                "this client cannot {}, since it has not declared `{capability}`; do without it, or ask the user to \
                 connect with a client that can",
                capability.ability()
            ),
            Self::Unaskable(problem) => write!(f, "the question cannot be put to this client: {problem}"),
            Self::Invalid(problems) => write!(f, "the answer does not fit the question: {}", problems.join("; ")),
            Self::Refused(error) => write!(f, "the client refused the question: {} ({})", error.message, error.code),
            Self::TimedOut => f.write_str("the client did not answer in time; another call asks again"),
            Self::TooLarge { max_bytes } => write!(
                f,
                "the answers and steps that this call has to remember are larger than the {max_bytes} bytes that are \
                 allowed; ask for less, or for smaller parts in several calls"
            ),
            Self::TooMany { max_questions } => {
                write!(f, "this call asks more than the {max_questions} questions that are allowed at a time")
            }
            Self::ConnectionLost => f.write_str("the connection ended before the client answered"),
        }
    }
}

impl std::error::Error for AskError {}

#[cfg(test)]
mod tests {
    use super::AskError;
    use crate::jsonrpc::ErrorObject;
    use crate::protocol::ClientCapability;

    #[test]
    fn says_what_to_do_instead() {
        for (error, expected) in [
            (
                AskError::Declined,
                "the user declined to answer; go on without the answer, or ask the user what to do instead",
            ),
            (
                AskError::Unsupported(ClientCapability::ElicitationUrl),
                "this client cannot open a URL for the user, since it has not declared `elicitation.url`; do without it, \
                 or ask the user to connect with a client that can",
            ),
            (
                AskError::Invalid(vec![
                    "`name` is required and missing".to_owned(),
                    "`age`: expected integer".to_owned(),
                ]),
                "the answer does not fit the question: `name` is required and missing; `age`: expected integer",
            ),
            (
                AskError::Refused(ErrorObject::new(-1, "User rejected sampling request")),
                "the client refused the question: User rejected sampling request (-1)",
            ),
        ] {
            assert_eq!(error.to_string(), expected);
        }
    }
}
