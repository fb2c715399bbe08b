//! Arguments made from a published schema, and ways to spoil them.

use proptest::collection::{btree_map, vec};
use proptest::prelude::{Just, Strategy, any};
use proptest::sample::{Index, select};
use proptest::strategy::{BoxedStrategy, Union};
use serde_json::{Map, Number, Value, json};

use super::oracle::{branches, resolve};

/// How many references are followed before a recursive value ends.
const MAX_REFERENCES: u32 = 3;

/// How many items or members there are beyond those that have to be.
const MAX_MORE: usize = 3;

/// Arguments that the schema accepts, but for chance, and up to two changes to them.
pub(super) fn arguments(schema: &Value) -> impl Strategy<Value = (Value, Vec<Change>)> + use<> {
    (accepted(schema), vec(change(schema), 0..=2))
}

/// Values that the schema accepts, but for chance.
pub(super) fn accepted(schema: &Value) -> BoxedStrategy<Value> {
    Generator { root: schema }.value(schema, MAX_REFERENCES)
}

struct Generator<'s> {
    root: &'s Value,
}

impl Generator<'_> {
    fn value(&self, schema: &Value, references: u32) -> BoxedStrategy<Value> {
        if schema.get("$ref").is_some() {
            return match references.checked_sub(1) {
                Some(references) => self.value(resolve(self.root, schema), references),
                None => Just(Value::Null).boxed(),
            };
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            // An enum without variants has no values.
            return select(if values.is_empty() { vec![Value::Null] } else { values.clone() }).boxed();
        }
        if let Some(value) = schema.get("const") {
            return Just(value.clone()).boxed();
        }
        if let Some(parts) = branches(schema) {
            return self.union(schema, parts, references);
        }
        match schema.get("type").and_then(Value::as_str) {
            Some("null") => Just(Value::Null).boxed(),
            Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
            Some("integer") => integer(schema),
            Some("number") => number(schema),
            Some("string") => string(schema),
            Some("array") => self.array(schema, references),
            Some("object") => self.object(schema, references),
            _ => select(junk()).boxed(),
        }
    }

    /// One of the branches, with what stands beside them.
    fn union(&self, schema: &Value, parts: &[Value], references: u32) -> BoxedStrategy<Value> {
        let ends = |part: &&Value| !part.to_string().contains("\"$ref\"");
        let mut chosen: Vec<&Value> = parts.iter().filter(|part| references > 0 || ends(part)).collect();
        if chosen.is_empty() {
            chosen = parts.iter().collect();
        }
        let union = Union::new(chosen.into_iter().map(|part| self.value(part, references)));
        if schema.get("properties").is_none() {
            return union.boxed();
        }
        let mut own = schema.clone();
        own.as_object_mut()
            .expect("a schema is an object")
            .retain(|keyword, _| keyword != "anyOf" && keyword != "oneOf");
        (union, self.object(&own, references)).prop_map(|(part, own)| merged(part, own)).boxed()
    }

    fn array(&self, schema: &Value, references: u32) -> BoxedStrategy<Value> {
        let size =
            |keyword: &str| schema.get(keyword).and_then(Value::as_u64).map(|size| usize::try_from(size).unwrap());
        let least = size("minItems").unwrap_or_default();
        if let Some(places) = schema.get("prefixItems").and_then(Value::as_array) {
            let places: Vec<_> = places.iter().map(|place| self.value(place, references)).collect();
            return places.prop_map(Value::from).boxed();
        }
        let most = if references == 0 { least } else { size("maxItems").unwrap_or(least + MAX_MORE) };
        let item = schema.get("items").map_or_else(|| Just(Value::Null).boxed(), |items| self.value(items, references));
        vec(item, least..=most).prop_map(Value::from).boxed()
    }

    fn object(&self, schema: &Value, references: u32) -> BoxedStrategy<Value> {
        let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut members: Vec<BoxedStrategy<Option<(String, Value)>>> = Vec::new();
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let name = name.clone();
            let is_required = required.contains(&Value::from(name.as_str()));
            if references == 0 && !is_required {
                continue;
            }
            let member = self.value(property, references).prop_map(move |value| (name.clone(), value));
            members.push(if is_required {
                member.prop_map(Some).boxed()
            } else {
                proptest::option::weighted(0.6, member).boxed()
            });
        }
        let others = self.others(schema, references);
        (members, others)
            .prop_map(|(members, others)| {
                let mut object: Map<String, Value> = members.into_iter().flatten().collect();
                for (name, value) in others {
                    object.entry(name).or_insert(value);
                }
                Value::Object(object)
            })
            .boxed()
    }

    /// The members that have no name of their own in the schema.
    fn others(&self, schema: &Value, references: u32) -> BoxedStrategy<Vec<(String, Value)>> {
        if let Some(patterns) = schema.get("patternProperties").and_then(Value::as_object) {
            let value = Union::new(patterns.values().map(|wanted| self.value(wanted, references)));
            let key =
                select(["0", "1", "7", "-1", "-0", "200", "300", "01", "99999999999", "x"].map(str::to_owned).to_vec());
            return vec((key, value), 0..=MAX_MORE).boxed();
        }
        match schema.get("additionalProperties") {
            Some(wanted @ Value::Object(_)) if references > 0 => {
                let key =
                    select(["", "a", "b c", "é\"", "0", "null", "true", "Red", "go_up"].map(str::to_owned).to_vec());
                btree_map(key, self.value(wanted, references), 0..=MAX_MORE)
                    .prop_map(|others| others.into_iter().collect())
                    .boxed()
            }
            Some(Value::Bool(false) | Value::Object(_)) => Just(Vec::new()).boxed(),
            _ => proptest::option::weighted(0.1, select(junk()))
                .prop_map(|value| value.map(|value| ("extra".to_owned(), value)).into_iter().collect())
                .boxed(),
        }
    }
}

fn merged(part: Value, own: Value) -> Value {
    match (part, own) {
        (Value::Object(mut part), Value::Object(own)) => {
            part.extend(own);
            Value::Object(part)
        }
        (part, _) => part,
    }
}

fn integer(schema: &Value) -> BoxedStrategy<Value> {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_i64);
    let least = bound("minimum").unwrap_or(i64::MIN);
    let most = bound("maximum").unwrap_or(i64::MAX);
    let near = |edge: i64| edge.clamp(least, most);
    let edges = [least, most, near(0), near(1), near(-1), near(1 << 53), near(-(1 << 53)), near(300)];
    let plain = proptest::prop_oneof![
        3 => (near(-20)..=near(20)).prop_map(Value::from),
        2 => select(edges.to_vec()).prop_map(Value::from),
        1 => (least..=most).prop_map(Value::from),
    ];
    // An integer may be written as a number with an empty fraction.
    (plain, any::<Index>())
        .prop_map(|(plain, as_float)| if as_float.index(8) == 7 { with_fraction(&plain, 0.0) } else { plain })
        .boxed()
}

fn number(schema: &Value) -> BoxedStrategy<Value> {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let inside = move |least: Option<f64>, most: Option<f64>, number: f64| {
        least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most)
    };
    let (least, most) = (bound("minimum"), bound("maximum"));
    let edges =
        [Some(0.0), Some(1.0), Some(-1.0), Some(0.5), Some(0.1), Some(2.25), Some(1e300), Some(-1e-300), least, most];
    let edges: Vec<Value> = edges
        .into_iter()
        .flatten()
        .filter(|number| inside(least, most, *number))
        .map(Value::from)
        .chain([1.into()])
        .collect();
    select(edges).boxed()
}

fn string(schema: &Value) -> BoxedStrategy<Value> {
    let size = |keyword: &str| schema.get(keyword).and_then(Value::as_u64).map(|size| usize::try_from(size).unwrap());
    let (least, most) = (size("minLength").unwrap_or_default(), size("maxLength"));
    let known = match schema.get("format").and_then(Value::as_str) {
        Some("ipv4") => &["127.0.0.1", "0.0.0.0"][..],
        Some("ipv6") => &["::1", "fe80::1:2"],
        Some("uuid") => &["67e55044-10b1-426f-9247-bb680e5fe0c8"],
        _ => &["", "a", "5", "-1.5", "true", "null", "[]", "{}", "\"a\"", " 5", "é\n\"\\\u{1F980}", "127.0.0.1", "::1"],
    };
    let most = most.unwrap_or(least + MAX_MORE);
    let fits = |text: &&str| (least..=most.max(MAX_MORE * 20)).contains(&text.chars().count());
    let known: Vec<String> = known.iter().copied().filter(fits).map(str::to_owned).collect();
    let letters = vec(select(vec!['a', 'b', 'c', '5', 'é', '"', '\u{1F980}', ' ']), least..=most);
    let random = letters.prop_map(|letters| letters.into_iter().collect::<String>());
    if known.is_empty() {
        random.prop_map(Value::from).boxed()
    } else {
        proptest::prop_oneof![select(known), random].prop_map(Value::from).boxed()
    }
}

/// Values of every type, for where another is wanted.
fn junk() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(-1),
        json!(0.5),
        json!(2.0),
        json!(255),
        json!(256),
        json!(65536),
        json!(4_294_967_296_u64),
        json!(1e3),
        json!(1e-3),
        json!(""),
        json!("a"),
        json!("b"),
        json!("5"),
        json!("5.0"),
        json!("0.5"),
        json!("true"),
        json!("null"),
        json!("[]"),
        json!("{}"),
        json!("[1]"),
        json!([]),
        json!([0]),
        json!([1, 2]),
        json!(["a"]),
        json!([null]),
        json!([[]]),
        json!([1, "a"]),
        json!([true, 1]),
        json!({}),
        json!({ "a": 0 }),
        json!({ "text": "a", "number": 1 }),
    ]
}

/// Something that is done to a value somewhere inside.
#[derive(Debug, Clone)]
pub(super) struct Change {
    place: Index,
    how: How,
}

#[derive(Debug, Clone)]
enum How {
    Replace(Value),
    Remove,
    /// A further member, or a further item.
    Insert(String, Value),
    /// The value as a string.
    Quote,
    /// A fraction is added to a number.
    Fraction(f64),
    /// A number, string or list becomes big.
    Grow,
    Negate,
    InArray,
    InObject(String),
    /// The first item or member stands for the whole.
    Unwrap,
    /// The members without their names.
    ToArray,
    /// The same item again.
    Repeat,
}

/// A change. The words of the schema occur in it, so that tags and names are mistaken for one another.
fn change(schema: &Value) -> impl Strategy<Value = Change> + use<> {
    let mut words = vec!["extra".to_owned(), "0".to_owned()];
    collect_words(schema, &mut words);
    let values: Vec<Value> = junk().into_iter().chain(words.iter().map(|word| Value::from(word.as_str()))).collect();
    let (word, value) = (select(words), select(values));
    let how = proptest::prop_oneof![
        4 => value.clone().prop_map(How::Replace),
        3 => Just(How::Remove),
        2 => (word.clone(), value).prop_map(|(word, value)| How::Insert(word, value)),
        2 => Just(How::Quote),
        1 => select(vec![0.0, 0.5]).prop_map(How::Fraction),
        1 => Just(How::Grow),
        1 => Just(How::Negate),
        1 => Just(How::InArray),
        1 => word.prop_map(How::InObject),
        1 => Just(How::Unwrap),
        1 => Just(How::ToArray),
        1 => Just(How::Repeat),
    ];
    (any::<Index>(), how).prop_map(|(place, how)| Change { place, how })
}

/// The names of members and the values of enums.
fn collect_words(schema: &Value, words: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            for (keyword, value) in members {
                let found: Vec<&str> = match (keyword.as_str(), value) {
                    ("properties", Value::Object(properties)) => properties.keys().map(String::as_str).collect(),
                    ("const", Value::String(word)) => vec![word],
                    ("enum", Value::Array(values)) => values.iter().filter_map(Value::as_str).collect(),
                    _ => Vec::new(),
                };
                for word in found {
                    if !words.iter().any(|known| known == word) {
                        words.push(word.to_owned());
                    }
                }
                collect_words(value, words);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_words(item, words)),
        _ => {}
    }
}

/// The pointers to everything inside of a value.
pub(super) fn places(value: &Value) -> Vec<String> {
    let mut places = Vec::new();
    collect_places(value, "", &mut places);
    places
}

fn collect_places(value: &Value, pointer: &str, places: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, value)| (escaped(name), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect(),
        _ => Vec::new(),
    };
    for (step, child) in children {
        let pointer = format!("{pointer}/{step}");
        places.push(pointer.clone());
        collect_places(child, &pointer, places);
    }
}

/// A name as a step of a JSON pointer.
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Takes a member or an item away.
pub(super) fn without(value: &Value, pointer: &str) -> Value {
    let mut value = value.clone();
    let (parent, step) = pointer.rsplit_once('/').expect("a pointer to something inside");
    match value.pointer_mut(parent) {
        Some(Value::Object(members)) => drop(members.remove(&step.replace("~1", "/").replace("~0", "~"))),
        Some(Value::Array(items)) => drop(items.remove(step.parse().expect("an index"))),
        _ => unreachable!("{pointer} is a place"),
    }
    value
}

/// Replaces what stands at a place.
pub(super) fn with(value: &Value, pointer: &str, change: impl FnOnce(&Value) -> Value) -> Value {
    let mut value = value.clone();
    let place = value.pointer_mut(pointer).expect("a place");
    *place = change(place);
    value
}

impl Change {
    /// Changes arguments; they stay an object.
    pub(super) fn apply(&self, value: &Value) -> Value {
        let places = places(value);
        if let How::Insert(name, inserted) = &self.how {
            return self.insert(value, &places, name, inserted);
        }
        if places.is_empty() {
            return value.clone();
        }
        let place = &places[self.place.index(places.len())];
        match self.how {
            How::Remove => without(value, place),
            _ => with(value, place, |value| self.how.of(value)),
        }
    }

    fn insert(&self, value: &Value, places: &[String], name: &str, inserted: &Value) -> Value {
        let is_open = |place: &&str| value.pointer(place).is_some_and(|value| value.is_object() || value.is_array());
        let open: Vec<&str> = places.iter().map(String::as_str).chain([""]).filter(is_open).collect();
        with(value, open[self.place.index(open.len())], |value| {
            let mut value = value.clone();
            match &mut value {
                Value::Object(members) => drop(members.insert(name.to_owned(), inserted.clone())),
                Value::Array(items) => items.push(inserted.clone()),
                _ => {}
            }
            value
        })
    }
}

impl How {
    fn of(&self, value: &Value) -> Value {
        match (self, value) {
            (Self::Replace(other), _) => other.clone(),
            (Self::Quote, _) => Value::from(value.to_string()),
            (Self::Fraction(fraction), Value::Number(_)) => with_fraction(value, *fraction),
            (Self::Grow, Value::Number(number)) => {
                number.as_i64().and_then(|number| number.checked_mul(257)).map_or(json!(1e30), Value::from)
            }
            (Self::Grow, Value::String(text)) => Value::from(format!("{text}{}", "x".repeat(5))),
            (Self::Grow, Value::Array(items)) => items.iter().chain(items).chain(items).cloned().collect(),
            (Self::Negate, Value::Number(number)) => {
                number.as_i64().and_then(i64::checked_neg).map_or_else(|| with_fraction(&json!(-1), 0.25), Value::from)
            }
            (Self::Negate, Value::Bool(flag)) => Value::from(!flag),
            (Self::InArray, _) => json!([value]),
            (Self::InObject(name), _) => {
                let name = value.as_str().unwrap_or(name);
                json!({ name: null })
            }
            (Self::Unwrap, Value::Array(items)) => items.first().cloned().unwrap_or_default(),
            (Self::Unwrap, Value::Object(members)) => {
                members.keys().next().map(|name| Value::from(name.as_str())).unwrap_or_default()
            }
            (Self::ToArray, Value::Object(members)) => members.values().cloned().collect(),
            (Self::ToArray, Value::Array(items)) => {
                Value::Object(items.iter().enumerate().map(|(index, item)| (index.to_string(), item.clone())).collect())
            }
            (Self::Repeat, Value::Array(items)) => items.iter().chain(items.first()).cloned().collect(),
            _ => value.clone(),
        }
    }
}

/// A number as a float, with a fraction added.
fn with_fraction(number: &Value, fraction: f64) -> Value {
    let float = number.as_f64().map(|number| number + fraction).and_then(Number::from_f64);
    float.map_or_else(|| number.clone(), Value::Number)
}
