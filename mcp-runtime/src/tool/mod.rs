//! A tool: the companion that `#[tool]` leaves behind, the value that can be registered, and the registered tool that the
//! runtime calls.

pub(crate) mod builder;
pub(crate) mod def;
pub(crate) mod headers;
pub(crate) mod names;
pub(crate) mod set;
pub(crate) mod value;

use std::panic::Location;
use std::sync::{Arc, OnceLock};

use self::headers::Headers;
#[cfg(feature = "http")]
use self::headers::Mirrored;
use self::value::{Output, Tool};
use crate::call_state::CallState;
use crate::handler::arguments::Taking;
use crate::handler::{HandlerFuture, Pace, Surroundings};
use crate::jsonrpc::write_json;
use crate::protocol::{Revision, ToolAnnotations, tools};
use crate::registry::{Listed, Registrable, Words};
use crate::result::{Outcome, OutputEntry, OutputKind};
use crate::schema::OutputSchema;

/// How tools are spoken of.
pub(crate) const WORDS: Words = Words { noun: "tool", key: "name", member: "tools", adding: "Server::tools" };

/// A registered tool.
#[derive(Debug)]
pub(crate) struct Registered {
    tool: Tool,
    open_arguments: bool,
    /// Made when first needed, as the input schema is.
    output_schema: OnceLock<OutputSchema>,
    #[cfg(feature = "http")]
    headers: OnceLock<Headers>,
}

impl Registered {
    pub(crate) fn name(&self) -> &str {
        &self.tool.about.name
    }

    /// What the tool says about what it does.
    pub(crate) fn annotations(&self) -> ToolAnnotations {
        self.tool.annotations
    }

    /// Where the body may run.
    pub(crate) fn pace(&self) -> Pace {
        self.tool.handler.pace
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

    /// The arguments that clients mirror in headers.
    #[cfg(feature = "http")]
    pub(crate) fn mirrored(&self) -> &[Mirrored] {
        let schema = || self.tool.handler.schema(self.open_arguments).text.get();
        &self.headers.get_or_init(|| Headers::of(schema())).mirrored
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
    ) -> Result<HandlerFuture, Outcome> {
        let what = || format!("the arguments of `{}`", self.name());
        let taking = Taking { unquote: !surroundings.strict_arguments, open: self.open_arguments };
        self.tool.handler.prepare(WORDS.noun, &what, arguments, taking, state, surroundings)
    }
}

impl Registrable for Registered {
    type Source = Tool;

    fn source_key(tool: &Tool) -> &str {
        tool.name()
    }

    fn register(tool: Tool, surroundings: &Surroundings) -> Self {
        Self {
            tool,
            open_arguments: surroundings.open_arguments,
            output_schema: OnceLock::new(),
            #[cfg(feature = "http")]
            headers: OnceLock::new(),
        }
    }
}

impl Listed for Registered {
    fn key(&self) -> &str {
        self.name()
    }

    fn origin(&self) -> &'static Location<'static> {
        self.tool.about.origin
    }

    fn starts_enabled(&self) -> bool {
        self.tool.is_enabled
    }

    fn problems(&self, surroundings: &Surroundings) -> Vec<String> {
        let of_headers = |schema: &crate::schema::InputSchema| Headers::of(schema.text.get()).problems;
        let problems = self.tool.handler.problems(&surroundings.states, self.open_arguments, &of_headers);
        let problems = problems.into_iter().map(|problem| format!("tool `{}`: {problem}", self.name()));
        names::problem(self.name()).into_iter().chain(problems).collect()
    }

    fn write_listed(&self, revision: Revision, out: &mut Vec<u8>) {
        let about = &self.tool.about;
        let tool = tools::Tool {
            name: &about.name,
            title: about.title.as_deref(),
            description: about.description.as_deref(),
            input_schema: &self.tool.handler.schema(self.open_arguments).text,
            output_schema: self.output_schema().project(revision),
            annotations: Some(self.tool.annotations),
            icons: &about.icons,
            meta: about.meta.as_ref(),
        };
        write_json(out, &tool.project(revision));
    }
}
