use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::num::NonZeroU8;
use std::process::ExitCode;

use mcp_runtime::{Server, State, tool, tools};

const ABOUT: &str = "How many.";
const MOST: u8 = 20;

const fn least() -> u8 {
    1
}

#[derive(Clone, Debug, Default, serde::Deserialize, schemars::JsonSchema)]
struct Page {
    number: u32,
}

#[derive(Clone, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
enum Unit {
    Celsius,
    Fahrenheit,
}

/// A type that a string can stand for.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Name(String);

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Name(name.to_owned())
    }
}

/// An alias hides nothing.
type Count = Option<u16>;

#[tool]
fn every_key(
    /// Not shown, because the key comes first.
    #[arg(description = ABOUT, default = 3, range = 1..=20, rename = "how-many", example = 4, example = 1 + 4)]
    count: u8,
    #[arg(description = concat!("A ", "text."), default = "Pune", len = 1..=80, header = "Place", example = "Paris")]
    place: &str,
) -> String {
    format!("{count}{place}")
}

#[tool]
async fn ranges(
    #[arg(range = 0..20)] a: u8,
    #[arg(range = ..20)] b: i64,
    #[arg(range = ..=-1)] c: i8,
    #[arg(range = -5..)] d: isize,
    #[arg(range = 0.5..=1.5)] e: f64,
    #[arg(range = 0.0..1.0)] f: f32,
    #[arg(range = least()..=MOST)] g: Option<u8>,
    #[arg(range = u16::MIN..=u16::MAX)] h: Count,
    #[arg(range = 1..=9)] i: NonZeroU8,
    #[arg(range = 0..=9)] j: &u32,
    #[arg(range = 5..=5)] k: u64,
) -> String {
    format!("{a}{b}{c}{d}{e}{f}{g:?}{h:?}{i}{j}{k}")
}

#[tool]
fn lengths(
    #[arg(len = 5)] a: String,
    #[arg(len = 1..)] b: &str,
    #[arg(len = ..80)] c: Option<String>,
    #[arg(len = ..=MOST as usize)] d: Vec<u8>,
    #[arg(len = 1..9)] e: &[Page],
    #[arg(len = 1..=9)] f: Cow<'_, str>,
    #[arg(len = 0..=9)] g: Box<str>,
    #[arg(len = 2)] h: BTreeSet<u8>,
    #[arg(len = 2)] i: HashSet<u8>,
    #[arg(len = 2)] j: VecDeque<u8>,
) -> String {
    format!("{a}{b}{c:?}{d:?}{e:?}{f}{g}{h:?}{i:?}{j:?}")
}

#[tool]
fn defaults(
    #[arg(default)] a: u8,
    #[arg(default)] b: Page,
    #[arg(default = "text")] c: String,
    #[arg(default = "text")] d: &str,
    #[arg(default = "text")] e: Cow<'static, str>,
    #[arg(default = "text")] f: Box<str>,
    #[arg(default = "text")] g: Name,
    #[arg(default = vec![1, 2])] h: Vec<u8>,
    #[arg(default = vec![Page { number: 1 }])] i: &[Page],
    #[arg(default = Unit::Celsius, example = Unit::Fahrenheit)] j: Unit,
    #[arg(default = Page { number: 3 }, example = Page { number: 4 })] k: &Page,
    #[arg(default = Some(3))] l: Option<u8>,
    #[arg(default = true)] m: bool,
    #[arg(default = BTreeMap::from([("a".to_owned(), 1)]))] n: BTreeMap<String, u8>,
    #[arg(default = "a b".split(' ').map(str::to_owned).collect())] o: Vec<String>,
    #[arg(default = { let number = 3; number + 1 })] p: u8,
    #[arg(default = -0.5)] q: f32,
) -> String {
    let numbers = b.number + k.number + i.iter().map(|page| page.number).sum::<u32>();
    format!("{a}{numbers}{c}{d}{e}{f}{}{h:?}{j:?}{l:?}{m}{n:?}{o:?}{p}{q}", g.0)
}

/// In several attributes, and beside others.
#[tool]
fn apart(
    #[arg(default = 3)]
    #[allow(unused_variables)]
    #[arg(range = 0..=20)]
    #[arg(rename = "type")]
    kind: u8,
    #[arg(rename = "größe")] size: u8,
    #[arg(rename = "kind")] r#type: u8,
) -> u8 {
    size + r#type
}

/// Keys whose values come from a macro.
macro_rules! ranged {
    ($name:ident, $range:expr, $default:expr, $text:literal) => {
        #[tool]
        fn $name(#[arg(range = $range, default = $default)] a: u8, #[arg(default = $text)] b: String) -> String {
            format!("{a}{b}")
        }
    };
}

ranged!(from_a_macro, 0..=20, 3, "text");

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Order {
    number: u8,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(tag = "kind")]
enum Operation {
    Open { number: u8 },
    Close,
}

#[tool]
fn whole(#[args] order: Order) -> u8 {
    order.number
}

#[tool]
async fn whole_lent(pages: &State<Vec<Page>>, #[args] order: &Order) -> u8 {
    ready().await;
    pages.len() as u8 + order.number
}

#[tool]
fn whole_choice(#[args] operation: Operation) -> u8 {
    match operation {
        Operation::Open { number } => number,
        Operation::Close => 0,
    }
}

async fn ready() {}

fn main() -> ExitCode {
    Server::new("arguments", "1.0.0")
        .state(Vec::<Page>::new())
        .tools(tools![every_key, ranges, lengths, defaults, apart, from_a_macro, whole, whole_lent, whole_choice])
        .run_from(["list"])
}
