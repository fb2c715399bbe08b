//! From a method to what answers it. What is sent for a revision is prepared here once and kept.

use std::sync::{Arc, OnceLock};

use base64::Engine as _;
use serde_json::value::RawValue;

use crate::error::StartError;
use crate::jsonrpc::{ErrorObject, write_json};
use crate::protocol::call::CallToolRequest;
use crate::protocol::lifecycle::{Empty, ServerCapabilities};
use crate::protocol::{Implementation, Revision, meta, tools};
use crate::text::shortened;
use crate::tool::def::ToolDef;
use crate::tool::registry::Registry;
use crate::tool::{Surroundings, Tool};

/// A server without its connections: who it is and what it can do.
#[derive(Debug)]
pub(crate) struct Dispatch {
    pub(crate) info: Implementation,
    pub(crate) instructions: Option<String>,
    registry: Registry,
    pub(crate) surroundings: Surroundings,
    /// Whether the texts of errors are kept from the model.
    pub(crate) masks_errors: bool,
    page_size: usize,
    /// `"_meta":{…}` with the server's identity, which every result of the modern era carries.
    pub(crate) server_meta: String,
    listings: [OnceLock<Vec<Page>>; Revision::ALL.len()],
}

/// What a user sets about a server.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) page_size: usize,
    pub(crate) masks_errors: bool,
}

/// One page of `tools/list`: the members of its result.
#[derive(Debug)]
struct Page {
    /// What a client asks for the page with; the first one is asked for with nothing.
    cursor: Option<String>,
    members: Vec<u8>,
}

impl Dispatch {
    /// Puts a server together.
    ///
    /// # Errors
    /// Names everything that keeps it from working.
    pub(crate) fn new(
        info: Implementation,
        instructions: Option<String>,
        tools: Vec<ToolDef>,
        surroundings: Surroundings,
        settings: Settings,
    ) -> Result<Self, StartError> {
        let registry = Registry::new(tools, &surroundings)?;
        let mut server_meta = Vec::from(br#""_meta":{"io.modelcontextprotocol/serverInfo":"#);
        write_json(&mut server_meta, &info);
        server_meta.push(b'}');
        let server_meta = String::from_utf8(server_meta).unwrap_or_default();
        let Settings { page_size, masks_errors } = settings;
        let listings = Default::default();
        Ok(Self { info, instructions, registry, surroundings, masks_errors, page_size, server_meta, listings })
    }

    /// What is offered follows from what is registered.
    pub(crate) fn capabilities(&self) -> ServerCapabilities {
        ServerCapabilities { tools: (!self.registry.is_empty()).then_some(Empty) }
    }

    /// The members of a page of `tools/list`.
    ///
    /// # Errors
    /// `-32602` for params that are none and for a cursor that no page has.
    pub(crate) fn list_tools(&self, params: Option<&RawValue>, revision: Revision) -> Result<&[u8], ErrorObject> {
        let params: tools::ListParams =
            params.map_or_else(|| Ok(tools::ListParams::default()), |raw| meta::object(raw, "params"))?;
        self.pages(revision)
            .iter()
            .find(|page| page.cursor == params.cursor)
            .map(|page| page.members.as_slice())
            .ok_or_else(|| ErrorObject::invalid_params("the cursor is unknown; list again from the start"))
    }

    /// Finds the tool of a call.
    ///
    /// # Errors
    /// `-32602` for params that are no call and for a tool that is not there.
    pub(crate) fn call_tool<'a>(&self, params: Option<&'a RawValue>) -> Result<(Arc<Tool>, &'a str), ErrorObject> {
        let request = CallToolRequest::decode(params)?;
        let tool = self
            .registry
            .get(&request.name)
            .ok_or_else(|| ErrorObject::invalid_params(format!("unknown tool: {}", shortened(&request.name))))?;
        Ok((Arc::clone(tool), request.arguments))
    }

    fn pages(&self, revision: Revision) -> &[Page] {
        let listing = self.listings.get(revision as usize);
        listing.map_or(&[], |listing| listing.get_or_init(|| self.render_pages(revision)))
    }

    fn render_pages(&self, revision: Revision) -> Vec<Page> {
        let tools: Vec<&Tool> = self.registry.iter().collect();
        let chunks: Vec<&[&Tool]> = tools.chunks(self.page_size.max(1)).collect();
        let cursors: Vec<Option<String>> =
            chunks.iter().skip(1).map(|chunk| chunk.first().map(|tool| cursor(tool))).collect();
        let own = std::iter::once(None).chain(cursors.iter().cloned());
        let next = cursors.iter().cloned().chain(std::iter::once(None));
        chunks
            .into_iter()
            .zip(own)
            .zip(next)
            .map(|((chunk, cursor), next)| Page { cursor, members: render_page(chunk, next.as_deref(), revision) })
            .collect()
    }
}

/// An opaque cursor that survives a restart: it names the first tool of its page.
fn cursor(tool: &Tool) -> String {
    base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(tool.name())
}

fn render_page(tools: &[&Tool], next_cursor: Option<&str>, revision: Revision) -> Vec<u8> {
    let tools: Vec<_> = tools.iter().map(|tool| tool.listed(revision)).collect();
    let mut members = Vec::from(br#""tools":"#);
    write_json(&mut members, &tools);
    if let Some(next_cursor) = next_cursor {
        members.extend_from_slice(br#","nextCursor":"#);
        write_json(&mut members, next_cursor);
    }
    members
}
