//! Any JSON as the arguments of tools with hard parameters.

use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Waker};

use arbitrary::{Arbitrary, Unstructured};
use serde_json::value::RawValue;

use super::tools::{self, Echo};
use crate::__stages::Nowhere;
#[cfg(feature = "ask")]
use crate::ask::{AskSettings, Asking, Asks};
use crate::call_state::{CallOrigin, CallState};
use crate::caller::Caller;
use crate::handler::Surroundings;
use crate::jsonrpc::RequestId;
use crate::protocol::Revision;
use crate::registry::Listed as _;
use crate::result::Outcome;

/// The longest refusal, in bytes: it is for a model to read.
const MAX_REFUSAL_BYTES: usize = 32 * 1024;

/// The longest value that is quoted, in bytes.
const MAX_QUOTED_BYTES: usize = 1024;

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    tool: u8,
    arguments: Arguments<'a>,
}

#[derive(Debug, Arbitrary)]
enum Arguments<'a> {
    Text(&'a str),
    /// The one argument that most of the tools have.
    Value(Json<'a>),
    Members(Vec<(Text<'a>, Json<'a>)>),
}

#[derive(Debug, Arbitrary)]
enum Json<'a> {
    Null,
    Bool(bool),
    Small(i8),
    Large(i64),
    Float(f64),
    Number(u8),
    Text(Text<'a>),
    /// A string that spells the value.
    Quoted(Box<Json<'a>>),
    Array(Vec<Json<'a>>),
    Object(Vec<(Text<'a>, Json<'a>)>),
}

#[derive(Debug, Arbitrary)]
enum Text<'a> {
    /// One that some type knows.
    Known(u8),
    Other(&'a str),
}

const KNOWN: &[&str] = &[
    "value",
    "a",
    "b",
    "c",
    "d",
    "id",
    "name",
    "type",
    "limit",
    "list",
    "long-name",
    "a/b \"c\"",
    "Empty",
    "One",
    "Two",
    "Named",
    "Other",
    "red",
    "green",
    "true",
    "false",
    "null",
    "0",
    "255",
    "256",
    "-0",
    "1.0",
    "x",
    "127.0.0.1",
    "",
];

const NUMBERS: &[&str] = &[
    "-0",
    "1.0",
    "2e1",
    "25.5e1",
    "256",
    "-129",
    "1e400",
    "-1e-400",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "170141183460469231731687303715884105728",
    "0.1e99999999999999999999",
    "123456789012345678901234567890.000",
];

/// No arguments make a tool panic. What is accepted is accepted once more as it was returned, also by a strict server;
/// white space changes nothing.
pub fn arguments(data: &[u8]) {
    let Ok(input) = Input::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let text = input.arguments.to_text();
    // What reaches a tool was read as JSON before, and is an object.
    let Ok(raw) = serde_json::from_str::<&RawValue>(&text) else { return };
    if !raw.get().starts_with('{') {
        return;
    }
    let tested = tested();
    let echo = &tested.echoes[usize::from(input.tool) % tested.echoes.len()];

    let lenient = tested.call(echo, raw.get(), &tested.lenient);
    let strict = tested.call(echo, raw.get(), &tested.strict);
    assert_eq!(tested.call(echo, &spaced(raw.get()), &tested.lenient).is_ok(), lenient.is_ok(), "{raw} with spaces");
    if let Ok(strict) = strict {
        assert_eq!(lenient.as_ref(), Ok(&strict), "{raw} is taken as it stands");
    }
    if let Ok(returned) = lenient {
        for surroundings in [&tested.lenient, &tested.strict] {
            let again = tested.call(echo, &returned, surroundings);
            let is_same = again.as_ref().is_ok_and(|again| !echo.is_exact || *again == returned);
            assert!(is_same, "{} of {raw} is {returned}, then {again:?}", echo.tool.name());
        }
    }
}

/// The tools, which are put together once.
struct Tested {
    echoes: Vec<Echo>,
    lenient: Surroundings,
    strict: Surroundings,
    state: Arc<CallState>,
}

fn tested() -> &'static Tested {
    static TESTED: OnceLock<Tested> = OnceLock::new();
    TESTED.get_or_init(|| {
        let echoes = tools::all();
        let lenient = Surroundings::default();
        let problems: Vec<_> = echoes.iter().flat_map(|echo| echo.tool.problems(&lenient)).collect();
        assert!(problems.is_empty(), "{problems:?}");
        let origin = CallOrigin {
            caller: Arc::new(Caller::new(Arc::new(Nowhere), None)),
            id: RequestId::from_json("1").expect("it is an id"),
            revision: Revision::LATEST,
            progress_token: None,
            meta: None,
            logs_to_client: false,
            log_level: None,
            uri: None,
        };
        #[cfg(feature = "ask")]
        let asks = Asks::new(AskSettings::default()).expect("there are random bytes");
        let state = CallState::new(
            origin,
            #[cfg(feature = "ask")]
            Asking::new(&asks),
        );
        let strict = Surroundings { strict_arguments: true, ..Surroundings::default() };
        Tested { echoes, lenient, strict, state }
    })
}

impl Tested {
    /// What the tool returns, or why its arguments are refused.
    fn call(&self, echo: &Echo, arguments: &str, surroundings: &Surroundings) -> Result<String, String> {
        let started = echo.tool.prepare(arguments, &self.state, surroundings);
        let outcome = match started {
            Err(refused) => refused,
            Ok(mut body) => match body.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(outcome) => outcome,
                Poll::Pending => panic!("a plain function does not wait"),
            },
        };
        match outcome {
            Outcome::Value(json) => Ok(json),
            Outcome::Failure(text) => {
                assert!(text.starts_with("the arguments of `"), "{text}");
                assert!(text.len() <= MAX_REFUSAL_BYTES, "{} bytes are told", text.len());
                Err(text)
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The same JSON with a space wherever one may stand beside a sign.
fn spaced(json: &str) -> String {
    let (mut spaced, mut is_string, mut is_escaped) = (String::new(), false, false);
    for c in json.chars() {
        let is_sign = !is_string && "{}[],:".contains(c);
        spaced.extend(is_sign.then_some(' '));
        spaced.push(c);
        spaced.extend(is_sign.then_some('\n'));
        is_string ^= c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
    }
    spaced.trim().to_owned()
}

impl Arguments<'_> {
    fn to_text(&self) -> String {
        let mut text = String::new();
        match self {
            Self::Text(given) => text.push_str(given),
            Self::Value(value) => {
                text.push_str(r#"{"value":"#);
                value.write(&mut text);
                text.push('}');
            }
            Self::Members(members) => write_members(members, &mut text),
        }
        text
    }
}

impl Json<'_> {
    fn write(&self, text: &mut String) {
        match self {
            Self::Null => text.push_str("null"),
            Self::Bool(value) => text.push_str(&value.to_string()),
            Self::Small(number) => text.push_str(&number.to_string()),
            Self::Large(number) => text.push_str(&number.to_string()),
            Self::Float(number) => text.push_str(&serde_json::Value::from(*number).to_string()),
            Self::Number(index) => text.push_str(NUMBERS[usize::from(*index) % NUMBERS.len()]),
            Self::Text(string) => write_string(string.as_str(), text),
            Self::Quoted(value) => {
                let mut inner = String::new();
                value.write(&mut inner);
                // Each quotation doubles the backslashes of the one inside of it.
                inner.truncate(if inner.len() > MAX_QUOTED_BYTES { 0 } else { inner.len() });
                write_string(&inner, text);
            }
            Self::Array(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    text.extend((index > 0).then_some(','));
                    item.write(text);
                }
                text.push(']');
            }
            Self::Object(members) => write_members(members, text),
        }
    }
}

impl Text<'_> {
    fn as_str(&self) -> &str {
        match self {
            Self::Known(index) => KNOWN[usize::from(*index) % KNOWN.len()],
            Self::Other(text) => text,
        }
    }
}

fn write_string(string: &str, text: &mut String) {
    text.push_str(&serde_json::Value::from(string).to_string());
}

fn write_members(members: &[(Text<'_>, Json<'_>)], text: &mut String) {
    text.push('{');
    for (index, (name, value)) in members.iter().enumerate() {
        text.extend((index > 0).then_some(','));
        write_string(name.as_str(), text);
        text.push(':');
        value.write(text);
    }
    text.push('}');
}
