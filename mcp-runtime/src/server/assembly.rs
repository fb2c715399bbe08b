//! From what a server was given to what serves: everything registered and checked.

use std::sync::Arc;

use super::Server;
#[cfg(feature = "ask")]
use crate::ask::Asks;
use crate::dispatch::Dispatch;
use crate::error::StartError;
use crate::handle::Assembled;
use crate::handler::Surroundings;
use crate::middleware::Stack;
use crate::registry::Registry;
use crate::state::States;
use crate::tool;

impl Server {
    /// Makes the states and puts the server together.
    ///
    /// # Errors
    /// Names everything that keeps it from working.
    pub(crate) async fn assemble(mut self) -> Result<Assembled, StartError> {
        let (mut states, mut problems) = (States::default(), Vec::new());
        #[cfg(feature = "http")]
        problems.extend(self.http.problems());
        for state in std::mem::take(&mut self.states) {
            problems.extend(states.add(state));
        }
        let mut has_failed = false;
        for make in std::mem::take(&mut self.state_makers) {
            match make().await {
                Ok(state) => problems.extend(states.add(state)),
                Err(problem) => {
                    problems.push(problem);
                    has_failed = true;
                }
            }
        }
        if has_failed {
            // All that needs the state would lack it.
            return Err(StartError { problems });
        }
        self.assemble_with(states, problems)
    }

    /// The same with the states. It awaits nothing, so that it is no part of every future that starts a server.
    fn assemble_with(self, states: States, mut problems: Vec<String>) -> Result<Assembled, StartError> {
        let (strict_arguments, open_arguments) = (self.strict_arguments, self.open_arguments);
        let surroundings = Arc::new(Surroundings { states, strict_arguments, open_arguments });
        let size = self.page_size;
        let tools = Registry::new(&tool::WORDS, self.tools, self.replacements, &surroundings, size);
        let tools = tools.map_err(|error| problems.extend(error.problems)).ok();
        if let Some(others) = self.sets.others {
            problems.extend((others.start)(&self.sets, self.prompts, self.resources, &surroundings, size));
        }
        let Some(tools) = tools.filter(|_| problems.is_empty()) else {
            return Err(StartError { problems });
        };
        for doubt in tool::names::doubts(&tools.keys().collect::<Vec<_>>()) {
            tracing::warn!("{doubt}");
        }
        self.sets.tools.start(tools, Arc::clone(&surroundings));
        #[cfg(feature = "ask")]
        let asks = Asks::new(self.asks).map_err(|error| StartError { problems: vec![error.to_string()] })?;
        let dispatch = Dispatch {
            server_meta_member: Dispatch::server_meta_member(&self.info),
            capabilities: self.sets.capabilities(self.logs_to_clients),
            info: self.info,
            instructions: self.instructions,
            sets: self.sets,
            surroundings,
            middleware: Stack::new(self.middleware.into_iter().map(|make| make()).collect()),
            masks_errors: self.masks_errors,
            list_cache: self.list_cache,
            #[cfg(feature = "ask")]
            asks,
        };
        Ok(Assembled { dispatch: Arc::new(dispatch), limits: self.limits, shutdown_hooks: self.shutdown_hooks })
    }
}
