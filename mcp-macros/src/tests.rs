//! Everything below the entry points runs on `proc_macro2`, and so in these tests.

mod arguments;
mod diagnostics;
mod docs;
mod expansion;
mod form;
mod hostile;
mod list;
mod prompt;
mod resource;
mod support;
mod template;
mod toolset;
