//! Asking the client in the middle of a call: the user for input, the client's model for text, the client for its roots.

#![cfg_attr(not(test), expect(dead_code, reason = "calls do not ask yet"))]

mod error;
pub(crate) mod form;
mod seal;

pub use error::AskError;
pub use form::{Form, FormChoice, FormField};
pub use seal::StateKey;
