//! Everything below the entry points runs on `proc_macro2`, and so in these tests.

mod diagnostics;
mod docs;
mod expansion;
mod list;
mod support;
