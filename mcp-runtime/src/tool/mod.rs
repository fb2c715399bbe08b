//! A tool: the companion that `#[tool]` leaves behind, the value that can be registered, and the registered tool that the
//! runtime calls.

pub(crate) mod arguments;
pub(crate) mod bounds;
pub(crate) mod builder;
pub(crate) mod def;
pub(crate) mod headers;
pub(crate) mod listed;
mod names;
pub(crate) mod param;
pub(crate) mod registry;
pub(crate) mod set;
pub(crate) mod value;

use std::any::TypeId;
use std::collections::HashSet;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use self::arguments::Call;
use self::headers::Headers;
#[cfg(feature = "http")]
use self::headers::Mirrored;
use self::set::ToolSet;
use self::value::{Output, Tool};
use crate::context::CallState;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{Revision, ToolAnnotations, tools};
use crate::result::{Outcome, OutputEntry, OutputKind};
use crate::schema::check::Manner;
use crate::schema::{InputSchema, OutputSchema};
use crate::state::States;

/// The running body of a tool.
pub(crate) type ToolFuture = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// What the server provides to its tools, and how it wants their arguments taken.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    pub(crate) states: States,
    /// Whether a quoted value is refused even where the type is clear.
    pub(crate) strict_arguments: bool,
    /// Whether arguments that no tool names are ignored.
    pub(crate) open_arguments: bool,
}

/// A registered tool.
#[derive(Debug)]
pub(crate) struct Registered {
    tool: Tool,
    open_arguments: bool,
    // Made when first needed: a server need not wait for the schemas of tools that nobody has asked about.
    input_schema: OnceLock<InputSchema>,
    output_schema: OnceLock<OutputSchema>,
    #[cfg(feature = "http")]
    headers: OnceLock<Headers>,
}

impl Registered {
    pub(crate) fn new(tool: Tool, open_arguments: bool) -> Self {
        Self {
            tool,
            open_arguments,
            input_schema: OnceLock::new(),
            output_schema: OnceLock::new(),
            #[cfg(feature = "http")]
            headers: OnceLock::new(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.tool.name
    }

    /// Where the tool was made.
    pub(crate) fn origin(&self) -> &'static Location<'static> {
        self.tool.origin
    }

    /// What the tool says about what it does.
    pub(crate) fn annotations(&self) -> ToolAnnotations {
        self.tool.annotations
    }

    /// Whether it is there for clients when it is registered.
    pub(crate) fn starts_enabled(&self) -> bool {
        self.tool.is_enabled
    }

    /// Where the body may run.
    pub(crate) fn pace(&self) -> Pace {
        self.tool.pace
    }

    pub(crate) fn output_schema(&self) -> &OutputSchema {
        self.output_schema.get_or_init(|| match &self.tool.output {
            Output::Derived(describe) => {
                let mut output = OutputEntry::default();
                describe(&mut output);
                output.kind.map_or_else(OutputSchema::none, OutputKind::schema)
            }
            Output::Supplied(schema) => OutputSchema::supplied(schema),
        })
    }

    fn make_input_schema(&self) -> Result<InputSchema, String> {
        match &self.tool.input {
            Some(schema) => InputSchema::supplied(schema),
            None if self.tool.is_built() => self.tool.params.schema(self.open_arguments).map_err(|_| {
                "its arguments are of a type whose schema is no object: give it one with `.input_schema(…)`".to_owned()
            }),
            None => self.tool.params.schema(self.open_arguments),
        }
    }

    fn input_schema(&self) -> &InputSchema {
        // What is wrong has kept the tool from being registered, so the fallback is never published.
        self.input_schema.get_or_init(|| {
            self.make_input_schema().unwrap_or_else(|_| InputSchema::of_properties(std::iter::empty(), true))
        })
    }

    /// The arguments that clients mirror in headers.
    #[cfg(feature = "http")]
    pub(crate) fn mirrored(&self) -> &[Mirrored] {
        &self.headers.get_or_init(|| Headers::of(self.input_schema().text.get())).mirrored
    }

    /// The entry of the tool in `tools/list`.
    pub(crate) fn listed(&self, revision: Revision) -> tools::Tool<'_> {
        let tool = tools::Tool {
            name: &self.tool.name,
            title: self.tool.title.as_deref(),
            description: self.tool.description.as_deref(),
            input_schema: &self.input_schema().text,
            output_schema: self.output_schema().project(revision),
            annotations: Some(self.tool.annotations),
            icons: &self.tool.icons,
            meta: self.tool.meta.as_ref(),
        };
        tool.project(revision)
    }

    /// Everything that can be found wrong before the tool is called.
    pub(crate) fn problems(&self, states: &States) -> Vec<String> {
        let mut problems = Vec::new();
        for (id, type_name) in self.tool.params.states() {
            if id == TypeId::of::<ToolSet>() && !states.has(id) {
                problems
                    .push("needs the `ToolSet`: `let set = server.tool_set();`, then `server.state(set)`".to_owned());
            } else if !states.has(id) {
                problems
                    .push(format!("needs a state of the type `{type_name}`: give it to the server with `.state(…)`"));
            }
        }
        let mut names = HashSet::new();
        for name in self.tool.params.argument_names().filter(|name| !names.insert(*name)) {
            problems.push(format!("two arguments have the name `{name}`"));
        }
        if self.tool.input.is_some() || self.tool.params.need_check() {
            match self.make_input_schema() {
                Ok(schema) => self.schema_problems(&schema, &mut problems),
                Err(problem) => problems.push(problem),
            }
        }
        problems.into_iter().map(|problem| format!("tool `{}`: {problem}", self.tool.name)).collect()
    }

    fn schema_problems(&self, schema: &InputSchema, problems: &mut Vec<String>) {
        problems.extend(schema.problems.iter().cloned());
        problems.extend(Headers::of(schema.text.get()).problems);
        for (index, param) in self.tool.params.arguments() {
            if let Some(default) = param.shown_default() {
                let found = schema.check(index, param.name(), &default.to_string(), Manner::STRICT);
                problems.extend(found.problems.into_iter().map(|problem| format!("the default of {problem}")));
            }
        }
    }

    /// Takes the arguments and makes the body ready to run.
    ///
    /// # Errors
    /// The failure that tells the model everything that is wrong with its arguments.
    pub(crate) fn prepare(
        &self,
        arguments: &str,
        state: &Arc<CallState>,
        surroundings: &Surroundings,
    ) -> Result<ToolFuture, Outcome> {
        let mut call = Call::new(&self.tool.params, self.input_schema(), arguments, state, surroundings);
        let started = self.tool.body.start(&mut call);
        if let Some(type_name) = call.missing_extension() {
            tracing::error!(
                tool = self.name(),
                "the request has no extension of the type `{type_name}`: a layer in front of the server has to put it there"
            );
            let what = "the server has not told the tool what it needs to know about the request";
            return Err(Outcome::Error(ErrorObject::new(ErrorObject::INTERNAL_ERROR, what)));
        }
        let (problems, untold) = call.into_problems();
        match started.into_future() {
            Some(future) if problems.is_empty() => Ok(match self.tool.timeout {
                Some(timeout) => Box::pin(limited(future, timeout)),
                None => future,
            }),
            _ => Err(Outcome::Failure(arguments::explain(&self.tool.name, &problems, untold))),
        }
    }
}

/// Where the body of a tool may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// It awaits what takes long.
    Async,
    /// It computes without ever awaiting.
    Sync,
    /// It says of itself that it blocks.
    Blocking,
}

/// Ends a body that takes too long at one of its awaits.
async fn limited(future: ToolFuture, timeout: Duration) -> Outcome {
    tokio::time::timeout(timeout, future).await.unwrap_or_else(|_| {
        Outcome::Failure(format!("the tool did not end within {} s and was stopped", timeout.as_secs_f64()))
    })
}
