//! From the return type of a function to what makes an outcome of its value and of its error.
//!
//! Method lookup passes over an inherent method whose bounds the type does not meet, and goes on behind `Deref`. So each type
//! here has the method for the types it is about and lends the next one, down to one that takes every type. This sees
//! through type aliases, which spelling cannot; it needs no trait in the user's scope; and it costs the compiler less than
//! methods of traits, whose every candidate is tried at every step.

#![expect(
    clippy::must_use_candidate,
    clippy::unused_self,
    reason = "nothing here is called by hand, and only methods are looked up step by step"
)]

use std::convert::Infallible;
use std::error::Error;
use std::fmt::Display;
use std::marker::PhantomData;
use std::ops::Deref;

use crate::error::ToolError;
use crate::prompt::output::PromptOutput;
use crate::resource::output::ResourceOutput;
use crate::result::{Outcome, ToolOutput, chained, chained_static, displayed};

/// A type that stands before another in the lookup.
macro_rules! before {
    ($($(#[$doc:meta])* $name:ident: $next:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<T>($next<T>);

        impl<T> $name<T> {
            /// The only value.
            pub const NEW: Self = Self($next::NEW);
        }

        impl<T> Deref for $name<T> {
            type Target = $next<T>;

            fn deref(&self) -> &$next<T> {
                &self.0
            }
        }
    )* };
}

/// The last type of a lookup.
macro_rules! last {
    ($($(#[$doc:meta])* $name:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<T>(PhantomData<fn() -> T>);

        impl<T> $name<T> {
            /// The only value.
            pub const NEW: Self = Self(PhantomData);
        }
    )* };
}

before! {
    /// The return type of a function, to ask for its parts.
    Returns: ReturnsPlain;
    /// The type of a value, to ask how an outcome is made of it.
    Success: Refused;
    /// The type of an error, to ask the same: [`ToolError`] itself, a standard error, a type that lends one
    /// (`anyhow::Error`), a type that can be displayed.
    Failure: FailureStandard;
    /// [`Failure`] of a standard error.
    FailureStandard: FailureLending;
    /// [`Failure`] of a type that lends a standard error.
    FailureLending: FailureLendingLocal;
    /// [`Failure`] of a type that lends a standard error which stays on its thread.
    FailureLendingLocal: FailureShown;
    /// [`Failure`] of a type that can be displayed.
    FailureShown: Refused;
}

last! {
    /// [`Returns`] of a type that is no `Result`.
    ReturnsPlain;
    /// A type that was refused where it was described. What is made of it is never called.
    Refused;
}

impl<T, E> Returns<Result<T, E>> {
    /// The type of the value.
    pub fn __mcp_success(&self) -> Success<T> {
        Success::NEW
    }

    /// The type of the error.
    pub fn __mcp_error(&self) -> Failure<E> {
        Failure::NEW
    }
}

impl<T> ReturnsPlain<T> {
    /// The type itself.
    pub fn __mcp_success(&self) -> Success<T> {
        Success::NEW
    }

    /// An error that cannot be.
    pub fn __mcp_error(&self) -> Failure<Infallible> {
        Failure::NEW
    }
}

impl<T: ToolOutput> Success<T> {
    /// The outcome of a tool.
    pub fn __mcp_tool(&self) -> fn(T) -> Outcome {
        T::into_outcome
    }
}

impl<T: PromptOutput> Success<T> {
    /// The outcome of a prompt.
    pub fn __mcp_prompt(&self) -> fn(T) -> Outcome {
        T::into_outcome
    }
}

impl<T: ResourceOutput> Success<T> {
    /// The outcome of a resource.
    pub fn __mcp_resource(&self) -> fn(T) -> Outcome {
        T::into_outcome
    }
}

impl Failure<ToolError> {
    /// The outcome of a failure.
    pub fn __mcp_failure(&self) -> fn(ToolError) -> Outcome {
        Outcome::from
    }
}

impl<E: Error> FailureStandard<E> {
    /// The outcome of a failure.
    pub fn __mcp_failure(&self) -> fn(E) -> Outcome {
        |error| chained(&error)
    }
}

impl<E: AsRef<dyn Error + Send + Sync + 'static>> FailureLending<E> {
    /// The outcome of a failure.
    pub fn __mcp_failure(&self) -> fn(E) -> Outcome {
        |error| chained_static(error.as_ref())
    }
}

impl<E: AsRef<dyn Error + 'static>> FailureLendingLocal<E> {
    /// The outcome of a failure.
    pub fn __mcp_failure(&self) -> fn(E) -> Outcome {
        |error| chained_static(error.as_ref())
    }
}

impl<E: Display> FailureShown<E> {
    /// The outcome of a failure.
    pub fn __mcp_failure(&self) -> fn(E) -> Outcome {
        |error| displayed(&error)
    }
}

impl<T> Refused<T> {
    /// Never called.
    pub fn __mcp_tool(&self) -> fn(T) -> Outcome {
        refused
    }

    /// Never called.
    pub fn __mcp_prompt(&self) -> fn(T) -> Outcome {
        refused
    }

    /// Never called.
    pub fn __mcp_resource(&self) -> fn(T) -> Outcome {
        refused
    }

    /// Never called.
    pub fn __mcp_failure(&self) -> fn(T) -> Outcome {
        refused
    }
}

fn refused<T>(_: T) -> Outcome {
    Outcome::Failure(String::new())
}

/// What a function has returned. The types of the value and of the error say which `impl` it is: no type is the value of
/// itself as a `Result`.
pub trait Returned<T, E> {
    /// The outcome of the call.
    fn outcome(self, success: fn(T) -> Outcome, failure: fn(E) -> Outcome) -> Outcome;
}

impl<T, E> Returned<T, E> for Result<T, E> {
    fn outcome(self, success: fn(T) -> Outcome, failure: fn(E) -> Outcome) -> Outcome {
        match self {
            Ok(value) => success(value),
            Err(error) => failure(error),
        }
    }
}

impl<T> Returned<T, Infallible> for T {
    fn outcome(self, success: fn(T) -> Outcome, _: fn(Infallible) -> Outcome) -> Outcome {
        success(self)
    }
}
