//! From a method to what answers it. What is sent for a revision is prepared here once and kept.

use std::sync::OnceLock;

use base64::Engine as _;
use serde_json::value::RawValue;

use crate::context::CallOrigin;
use crate::jsonrpc::{ErrorObject, write_json};
use crate::protocol::call::{CallToolRequest, ResultShape};
use crate::protocol::lifecycle::{Empty, ServerCapabilities};
use crate::protocol::{Implementation, Revision, meta, tools};
use crate::result::Outcome;
use crate::tool::registry::Registry;
use crate::tool::{Prepared, Tool};

/// A server without its connections: who it is and what it can do.
#[derive(Debug)]
pub(crate) struct Dispatch {
    pub(crate) info: Implementation,
    pub(crate) instructions: Option<String>,
    registry: Registry,
    page_size: usize,
    /// `"_meta":{…}` with the server's identity, which every result of the modern era carries.
    pub(crate) server_meta: String,
    listings: [OnceLock<Vec<Page>>; Revision::ALL.len()],
}

/// One page of `tools/list`: the members of its result.
#[derive(Debug)]
struct Page {
    /// What a client asks for the page with; the first one is asked for with nothing.
    cursor: Option<String>,
    members: Vec<u8>,
}

/// A tool that is ready to run, or the reason why it does not run.
#[derive(Debug)]
pub(crate) enum Called {
    Ready {
        prepared: Prepared,
        shape: ResultShape,
        is_sync: bool,
    },
    /// The arguments do not fit: a result like any other, for the model to read.
    Refused {
        outcome: Outcome,
        shape: ResultShape,
    },
}

impl Dispatch {
    pub(crate) fn new(
        info: Implementation,
        instructions: Option<String>,
        registry: Registry,
        page_size: usize,
    ) -> Self {
        let mut server_meta = Vec::from(br#""_meta":{"io.modelcontextprotocol/serverInfo":"#);
        write_json(&mut server_meta, &info);
        server_meta.push(b'}');
        let server_meta = String::from_utf8(server_meta).unwrap_or_default();
        Self { info, instructions, registry, page_size, server_meta, listings: Default::default() }
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

    /// Takes a call to where its tool is ready to run.
    ///
    /// # Errors
    /// `-32602` for params that are no call and for a tool that is not there.
    pub(crate) fn call_tool(&self, params: Option<&RawValue>, origin: &CallOrigin) -> Result<Called, ErrorObject> {
        let request = CallToolRequest::decode(params)?;
        let tool = self
            .registry
            .get(&request.name)
            .ok_or_else(|| ErrorObject::invalid_params(format!("unknown tool: {}", request.name)))?;
        let shape = tool.output_schema().shape;
        Ok(match tool.prepare(request.arguments, origin) {
            Ok(prepared) => Called::Ready { prepared, shape, is_sync: tool.is_sync() },
            Err(outcome) => Called::Refused { outcome, shape },
        })
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
