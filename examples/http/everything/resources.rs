//! Resources of text, of bytes, and of a template.

use mcp_runtime::{ResourceDef, resource, resources};
use serde_json::{Value, json};

use crate::content::PNG;

/// All of them.
pub(crate) fn all() -> impl IntoIterator<Item = ResourceDef> {
    resources![static_text, static_binary, template_data, watched]
}

/// A text that never changes.
#[resource("test://static-text", mime_type = "text/plain", ttl = 60, cache_scope = "public")]
fn static_text() -> &'static str {
    "This is the content of the static text resource."
}

/// A red pixel.
#[resource("test://static-binary", mime_type = "image/png")]
fn static_binary() -> Vec<u8> {
    PNG.to_vec()
}

/// Data that depends on the URI.
#[resource("test://template/{id}/data", mime_type = "application/json")]
fn template_data(#[arg(complete = ids)] id: &str) -> Value {
    json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") })
}

fn ids(typed: &str) -> Vec<&'static str> {
    ["123", "456"].into_iter().filter(|id| id.starts_with(typed)).collect()
}

/// A text to watch.
#[resource("test://watched-resource", mime_type = "text/plain")]
fn watched() -> &'static str {
    "Watched resource content"
}
