//! Tools that take, and where they can return, a value of every kind of type.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroU8, NonZeroU16, NonZeroU32, NonZeroU64, Wrapping,
};
use std::ops::{Bound, Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use mcp_runtime::{ToolDef, tool, tools};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A type as a user derives it.
macro_rules! types {
    ($($item:item)*) => { $(
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        $item
    )* };
}

types! {
    struct Plain {
        number: u8,
        text: String,
    }

    /// Every way for a member to be optional.
    struct Optional {
        maybe: Option<u8>,
        maybe_text: Option<String>,
        maybe_plain: Option<Box<Plain>>,
        maybe_unit: Option<Unit>,
        maybe_documented: Option<Documented>,
        maybe_list: Option<Vec<Option<i8>>>,
        maybe_twice: Option<Option<bool>>,
        #[serde(default)]
        defaulted: u16,
        #[serde(default)]
        list: Vec<i8>,
        #[serde(default = "seven")]
        seven: i32,
        #[serde(default)]
        defaulted_plain: Defaulted,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        skipped: Option<char>,
    }

    #[derive(Default)]
    #[serde(default)]
    struct Defaulted {
        number: u8,
        text: String,
        maybe: Option<i64>,
    }

    struct Renamed {
        #[serde(rename = "wire name")]
        ours: u8,
        #[serde(rename(serialize = "out", deserialize = "in"))]
        two: bool,
        #[serde(skip)]
        skipped: u8,
        r#type: i16,
    }

    #[serde(rename_all = "camelCase")]
    struct Cased {
        first_member: f32,
        second_member: Option<f64>,
    }

    #[serde(deny_unknown_fields)]
    struct Strict {
        number: i32,
        maybe: Option<Plain>,
    }

    struct Flat {
        own: u8,
        #[serde(flatten)]
        plain: Plain,
    }

    struct FlatOption {
        own: Option<u8>,
        #[serde(flatten)]
        plain: Option<Plain>,
    }

    struct FlatMap {
        own: u8,
        #[serde(flatten)]
        others: BTreeMap<String, u8>,
    }

    struct FlatAny {
        own: Option<u8>,
        #[serde(flatten)]
        others: serde_json::Map<String, Value>,
    }

    struct FlatMixed {
        own: u8,
        #[serde(flatten)]
        mixed: MixedObjects,
    }

    struct FlatInternal {
        own: u8,
        #[serde(flatten)]
        internal: Internal,
    }

    struct FlatUntagged {
        own: u8,
        #[serde(flatten)]
        untagged: UntaggedObjects,
    }

    #[derive(Eq, Hash, PartialOrd, Ord)]
    enum Unit {
        Red,
        Green,
        Blue,
    }

    /// A way to go.
    #[derive(Eq, Hash, PartialOrd, Ord)]
    #[serde(rename_all = "snake_case")]
    enum Documented {
        /// Up there.
        GoUp,
        /// Down here.
        GoDown,
        Stay,
    }

    enum Mixed {
        Nothing,
        /// One number.
        Number(u8),
        Pair(u8, String),
        Named { flag: bool, maybe: Option<u8> },
        Inner(Plain),
        List(Vec<i8>),
        Choice(Unit),
        Maybe(Option<u8>),
    }

    enum MixedObjects {
        Number(u8),
        Named { flag: bool },
    }

    #[serde(tag = "kind")]
    enum Internal {
        Nothing,
        /// With members.
        Named { flag: bool, maybe: Option<u8> },
        Inner(Plain),
        #[serde(rename = "the strict")]
        Strict(Optional),
    }

    #[serde(tag = "kind", deny_unknown_fields)]
    enum InternalStrict {
        Nothing,
        Named { flag: bool, maybe: Option<u8> },
    }

    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        Nothing,
        Number(i8),
        Pair(bool, u8),
        Named { flag: bool, maybe: Option<u8> },
        Inner(Plain),
        Maybe(Option<u8>),
    }

    #[serde(tag = "t", content = "c", deny_unknown_fields)]
    enum AdjacentStrict {
        Nothing,
        Number(i8),
    }

    #[serde(untagged)]
    enum Untagged {
        Number(u8),
        Flag(bool),
        List(Vec<u8>),
        Named { flag: bool, maybe: Option<u8> },
        Inner(Plain),
    }

    #[serde(untagged)]
    enum UntaggedText {
        Number(i16),
        Text(String),
        Nothing,
        Pair(u8, bool),
    }

    #[serde(untagged)]
    enum UntaggedObjects {
        Named { flag: bool },
        Inner(Plain),
    }

    /// What serde keeps aside until it knows the variant.
    #[serde(tag = "kind")]
    enum Kept {
        Numbers { small: i8, big: u64, float: f32, letter: char },
        Map { map: BTreeMap<String, Option<u8>> },
        Tuple { pair: (u8, Option<Unit>), unit: () },
        Any { any: Value },
    }

    #[serde(tag = "kind")]
    enum KeptBadly {
        Huge { huge: i128 },
        Keys { keys: BTreeMap<u8, bool> },
    }

    #[serde(untagged)]
    enum KeptUntagged {
        Numbers { float: f64, array: [i16; 2] },
        Deep(Vec<Option<Internal>>),
    }

    #[serde(deny_unknown_fields)]
    enum Closed {
        Named { flag: bool },
        Empty {},
        Unit(()),
        #[serde(rename = "a b", alias = "c")]
        Renamed((u8,)),
    }

    enum Partly {
        Number(u8),
        #[serde(untagged)]
        Text(String),
    }

    enum Known {
        One,
        #[serde(other)]
        Other,
    }

    enum Never {}

    struct Odd {
        #[serde(alias = "other name")]
        aliased: u8,
        never: Option<Never>,
        nothings: Vec<()>,
        map: BTreeMap<String, ()>,
        #[serde(default)]
        twice: Option<Option<u8>>,
        #[serde(rename = "a/b~c\"d")]
        pointed: Option<bool>,
        known: Vec<Known>,
    }

    struct Tree {
        value: i16,
        children: Vec<Tree>,
    }

    struct Chain {
        value: bool,
        next: Option<Box<Chain>>,
    }

    enum Expression {
        Zero,
        Number(i32),
        Negated(Box<Expression>),
        Sum { left: Box<Expression>, right: Box<Expression> },
        All(Vec<Expression>),
    }

    #[serde(tag = "op")]
    enum TaggedExpression {
        Number { value: i32 },
        Negated { inner: Box<TaggedExpression> },
    }

    struct Id(u32);

    struct Couple(u8, String);

    struct Solo(Plain);

    #[serde(transparent)]
    struct Transparent {
        inner: Vec<u8>,
    }

    #[derive(Eq, Hash, PartialOrd, Ord)]
    struct UnitStruct;

    struct Empty {}

    struct Units {
        unit: (),
        unit_struct: UnitStruct,
        maybe_unit: Option<()>,
        any: Value,
        maybe_any: Option<Value>,
        #[serde(default)]
        any_or_null: Value,
    }

    struct Uuid(#[schemars(extend("format" = "uuid"))] String);

    /// What `schemars` alone knows.
    struct Bounded {
        #[schemars(range(min = 1, max = 5))]
        number: u8,
        #[schemars(range(min = -1.5, max = 2.5))]
        float: f64,
        #[schemars(length(min = 1, max = 3))]
        text: String,
        #[schemars(length(min = 1, max = 2))]
        list: Vec<u8>,
        #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
        maybe: Option<f32>,
    }

    struct Deep {
        lists: Vec<Vec<Option<Plain>>>,
        map: BTreeMap<String, Option<Mixed>>,
        pairs: Vec<(String, Option<u8>)>,
        choice: Option<Internal>,
        flags: BTreeMap<String, Vec<bool>>,
        #[serde(default)]
        strict: Option<Strict>,
    }

    struct Generic<T> {
        of: T,
        many: Vec<T>,
        maybe: Option<T>,
    }
}

fn seven() -> i32 {
    7
}

/// Tools that return the value they take.
macro_rules! echoes {
    ($($name:ident: $ty:ty,)*) => {
        $(
            #[tool]
            fn $name(value: $ty) -> $ty {
                value
            }
        )*

        #[expect(clippy::large_stack_arrays, reason = "there are more tools than any server has")]
        fn echoes() -> Vec<ToolDef> {
            tools![$($name),*].into_iter().collect()
        }
    };
}

echoes! {
    echo_i8: i8,
    echo_i16: i16,
    echo_i32: i32,
    echo_i64: i64,
    echo_i128: i128,
    echo_isize: isize,
    echo_u8: u8,
    echo_u16: u16,
    echo_u32: u32,
    echo_u64: u64,
    echo_u128: u128,
    echo_usize: usize,
    echo_non_zero_i8: NonZeroI8,
    echo_non_zero_i16: NonZeroI16,
    echo_non_zero_i32: NonZeroI32,
    echo_non_zero_i64: NonZeroI64,
    echo_non_zero_u8: NonZeroU8,
    echo_non_zero_u16: NonZeroU16,
    echo_non_zero_u32: NonZeroU32,
    echo_non_zero_u64: NonZeroU64,
    echo_wrapping: Wrapping<i8>,
    echo_f32: f32,
    echo_f64: f64,
    echo_bool: bool,
    echo_char: char,
    echo_string: String,
    echo_boxed_str: Box<str>,
    echo_path: PathBuf,
    echo_unit: (),
    echo_unit_struct: UnitStruct,
    echo_value: Value,
    echo_object: serde_json::Map<String, Value>,
    echo_option: Option<u8>,
    echo_option_text: Option<String>,
    echo_option_twice: Option<Option<u8>>,
    echo_option_plain: Option<Plain>,
    echo_option_unit: Option<Unit>,
    echo_option_documented: Option<Documented>,
    echo_option_mixed: Option<Mixed>,
    echo_option_untagged: Option<UntaggedText>,
    echo_option_value: Option<Value>,
    echo_option_list: Option<Vec<u8>>,
    echo_option_non_zero: Option<NonZeroI8>,
    echo_option_tree: Option<Tree>,
    echo_list: Vec<u8>,
    echo_list_of_options: Vec<Option<u8>>,
    echo_list_of_texts: Vec<String>,
    echo_list_of_plain: Vec<Plain>,
    echo_list_of_units: Vec<Unit>,
    echo_list_of_mixed: Vec<Mixed>,
    echo_list_of_lists: Vec<Vec<i8>>,
    echo_list_of_values: Vec<Value>,
    echo_deque: VecDeque<bool>,
    echo_array: [u8; 3],
    echo_array_of_one: [String; 1],
    echo_array_of_none: [u8; 0],
    echo_tuple_of_one: (u8,),
    echo_tuple_alike: (u8, u8),
    echo_tuple: (u8, String, bool),
    echo_tuple_nested: (u8, (String, Option<bool>), Plain),
    echo_tuple_partly_alike: (i8, i8, bool),
    echo_tuple_of_lists: (Vec<u8>, Vec<String>),
    echo_set: BTreeSet<u8>,
    echo_set_of_units: BTreeSet<Unit>,
    echo_map: BTreeMap<String, u8>,
    echo_map_of_plain: BTreeMap<String, Plain>,
    echo_map_of_options: BTreeMap<String, Option<u8>>,
    echo_map_of_values: BTreeMap<String, Value>,
    echo_map_by_u8: BTreeMap<u8, bool>,
    echo_map_by_i32: BTreeMap<i32, Plain>,
    echo_map_by_u64: BTreeMap<u64, u8>,
    echo_map_by_unit: BTreeMap<Unit, u8>,
    echo_map_by_documented: BTreeMap<Documented, u8>,
    echo_map_by_char: BTreeMap<char, u8>,
    echo_map_by_bool: BTreeMap<bool, u8>,
    echo_map_of_maps: BTreeMap<String, BTreeMap<u8, Vec<u8>>>,
    echo_plain: Plain,
    echo_boxed: Box<Plain>,
    echo_optional: Optional,
    echo_defaulted: Defaulted,
    echo_renamed: Renamed,
    echo_cased: Cased,
    echo_strict: Strict,
    echo_flat: Flat,
    echo_flat_option: FlatOption,
    echo_flat_map: FlatMap,
    echo_flat_any: FlatAny,
    echo_flat_mixed: FlatMixed,
    echo_flat_internal: FlatInternal,
    echo_flat_untagged: FlatUntagged,
    echo_unit_enum: Unit,
    echo_documented: Documented,
    echo_mixed: Mixed,
    echo_mixed_objects: MixedObjects,
    echo_internal: Internal,
    echo_internal_strict: InternalStrict,
    echo_adjacent: Adjacent,
    echo_adjacent_strict: AdjacentStrict,
    echo_untagged: Untagged,
    echo_untagged_text: UntaggedText,
    echo_untagged_objects: UntaggedObjects,
    echo_kept: Kept,
    echo_kept_badly: KeptBadly,
    echo_kept_untagged: KeptUntagged,
    echo_closed: Closed,
    echo_partly: Partly,
    echo_odd: Odd,
    echo_tree: Tree,
    echo_chain: Chain,
    echo_expression: Expression,
    echo_tagged_expression: TaggedExpression,
    echo_list_of_expressions: Vec<Expression>,
    echo_id: Id,
    echo_couple: Couple,
    echo_solo: Solo,
    echo_transparent: Transparent,
    echo_empty: Empty,
    echo_units: Units,
    echo_duration: Duration,
    echo_list_of_durations: Vec<Duration>,
    echo_system_time: SystemTime,
    echo_range: Range<u8>,
    echo_range_inclusive: RangeInclusive<i16>,
    echo_generic_result: Generic<Result<u8, Plain>>,
    echo_bound: Bound<u8>,
    echo_ip: IpAddr,
    echo_ipv4: Ipv4Addr,
    echo_ipv6: Ipv6Addr,
    echo_uuid: Uuid,
    echo_bounded: Bounded,
    echo_deep: Deep,
    echo_generic: Generic<Option<Mixed>>,
}

/// Everything that is lent rather than given, several arguments at a time.
#[tool]
fn lent(text: &str, bytes: &[u8], path: &Path, plain: &Plain, maybe: &Option<Unit>, cow: Cow<'_, str>) -> String {
    format!("{text:?} {bytes:?} {path:?} {plain:?} {maybe:?} {cow:?}")
}

#[tool]
async fn lent_lists(plains: &[Plain], texts: &[String], map: &BTreeMap<String, Internal>) -> String {
    format!("{plains:?} {texts:?} {map:?}")
}

#[tool]
fn several(
    a: u8,
    b: Option<u8>,
    c: Option<Option<String>>,
    d: Option<Value>,
    e: (),
    f: Option<Vec<Optional>>,
) -> String {
    format!("{a} {b:?} {c:?} {d:?} {e:?} {f:?}")
}

/// What has no order of its own is returned with one.
#[tool]
fn hashed(set: HashSet<String>, map: HashMap<i8, Plain>) -> (BTreeSet<String>, BTreeMap<i8, Plain>) {
    (set.into_iter().collect(), map.into_iter().collect())
}

#[tool]
fn nothing() {}

#[tool]
fn with_defaults(
    #[arg(default = 3, range = 0..=20)] history: u8,
    #[arg(default)] list: Vec<u8>,
    #[arg(default = "a")] text: String,
    #[arg(default = Some(1))] maybe: Option<u8>,
    #[arg(default = Documented::Stay)] way: Documented,
) -> String {
    format!("{history} {list:?} {text:?} {maybe:?} {way:?}")
}

#[tool]
fn with_ranges(
    #[arg(range = 1..)] least: i32,
    #[arg(range = ..10)] below: i8,
    #[arg(range = -5..=5)] maybe: Option<i64>,
    #[arg(range = 0.5..=2.5)] float: f64,
    #[arg(range = ..1.0)] below_float: Option<f32>,
    #[arg(range = 2..=9)] non_zero: NonZeroU8,
) -> String {
    format!("{least} {below} {maybe:?} {float} {below_float:?} {non_zero}")
}

#[tool]
fn with_lengths(
    #[arg(len = 1..=3)] text: &str,
    #[arg(len = 2)] pair: Vec<u8>,
    #[arg(len = ..3)] maybe: Option<Vec<String>>,
    #[arg(len = 1..)] set: BTreeSet<u8>,
    #[arg(len = 0..=2)] lent: &[bool],
    #[arg(len = ..=1, rename = "wire-name")] renamed: Option<Cow<'static, str>>,
) -> String {
    format!("{text:?} {pair:?} {maybe:?} {set:?} {lent:?} {renamed:?}")
}

#[cfg(feature = "pattern")]
#[tool]
fn with_patterns(#[arg(pattern = "^[a-c]+$")] letters: &str, #[arg(pattern = "b")] maybe: Option<String>) -> String {
    format!("{letters:?} {maybe:?}")
}

#[cfg(feature = "pattern")]
fn patterned() -> Vec<ToolDef> {
    tools![with_patterns].into_iter().collect()
}

#[cfg(not(feature = "pattern"))]
fn patterned() -> Vec<ToolDef> {
    Vec::new()
}

/// Tools whose one parameter is the whole arguments object.
macro_rules! wholes {
    ($($name:ident: $ty:ty,)*) => {
        $(
            #[tool]
            fn $name(#[args] all: $ty) -> $ty {
                all
            }
        )*

        fn wholes() -> Vec<ToolDef> {
            tools![$($name),*].into_iter().collect()
        }
    };
}

wholes! {
    all_plain: Plain,
    all_optional: Optional,
    all_defaulted: Defaulted,
    all_renamed: Renamed,
    all_strict: Strict,
    all_flat: Flat,
    all_flat_option: FlatOption,
    all_flat_map: FlatMap,
    all_flat_any: FlatAny,
    all_flat_internal: FlatInternal,
    all_flat_untagged: FlatUntagged,
    all_mixed_objects: MixedObjects,
    all_internal: Internal,
    all_internal_strict: InternalStrict,
    all_adjacent: Adjacent,
    all_untagged_objects: UntaggedObjects,
    all_odd: Odd,
    all_kept: Kept,
    all_tagged_expression: TaggedExpression,
    all_chain: Chain,
    all_tree: Tree,
    all_map: BTreeMap<String, u8>,
    all_bounded: Bounded,
    all_empty: Empty,
    all_duration: Duration,
    all_deep: Deep,
}

/// All of them.
pub(super) fn all() -> Vec<ToolDef> {
    let others = tools![lent, lent_lists, several, hashed, nothing, with_defaults, with_ranges, with_lengths];
    echoes().into_iter().chain(others).chain(patterned()).chain(wholes()).collect()
}
