//! A prompt: the companion that `#[prompt]` leaves behind, the value that can be registered, and the registered prompt that
//! the runtime calls.

pub(crate) mod builder;
pub(crate) mod def;
pub(crate) mod output;
pub(crate) mod set;
pub(crate) mod value;

use std::panic::Location;
use std::sync::Arc;

use serde_json::Value;

use self::value::Prompt;
use crate::call_state::CallState;
use crate::handler::arguments::{Taking, explain};
use crate::handler::completer::AnyCompleter;
use crate::handler::{HandlerFuture, Pace, Surroundings};
use crate::json;
use crate::json::View;
use crate::jsonrpc::write_json;
use crate::protocol::{PromptArgument, Revision, prompts};
use crate::registry::{Listed, Registrable, Words};
use crate::result::Outcome;
use crate::text::shortened;

/// How prompts are spoken of.
pub(crate) const WORDS: Words = Words { noun: "prompt", key: "name", member: "prompts", adding: "Server::prompts" };

/// A registered prompt.
#[derive(Debug)]
pub(crate) struct Registered {
    prompt: Prompt,
    open_arguments: bool,
}

impl Registered {
    pub(crate) fn name(&self) -> &str {
        &self.prompt.about.name
    }

    /// What the prompt is for.
    pub(crate) fn description(&self) -> Option<&str> {
        self.prompt.about.description.as_deref()
    }

    /// Where the body may run.
    pub(crate) fn pace(&self) -> Pace {
        self.prompt.handler.pace
    }

    /// Whether the prompt has an argument.
    pub(crate) fn has_argument(&self, name: &str) -> bool {
        self.arguments().iter().any(|argument| argument.name == name)
    }

    /// What completes an argument, if anything does.
    pub(crate) fn completer(&self, argument: &str) -> Option<Arc<AnyCompleter>> {
        self.prompt.completers.find(&self.prompt.handler.params, argument)
    }

    /// Whether anything completes any argument: a completer, or the values of its type.
    pub(crate) fn completes(&self) -> bool {
        let has_values = |argument: &PromptArgument| !self.allowed_values(&argument.name).is_empty();
        self.prompt.completers.any(&self.prompt.handler.params) || self.arguments().iter().any(has_values)
    }

    /// The values that the type of an argument allows, if they are few and known.
    pub(crate) fn allowed_values(&self, argument: &str) -> Vec<String> {
        self.prompt.handler.schema(self.open_arguments).allowed_values(argument)
    }

    /// Takes the arguments and makes the body ready to run.
    ///
    /// # Errors
    /// What is wrong with the arguments.
    pub(crate) fn prepare(
        &self,
        arguments: &str,
        state: &Arc<CallState>,
        surroundings: &Surroundings,
    ) -> Result<HandlerFuture, Outcome> {
        let what = || format!("the arguments of `{}`", self.name());
        let missing = self.missing(arguments);
        if !missing.is_empty() {
            return Err(Outcome::Failure(explain(&what(), &missing, 0)));
        }
        // All are strings on the wire.
        let taking = Taking { unquote: true, open: self.open_arguments };
        self.prompt.handler.prepare(WORDS.noun, &what, arguments, taking, state, surroundings)
    }

    /// What is wrong where arguments that were said to be required by hand are not there.
    fn missing(&self, arguments: &str) -> Vec<String> {
        let required = self.prompt.arguments.iter().flatten().filter(|argument| argument.required);
        let Some(View::Object(members)) = View::of(arguments) else { return Vec::new() };
        let missing = required.filter(|argument| !members.iter().any(|(name, _)| *name == argument.name));
        missing.map(|argument| format!("`{}` is required and missing", argument.name)).collect()
    }

    /// The arguments as they are listed.
    fn arguments(&self) -> Vec<PromptArgument> {
        if let Some(arguments) = &self.prompt.arguments {
            return arguments.clone();
        }
        let schema: Value = json::tree(self.prompt.handler.schema(self.open_arguments).text.get()).unwrap_or_default();
        let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let text = |property: &Value, keyword: &str| property.get(keyword).and_then(Value::as_str).map(str::to_owned);
        let listed = properties.map(|(name, property)| PromptArgument {
            title: text(property, "title"),
            description: text(property, "description"),
            required: required.iter().any(|required| required == name),
            ..PromptArgument::new(name)
        });
        listed.collect()
    }
}

/// What is wrong with the name of a prompt. The protocol has no rule for its characters, and a prompt that is made at run time may
/// have its name from elsewhere; an empty one names nothing. The macro is stricter: who writes a name can choose one.
fn name_problem(name: &str) -> Option<String> {
    let fits = !name.is_empty() && !name.chars().any(char::is_control);
    (!fits).then(|| format!("`{}` is no prompt name: use some letters, on one line", shortened(name)))
}

impl Registrable for Registered {
    type Source = Prompt;

    fn source_key(prompt: &Prompt) -> &str {
        prompt.name()
    }

    fn register(prompt: Prompt, surroundings: &Surroundings) -> Self {
        Self { prompt, open_arguments: surroundings.open_arguments }
    }
}

impl Listed for Registered {
    fn key(&self) -> &str {
        self.name()
    }

    fn origin(&self) -> &'static Location<'static> {
        self.prompt.about.origin
    }

    fn starts_enabled(&self) -> bool {
        self.prompt.is_enabled
    }

    fn problems(&self, surroundings: &Surroundings) -> Vec<String> {
        let states = &surroundings.states;
        let problems = self.prompt.handler.problems(states, self.open_arguments, &|_| Vec::new());
        let problems = problems.into_iter().map(|problem| format!("prompt `{}`: {problem}", self.name()));
        name_problem(self.name()).into_iter().chain(problems).collect()
    }

    fn write_listed(&self, revision: Revision, out: &mut Vec<u8>) {
        let about = &self.prompt.about;
        let prompt = prompts::Prompt {
            name: &about.name,
            title: about.title.as_deref(),
            description: about.description.as_deref(),
            arguments: self.arguments(),
            icons: &about.icons,
            meta: about.meta.as_ref(),
        };
        write_json(out, &prompt.project(revision));
    }
}
