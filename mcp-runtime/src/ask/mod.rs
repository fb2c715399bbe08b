//! Asking the client in the middle of a call: the user for input, the client's model for text, the client for its roots.
//!
//! A handler awaits the answer in both eras. In a session of the legacy era the question is a request of the server
//! ([`questions`]). In the modern era a server sends none: the call ends with its open questions, and its retry runs from the
//! top with the answers so far ([`rounds`]).

mod asking;
mod canonical;
mod context;
mod error;
pub(crate) mod form;
pub(crate) mod questions;
mod rounds;
mod seal;
mod settings;

pub(crate) use asking::{Asking, Binding};
pub use error::AskError;
pub use form::{Form, FormChoice, FormData, FormField, IsChoice, IsForm};
pub use seal::StateKey;
pub(crate) use settings::{AskSettings, Asks};
