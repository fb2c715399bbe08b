//! `#[derive(Form)]`: a struct that a person can fill in, or an enum that is one of its choices, through the same stages
//! as `#[tool]`.

pub(crate) mod emit;
mod instead;
pub(crate) mod lower;
mod serde;
