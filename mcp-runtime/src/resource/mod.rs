//! Resources: what a server offers to be read, each by its URI.

#[cfg_attr(not(test), expect(dead_code, reason = "resources are read from the next change on"))]
pub(crate) mod template;
