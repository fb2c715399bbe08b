//! A tool: the companion that `#[tool]` leaves behind, and the registered tool that the runtime calls.

pub(crate) mod arguments;
pub(crate) mod param;
pub(crate) mod registry;

use std::future::Future;
use std::pin::Pin;
use std::sync::OnceLock;

use serde_json::value::RawValue;

use self::arguments::Call;
use self::param::Params;
use crate::__private::Output;
use crate::context::{CallOrigin, CallState};
use crate::protocol::Revision;
use crate::protocol::ToolAnnotations;
use crate::protocol::tools;
use crate::result::Outcome;
use crate::schema::{self, OutputSchema};

/// The running body of a tool.
pub(crate) type ToolFuture = Pin<Box<dyn Future<Output = Outcome> + Send>>;

/// A tool as the macro describes it: constant data and three functions. `#[tool]` makes one for each function, and
/// `tools![…]` lists them.
#[derive(Debug, Clone, Copy)]
pub struct ToolDef {
    name: &'static str,
    title: Option<&'static str>,
    description: Option<&'static str>,
    annotations: ToolAnnotations,
    is_sync: bool,
    params: fn(&mut Params),
    output: fn(&mut Output),
    call: fn(&mut Call<'_>) -> Started,
}

#[doc(hidden)]
impl ToolDef {
    /// A tool by its name and what it can do.
    #[must_use]
    pub const fn new(
        name: &'static str,
        params: fn(&mut Params),
        output: fn(&mut Output),
        call: fn(&mut Call<'_>) -> Started,
    ) -> Self {
        let annotations = ToolAnnotations::NONE;
        Self { name, title: None, description: None, annotations, is_sync: false, params, output, call }
    }

    /// Stands for a tool whose function has a mistake, so that the mistake is the only error. It never runs.
    #[must_use]
    pub const fn invalid(name: &'static str) -> Self {
        Self::new(name, |_| (), |_| (), |_| Started::refused())
    }

    /// The name on the wire.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The name for people.
    #[must_use]
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// What the model reads.
    #[must_use]
    pub const fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// `readOnlyHint`.
    #[must_use]
    pub const fn read_only(mut self, hint: bool) -> Self {
        self.annotations.read_only_hint = Some(hint);
        self
    }

    /// `destructiveHint`.
    #[must_use]
    pub const fn destructive(mut self, hint: bool) -> Self {
        self.annotations.destructive_hint = Some(hint);
        self
    }

    /// `idempotentHint`.
    #[must_use]
    pub const fn idempotent(mut self, hint: bool) -> Self {
        self.annotations.idempotent_hint = Some(hint);
        self
    }

    /// `openWorldHint`.
    #[must_use]
    pub const fn open_world(mut self, hint: bool) -> Self {
        self.annotations.open_world_hint = Some(hint);
        self
    }

    /// The function is not `async`.
    #[must_use]
    pub const fn sync(mut self) -> Self {
        self.is_sync = true;
        self
    }
}

/// What became of a call whose arguments were taken.
#[doc(hidden)]
pub struct Started(Option<ToolFuture>);

impl std::fmt::Debug for Started {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Started").field(&self.0.is_some()).finish()
    }
}

#[doc(hidden)]
impl Started {
    /// The arguments do not fit; the call knows why.
    #[must_use]
    pub const fn refused() -> Self {
        Self(None)
    }

    /// The body is ready to run.
    pub fn future(future: impl Future<Output = Outcome> + Send + 'static) -> Self {
        Self(Some(Box::pin(future)))
    }
}

/// A registered tool.
#[derive(Debug)]
pub(crate) struct Tool {
    def: ToolDef,
    params: Params,
    // Made when first needed: a server that is called before it is listed need not wait for its schemas.
    input_schema: OnceLock<Box<RawValue>>,
    output_schema: OnceLock<OutputSchema>,
}

/// A call that is ready to run: its body, and its state if the body asked for its context.
pub(crate) struct Prepared {
    pub(crate) future: ToolFuture,
    pub(crate) state: Option<std::sync::Arc<CallState>>,
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared").field("state", &self.state).finish_non_exhaustive()
    }
}

impl Tool {
    pub(crate) fn new(def: ToolDef) -> Self {
        let mut params = Params::default();
        (def.params)(&mut params);
        Self { def, params, input_schema: OnceLock::new(), output_schema: OnceLock::new() }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.def.name
    }

    /// Whether the body computes without ever awaiting.
    pub(crate) fn is_sync(&self) -> bool {
        self.def.is_sync
    }

    pub(crate) fn output_schema(&self) -> &OutputSchema {
        self.output_schema.get_or_init(|| {
            let mut output = Output::default();
            (self.def.output)(&mut output);
            output.kind.map_or_else(OutputSchema::none, crate::result::OutputKind::schema)
        })
    }

    fn input_schema(&self) -> &RawValue {
        self.input_schema.get_or_init(|| schema::input_schema(self.params.properties()))
    }

    /// The entry of the tool in `tools/list`.
    pub(crate) fn listed(&self, revision: Revision) -> tools::Tool<'_> {
        let tool = tools::Tool {
            name: self.def.name,
            title: self.def.title,
            description: self.def.description,
            input_schema: self.input_schema(),
            output_schema: self.output_schema().project(revision),
            annotations: Some(self.def.annotations),
        };
        tool.project(revision)
    }

    /// Takes the arguments and makes the body ready to run.
    ///
    /// # Errors
    /// The failure that tells the model everything that is wrong with its arguments.
    pub(crate) fn prepare(&self, arguments: &str, origin: &CallOrigin) -> Result<Prepared, Outcome> {
        let mut call = Call::new(self.def.name, &self.params, arguments, origin);
        let started = (self.def.call)(&mut call);
        let (problems, state) = call.finish();
        match started.0 {
            Some(future) if problems.is_empty() => Ok(Prepared { future, state }),
            _ => Err(Outcome::Failure(arguments::explain(self.def.name, &problems))),
        }
    }
}
