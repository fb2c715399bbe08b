//! `#[toolset]`: an `impl` block -> the lists of its tools, prompts and resources, through the same stages as `#[tool]`.
//!
//! Each of them makes its own companion, when its attribute expands inside of the block. What is done here is to find
//! those attributes, and to tell a function without a receiver that it is in a block, which it cannot see.

mod attr;
pub(crate) mod emit;
mod items;
pub(crate) mod lower;
mod model;
pub(crate) mod parse;
