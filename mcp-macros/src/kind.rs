//! The kinds of handlers, and all that differs between them.

use std::fmt::{self, Display, Formatter};

use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::Path;
use syn::ext::IdentExt as _;

/// What an attribute makes of a function.
#[derive(PartialEq)]
pub(crate) struct Kind {
    /// In messages, where `a` stands in front of it, and in the companion's name.
    noun: &'static str,
    /// As a message names it.
    pub(crate) attribute: &'static str,
    /// The macro that lists handlers of this kind; in messages, several of them.
    pub(crate) plural: &'static str,
    /// What stands in that macro, in messages.
    pub(crate) listed: &'static str,
    /// The type of the companion.
    def: &'static str,
    /// The method that gives what makes an outcome of the value of a call.
    success: &'static str,
    /// The method of the companion that gives what is compared in a list.
    identity: &'static str,
    /// What compares it.
    pub(crate) assert_new: &'static str,
    /// Whether the first entry of the attribute is a URI, whose variables are the arguments. Otherwise clients call a handler by
    /// its name, which then keeps to what all of them can take.
    pub(crate) has_uri: bool,
}

pub(crate) static TOOL: Kind = Kind {
    noun: "tool",
    attribute: "#[tool]",
    plural: "tools",
    listed: "add, shop::order_status",
    def: "ToolDef",
    success: "__mcp_tool",
    identity: "name",
    assert_new: "assert_new_name",
    has_uri: false,
};

pub(crate) static PROMPT: Kind = Kind {
    noun: "prompt",
    attribute: "#[prompt]",
    plural: "prompts",
    listed: "review, shop::summary",
    def: "PromptDef",
    success: "__mcp_prompt",
    identity: "name",
    assert_new: "assert_new_prompt",
    has_uri: false,
};

pub(crate) static RESOURCE: Kind = Kind {
    noun: "resource",
    attribute: "#[resource]",
    plural: "resources",
    listed: "readme, shop::order",
    def: "ResourceDef",
    success: "__mcp_resource",
    identity: "uri",
    assert_new: "assert_new_uri",
    has_uri: true,
};

/// In the order in which a block lists them.
pub(crate) static KINDS: [&Kind; 3] = [&TOOL, &PROMPT, &RESOURCE];

impl Kind {
    /// The kind of the attribute with this path, if it is one of ours.
    pub(crate) fn of_attribute(path: &Path) -> Option<&'static Self> {
        let last = path.segments.last()?;
        KINDS.into_iter().find(|kind| last.ident == kind.noun)
    }

    /// `order_status` -> `__tool_order_status`
    pub(crate) fn companion(&self, func: &Ident) -> Ident {
        format_ident!("__{}_{}", self.noun, func.unraw(), span = func.span())
    }

    /// The last segment of the attribute's path.
    pub(crate) fn attribute_ident(&self) -> Ident {
        ident(self.noun)
    }

    pub(crate) fn def(&self) -> Ident {
        ident(self.def)
    }

    pub(crate) fn success(&self) -> Ident {
        ident(self.success)
    }

    pub(crate) fn identity(&self) -> Ident {
        ident(self.identity)
    }

    /// The local that holds a list.
    pub(crate) fn local_list(&self) -> Ident {
        format_ident!("__mcp_{}", self.plural, span = Span::mixed_site())
    }
}

/// In a message.
impl Display for Kind {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.noun)
    }
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}
