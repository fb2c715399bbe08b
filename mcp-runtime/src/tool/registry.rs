//! The tools of a server, by name and in order.

use std::collections::HashMap;
use std::sync::Arc;

use super::def::ToolDef;
use super::{Surroundings, Tool, names};
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
        let tools: Vec<_> = defs.into_iter().map(|def| Arc::new(Tool::new(def, surroundings.open_arguments))).collect();
        let mut problems: Vec<String> = tools.iter().filter_map(|tool| names::problem(tool.name())).collect();
        problems.extend(names::clashes(tools.iter().map(|tool| (tool.name(), tool.origin()))));
        problems.extend(tools.iter().flat_map(|tool| tool.problems(&surroundings.states)));
        if !problems.is_empty() {
            return Err(StartError { problems });
        }
        for doubt in names::doubts(tools.iter().map(|tool| tool.name())) {
            tracing::warn!("{doubt}");
        }
        let by_name = tools.iter().enumerate().map(|(index, tool)| (tool.name(), index)).collect();
        Ok(Self { tools, by_name })
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
