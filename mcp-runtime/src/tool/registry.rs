//! The tools of a server, by name and in order.

use std::collections::HashMap;
use std::sync::Arc;

use super::def::ToolDef;
use super::{Surroundings, Tool};
use crate::error::StartError;

/// A set of tools. The order of registration is the order of the list.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    tools: Vec<Arc<Tool>>,
    by_name: HashMap<&'static str, usize>,
}

impl Registry {
    /// Registers the tools.
    ///
    /// # Errors
    /// Names every tool whose name is taken or is none, and everything else that keeps a tool from working.
    pub(crate) fn new(
        defs: impl IntoIterator<Item = ToolDef>,
        surroundings: &Surroundings,
    ) -> Result<Self, StartError> {
        let mut registry = Self::default();
        let mut problems = Vec::new();
        for def in defs {
            let name = def.name();
            if !is_tool_name(name) {
                problems.push(format!("`{name}` is no tool name: use 1 to 128 of A-Z, a-z, 0-9, `_`, `-` and `.`"));
            }
            if registry.by_name.insert(name, registry.tools.len()).is_some() {
                problems.push(format!("two tools have the name `{name}`"));
            }
            let tool = Tool::new(def, surroundings.open_arguments);
            problems.extend(tool.problems(&surroundings.states));
            registry.tools.push(Arc::new(tool));
        }
        if problems.is_empty() { Ok(registry) } else { Err(StartError { problems }) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Tool>> {
        self.tools.get(*self.by_name.get(name)?)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter().map(Arc::as_ref)
    }
}

/// 2026-07-28, `server/tools`, "Tool Names".
fn is_tool_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
}
