//! `#[toolset]`: an `impl` block -> the list of its tools, through the same stages as `#[tool]`.
//!
//! Each tool makes its own companion, when its `#[tool]` expands inside of the block. What is done here is to find
//! those attributes, and to tell a function without a receiver that it is in a block, which it cannot see.

mod attr;
pub(crate) mod emit;
mod items;
pub(crate) mod lower;
mod model;
pub(crate) mod parse;
