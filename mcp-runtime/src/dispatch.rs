//! From a method to what answers it.

use std::sync::Arc;

use serde_json::value::RawValue;

use crate::jsonrpc::{ErrorObject, write_json};
use crate::middleware::Stack;
use crate::protocol::call::CallToolRequest;
use crate::protocol::lifecycle::{ServerCapabilities, ToolsCapability};
use crate::protocol::meta::{self, RequestParams};
use crate::protocol::{Implementation, Revision, tools};
use crate::text::shortened;
use crate::tool::set::Tools;
use crate::tool::{Registered, Surroundings};

/// A server without its connections: who it is and what it can do.
#[derive(Debug)]
pub(crate) struct Dispatch {
    pub(crate) info: Implementation,
    pub(crate) instructions: Option<String>,
    pub(crate) tools: Tools,
    pub(crate) surroundings: Arc<Surroundings>,
    /// What stands around every call, if anything does.
    pub(crate) middleware: Option<Stack>,
    /// Whether the texts of errors are kept from the model.
    pub(crate) masks_errors: bool,
    /// The member of `_meta` with the server's identity, which every result of the modern era carries.
    pub(crate) server_meta_member: String,
}

impl Dispatch {
    /// Puts a server together from tools that are registered.
    pub(crate) fn new(
        info: Implementation,
        instructions: Option<String>,
        tools: Tools,
        surroundings: Arc<Surroundings>,
        middleware: Option<Stack>,
        masks_errors: bool,
    ) -> Self {
        let mut server_meta_member = Vec::from(br#""io.modelcontextprotocol/serverInfo":"#);
        write_json(&mut server_meta_member, &info);
        let server_meta_member = String::from_utf8(server_meta_member).unwrap_or_default();
        Self { info, instructions, tools, surroundings, middleware, masks_errors, server_meta_member }
    }

    /// What is offered follows from what is registered, and from what may be.
    pub(crate) fn capabilities(&self) -> ServerCapabilities {
        let list_changed = self.tools.can_change();
        let has_tools = list_changed || self.tools.read().is_some_and(|tools| !tools.is_empty());
        ServerCapabilities { tools: has_tools.then_some(ToolsCapability { list_changed }) }
    }

    /// Appends the members of a page of `tools/list`.
    ///
    /// # Errors
    /// `-32602` for params that are none and for a cursor that no page has.
    pub(crate) fn list_tools(
        &self,
        params: Option<&RawValue>,
        revision: Revision,
        out: &mut Vec<u8>,
    ) -> Result<(), ErrorObject> {
        let params: tools::ListParams =
            params.map_or_else(|| Ok(tools::ListParams::default()), |raw| meta::object(raw, "params"))?;
        let tools = self.tools.read();
        let page = tools.as_ref().and_then(|tools| tools.page(params.cursor.as_deref(), revision));
        let page =
            page.ok_or_else(|| ErrorObject::invalid_params("the cursor is unknown; list again from the start"))?;
        out.extend_from_slice(page);
        Ok(())
    }

    /// Finds the tool of a call.
    ///
    /// # Errors
    /// `-32602` for params that are no call and for a tool that is not there.
    pub(crate) fn call_tool<'a>(&self, params: &RequestParams<'a>) -> Result<(Arc<Registered>, &'a str), ErrorObject> {
        let request = CallToolRequest::decode(params)?;
        let tools = self.tools.read();
        let tool = tools.as_ref().and_then(|tools| tools.get(&request.name));
        let tool =
            tool.ok_or_else(|| ErrorObject::invalid_params(format!("unknown tool: {}", shortened(&request.name))))?;
        Ok((Arc::clone(tool), request.arguments))
    }
}
