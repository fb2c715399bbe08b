//! The text of a template to its parts.
//!
//! Refused is what RFC 6570 allows and no URI can be told apart by, and what cannot have been meant.

use super::unit::{self, Unit};
use super::{Extent, Members, Part, Template};

/// Reads a template; see [`Template::parse`].
pub(super) fn template(text: &str) -> Result<Template, String> {
    if unit::scheme(text).is_none() {
        return Err("it has no scheme: write one at its beginning, such as `notes://`".to_owned());
    }
    let mut parser = Parser::default();
    let mut rest = text;
    while let Some((literal, after)) = rest.split_once('{') {
        parser.literal(literal)?;
        let Some((expression, after)) = after.split_once('}') else {
            return Err(format!("`{{{after}` does not end: write `}}` after the name, or `%7B` for a brace"));
        };
        parser.expression(&Expression::parse(expression)?)?;
        rest = after;
    }
    parser.literal(rest)?;
    Ok(parser.template)
}

/// What stands between braces.
struct Expression<'a> {
    text: &'a str,
    operator: &'a str,
    names: Vec<&'a str>,
}

impl<'a> Expression<'a> {
    fn parse(text: &'a str) -> Result<Self, String> {
        let names = text.strip_prefix(['+', '#', '.', '/', '?', '&']).unwrap_or(text);
        let operator = text.strip_suffix(names).unwrap_or_default();
        let names: Vec<&str> = names.split(',').collect();
        for name in &names {
            check_name(text, operator, name)?;
        }
        if names.len() > 1 && !matches!(operator, "?" | "&") {
            return Err(format!("`{{{text}}}` has several variables: write `{}`", apart(operator, &names)));
        }
        Ok(Self { text, operator, names })
    }
}

/// Checks that it is a name of RFC 6570 without percent-encoding.
fn check_name(expression: &str, operator: &str, name: &str) -> Result<(), String> {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_name = |name: &str| name.split('.').all(is_word);
    if is_name(name) {
        return Ok(());
    }
    if name.is_empty() {
        return Err(format!("a name is missing in `{{{expression}}}`: write letters, digits and `_`"));
    }
    let refused = |instead: String| Err(format!("`{{{expression}}}` is not supported: write `{instead}`"));
    if let Some(name) = name.strip_suffix('*').filter(|name| is_name(name)) {
        return refused(match operator {
            "" => format!("{{+{name}}}"),
            "/" | "." => format!("{operator}{{+{name}}}"),
            _ => format!("{{{operator}{name}}}"),
        });
    }
    match name.split_once(':') {
        Some((name, _)) if is_name(name) => return refused(format!("{{{operator}{name}}}")),
        _ => {}
    }
    if let Some(name) = name.strip_prefix([';', '=', ',', '!', '@', '|']).filter(|name| is_name(name)) {
        let is_parameter = expression.starts_with(';');
        return refused(if is_parameter { format!(";{name}={{{name}}}") } else { format!("{{{name}}}") });
    }
    Err(format!("`{name}` in `{{{expression}}}` is no name of a variable: write letters, digits and `_`"))
}

/// How several variables are written to be the same as in one expression.
fn apart(operator: &str, names: &[&str]) -> String {
    let (further, between) = match operator {
        "" => ("", ","),
        "+" | "#" => ("+", ","),
        _ => (operator, ""),
    };
    let expressions: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(number, name)| format!("{{{}{name}}}", if number == 0 { operator } else { further }))
        .collect();
    expressions.join(between)
}

#[derive(Default)]
struct Parser {
    /// Its text is still missing.
    template: Template,
    place: Place,
    /// The expression before, if no text has come after it.
    before: Option<String>,
    /// How many `&` the text of the query has.
    ands: usize,
}

/// The component of the URI that has begun.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Place {
    #[default]
    Path,
    Query,
    Fragment,
}

impl Parser {
    fn literal(&mut self, literal: &str) -> Result<(), String> {
        if let Some(character) = literal.chars().find(|character| *character != '%' && !unit::is_literal(*character)) {
            return Err(not_in_uri(character));
        }
        let Some(units) = unit::units(literal) else {
            return Err("a `%` without two hexadecimal digits: write `%25` for the character".to_owned());
        };
        if !matches!(units.first(), None | Some(Unit::Plain(b'#'))) {
            self.check_after_members(literal)?;
        }
        for unit in units {
            self.unit(unit)?;
        }
        Ok(())
    }

    fn unit(&mut self, unit: Unit) -> Result<(), String> {
        match (unit, self.place) {
            (Unit::Plain(b'#'), Place::Fragment) => return Err("a URI has one `#`: write `%23`".to_owned()),
            (Unit::Plain(b'#'), _) => self.place = Place::Fragment,
            (Unit::Plain(b'?'), Place::Path) => self.place = Place::Query,
            (Unit::Plain(b'&'), Place::Query) => self.ands += 1,
            _ => {}
        }
        self.before = None;
        let parts = self.parts();
        match parts.last_mut() {
            Some(Part::Text(text)) => text.push(unit),
            _ => parts.push(Part::Text(vec![unit])),
        }
        Ok(())
    }

    fn expression(&mut self, expression: &Expression<'_>) -> Result<(), String> {
        self.check_place(expression)?;
        for name in &expression.names {
            if self.template.variables().any(|known| known == *name) {
                return Err(format!("two variables have the name `{name}`: write another name for one of them"));
            }
            self.variable(expression.operator, name)?;
        }
        self.before = Some(expression.text.to_owned());
        Ok(())
    }

    /// Checks that the URI can be told where the expression begins.
    fn check_place(&self, Expression { text, operator, names }: &Expression<'_>) -> Result<(), String> {
        let names = names.join(",");
        match (*operator, self.place) {
            ("?", Place::Query) => Err(format!("`{{{text}}}` stands in a query: write `{{&{names}}}`")),
            ("&", Place::Path) => Err(format!("`{{{text}}}` stands in no query: write `{{?{names}}}`")),
            ("?" | "&", Place::Fragment) => Err(format!("`{{{text}}}` stands after the `#`: write it before")),
            ("#", Place::Fragment) => Err(format!("`{{{text}}}` stands after a `#`: write `{{+{names}}}`")),
            ("?" | "&" | "#", _) => Ok(()),
            _ => {
                self.check_after_members(&format!("{{{text}}}"))?;
                match &self.before {
                    Some(before) if matches!(*operator, "" | "+") => Err(format!(
                        "nothing stands between `{{{before}}}` and `{{{text}}}`: write `{{{before}}}/{{{text}}}`, or \
                         another text between them"
                    )),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Checks that what is written here comes before the members that a URI may leave out.
    fn check_after_members(&self, text: &str) -> Result<(), String> {
        match &self.template.members {
            Some(members) if self.place == Place::Query => {
                let (first, names) = (char::from(members.first), members.names.join(","));
                Err(format!("`{text}` stands after `{{{first}{names}}}`: write it before"))
            }
            _ => Ok(()),
        }
    }

    fn variable(&mut self, operator: &str, name: &str) -> Result<(), String> {
        let name = name.to_owned();
        match operator {
            "?" | "&" => {
                self.place = Place::Query;
                let first = if operator == "?" { b'?' } else { b'&' };
                let members = Members { first, before: self.ands, names: Vec::new() };
                self.template.members.get_or_insert(members).names.push(name);
            }
            "+" => self.parts().push(Part::Variable(name, Extent::Rest)),
            _ => {
                for byte in operator.bytes() {
                    self.unit(Unit::Plain(byte))?;
                }
                let extent = match (operator, self.place) {
                    ("#", _) => Extent::Rest,
                    (_, Place::Query) => Extent::Member,
                    _ => Extent::Segment,
                };
                self.parts().push(Part::Variable(name, extent));
            }
        }
        Ok(())
    }

    /// Where what comes next belongs.
    fn parts(&mut self) -> &mut Vec<Part> {
        if self.place == Place::Fragment { &mut self.template.fragment } else { &mut self.template.head }
    }
}

fn not_in_uri(character: char) -> String {
    let encoded: Vec<String> = character.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("`{}` cannot stand in a URI: write `{}`", character.escape_debug(), encoded.concat())
}
