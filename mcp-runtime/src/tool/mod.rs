//! A tool: the companion that `#[tool]` leaves behind, and the registered tool that the runtime calls.

pub(crate) mod arguments;
pub(crate) mod bounds;
pub(crate) mod def;
pub(crate) mod listed;
mod names;
pub(crate) mod param;
pub(crate) mod registry;

use std::collections::HashSet;
use std::future::Future;
use std::panic::Location;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use self::arguments::Call;
use self::def::ToolDef;
use self::param::Params;
use crate::context::CallState;
use crate::protocol::{Revision, tools};
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
pub(crate) struct Tool {
    def: ToolDef,
    params: Params,
    open_arguments: bool,
    // Made when first needed: a server need not wait for the schemas of tools that nobody has asked about.
    input_schema: OnceLock<InputSchema>,
    output_schema: OnceLock<OutputSchema>,
}

impl Tool {
    pub(crate) fn new(def: ToolDef, open_arguments: bool) -> Self {
        let mut params = Params::default();
        (def.params)(&mut params);
        Self { def, params, open_arguments, input_schema: OnceLock::new(), output_schema: OnceLock::new() }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.def.name
    }

    /// Where the tool was made.
    pub(crate) fn origin(&self) -> &'static Location<'static> {
        self.def.origin
    }

    /// Where the body may run.
    pub(crate) fn pace(&self) -> Pace {
        match (self.def.is_blocking, self.def.is_sync) {
            (true, _) => Pace::Blocking,
            (false, true) => Pace::Sync,
            (false, false) => Pace::Async,
        }
    }

    pub(crate) fn output_schema(&self) -> &OutputSchema {
        self.output_schema.get_or_init(|| {
            let mut output = OutputEntry::default();
            (self.def.output)(&mut output);
            output.kind.map_or_else(OutputSchema::none, OutputKind::schema)
        })
    }

    fn input_schema(&self) -> &InputSchema {
        let schema = || self.params.schema(self.open_arguments);
        // What is wrong has kept the server from starting, so the fallback is never published.
        self.input_schema
            .get_or_init(|| schema().unwrap_or_else(|_| InputSchema::of_properties(std::iter::empty(), true)))
    }

    /// The entry of the tool in `tools/list`.
    pub(crate) fn listed(&self, revision: Revision) -> tools::Tool<'_> {
        let tool = tools::Tool {
            name: self.def.name,
            title: self.def.title,
            description: self.def.description,
            input_schema: &self.input_schema().text,
            output_schema: self.output_schema().project(revision),
            annotations: Some(self.def.annotations),
            icons: self.def.listed_icons(),
            meta: self.def.listed_meta(),
        };
        tool.project(revision)
    }

    /// Everything that can be found wrong before the tool is called.
    pub(crate) fn problems(&self, states: &States) -> Vec<String> {
        let mut problems = Vec::new();
        for (id, type_name) in self.params.states() {
            if !states.has(id) {
                problems
                    .push(format!("needs a state of the type `{type_name}`: give it to the server with `.state(…)`"));
            }
        }
        let mut names = HashSet::new();
        for name in self.params.argument_names().filter(|name| !names.insert(*name)) {
            problems.push(format!("two arguments have the name `{name}`"));
        }
        if self.params.need_check() {
            match self.params.schema(self.open_arguments) {
                Ok(schema) => self.schema_problems(&schema, &mut problems),
                Err(problem) => problems.push(problem),
            }
        }
        problems.into_iter().map(|problem| format!("tool `{}`: {problem}", self.def.name)).collect()
    }

    fn schema_problems(&self, schema: &InputSchema, problems: &mut Vec<String>) {
        problems.extend(schema.problems.iter().cloned());
        let mut headers: Vec<String> = Vec::new();
        for (index, param) in self.params.arguments() {
            if let Some(default) = param.shown_default() {
                let found = schema.check(index, param.name(), &default.to_string(), Manner::STRICT);
                problems.extend(found.problems.into_iter().map(|problem| format!("the default of {problem}")));
            }
            if let Some(header) = param.header() {
                let ty =
                    schema.argument(index).and_then(|schema| schema.get("type")).and_then(serde_json::Value::as_str);
                problems.extend(header_problem(param.name(), header, ty));
                let header = header.to_ascii_lowercase();
                if headers.contains(&header) {
                    problems.push(format!("`{}`: another argument has the header `{header}`", param.name()));
                }
                headers.push(header);
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
        let mut call = Call::new(&self.params, self.input_schema(), arguments, state, surroundings);
        let started = (self.def.call)(&mut call);
        let (problems, untold) = call.into_problems();
        match started.into_future() {
            Some(future) if problems.is_empty() => Ok(match self.def.timeout {
                Some(timeout) => Box::pin(limited(future, timeout)),
                None => future,
            }),
            _ => Err(Outcome::Failure(arguments::explain(self.def.name, &problems, untold))),
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

/// What is wrong with the header of an argument.
///
/// 2026-07-28, `server/tools`, "x-mcp-header".
fn header_problem(name: &str, header: &str, ty: Option<&str>) -> Option<String> {
    let is_token_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if header.is_empty() || !header.bytes().all(is_token_byte) {
        return Some(format!("`{name}`: `{header}` is no header name: use letters, digits and `-`"));
    }
    match ty {
        Some("string" | "integer" | "boolean") => None,
        _ => Some(format!("`{name}`: only a string, an integer or a boolean can be mirrored in a header")),
    }
}
