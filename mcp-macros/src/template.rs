//! The URI of a resource: a URI, or a URI template of RFC 6570, whose variables are the arguments.
//!
//! Of the RFC's forms those are taken that a URI can be compared with in one way only. Each of the others is reported with
//! the form to write instead.

use syn::{LitStr, Result};

use crate::diag::uri as diag;

/// One name in a template.
pub(crate) struct Variable {
    pub(crate) name: String,
    /// Whether a URI may leave it out, as in `{?page}`.
    pub(crate) is_in_query: bool,
}

/// The variables, in order; none of a plain URI. Reports the first mistake.
pub(crate) fn variables(uri: &LitStr) -> Result<Vec<Variable>> {
    let text = uri.value();
    check_scheme(uri, &text)?;
    check_characters(uri, &text)?;
    let mut variables: Vec<Variable> = Vec::new();
    for expression in expressions(uri, &text)? {
        let Expression { operator, names } = parse_expression(uri, expression)?;
        for name in names {
            if variables.iter().any(|earlier| earlier.name == name) {
                return Err(diag::variable_given_twice(uri, name));
            }
            variables.push(Variable { name: name.to_owned(), is_in_query: is_query(operator) });
        }
    }
    Ok(variables)
}

/// The rule of RFC 3986, in the case that everybody writes, because URIs are compared as they are.
fn check_scheme(uri: &LitStr, text: &str) -> Result<()> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-');
    let is_scheme =
        |scheme: &str| scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.chars().all(is_allowed);
    match text.split_once(':') {
        Some((scheme, _)) if !is_scheme(scheme) => Err(diag::no_scheme(uri)),
        Some((scheme, _)) if scheme.contains(|c: char| c.is_ascii_uppercase()) => {
            Err(diag::scheme_in_upper_case(uri, scheme))
        }
        Some(_) => Ok(()),
        None => Err(diag::no_scheme(uri)),
    }
}

fn check_characters(uri: &LitStr, text: &str) -> Result<()> {
    let is_bad = |c: char| c.is_whitespace() || c.is_control();
    let Some((before, after)) = text.find(is_bad).and_then(|at| text.split_at_checked(at)) else {
        return Ok(());
    };
    let bad = after.chars().next().unwrap_or_default();
    let start = before.rsplit_once('{').map(|(_, start)| start).filter(|start| !start.contains('}'));
    let end = after.split_once('}').map(|(end, _)| end).filter(|end| !end.contains('{'));
    let Some(expression) = start.zip(end).map(|(start, end)| format!("{start}{end}")) else {
        return Err(diag::bad_character(uri, bad));
    };
    let (operator, names) = split_operator(expression.trim_matches(is_bad));
    let names = names.split(',').map(|name| name.split(is_bad).filter(|word| !word.is_empty()));
    let names: Vec<String> = names.map(|words| words.collect::<Vec<_>>().join("_")).collect();
    match names.join(",") {
        names if names.is_empty() => Err(diag::variable_has_no_name(uri)),
        names => Err(diag::bad_character_in_braces(uri, bad, operator, &names)),
    }
}

/// What stands between each `{` and its `}`.
fn expressions<'a>(uri: &LitStr, text: &'a str) -> Result<Vec<&'a str>> {
    let mut pieces = text.split('{');
    if pieces.next().is_some_and(|literal| literal.contains('}')) {
        return Err(diag::stray_brace(uri));
    }
    let expressions = pieces.map(|piece| match piece.split_once('}') {
        None => Err(diag::unclosed_brace(uri, piece)),
        Some((_, literal)) if literal.contains('}') => Err(diag::stray_brace(uri)),
        Some((expression, _)) => Ok(expression),
    });
    expressions.collect()
}

struct Expression<'a> {
    operator: Option<char>,
    names: Vec<&'a str>,
}

fn parse_expression<'a>(uri: &LitStr, expression: &'a str) -> Result<Expression<'a>> {
    let (operator, names) = split_operator(expression);
    if let Some(reserved @ ('=' | ',' | '!' | '@' | '|')) = operator {
        return Err(diag::operator_is_reserved(uri, expression, reserved, names));
    }
    let names: Vec<&str> = names.split(',').collect();
    for name in &names {
        check_variable(uri, operator, name)?;
    }
    match operator {
        Some(';') => Err(diag::has_path_parameters(uri, expression, &names)),
        _ if names.len() > 1 && !is_query(operator) => Err(diag::several_variables(uri, expression, operator, &names)),
        _ => Ok(Expression { operator, names }),
    }
}

fn split_operator(expression: &str) -> (Option<char>, &str) {
    let operator = expression.chars().next().filter(|first| "+#./;?&=,!@|".contains(*first));
    (operator, expression.get(operator.map_or(0, char::len_utf8)..).unwrap_or_default())
}

fn is_query(operator: Option<char>) -> bool {
    matches!(operator, Some('?' | '&'))
}

fn check_variable(uri: &LitStr, operator: Option<char>, written: &str) -> Result<()> {
    let end = written.find(['*', ':']).unwrap_or(written.len());
    let (name, modifier) = written.split_at_checked(end).unwrap_or((written, ""));
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() {
        return Err(diag::variable_has_no_name(uri));
    }
    if !name.chars().all(is_allowed) || name.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(diag::bad_variable(uri, name));
    }
    match modifier.strip_prefix(':') {
        Some(length) => Err(diag::variable_is_cut(uri, operator, name, length)),
        None if !modifier.is_empty() => Err(diag::variable_is_exploded(uri, operator, name)),
        None => Ok(()),
    }
}
