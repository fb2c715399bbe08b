//! URI templates, read backwards: the values with which a template expands to a URI.
//!
//! RFC 6570 defines the expansion alone. Those of its forms are read that a URI can be told apart by: `{a}`, `{+a}`,
//! `{#a}`, `{.a}`, `{/a}`, `{?a,b}` and `{&a,b}`; [`Template::parse`] names for each other form the one to write.

mod parse;
mod unit;

#[cfg(test)]
mod tests;

use unit::Unit;

/// A URI, or a template of URIs.
#[derive(Debug, Default)]
pub(crate) struct Template {
    /// What comes before `members`; the whole template if it has neither `members` nor a fragment.
    head: Vec<Part>,
    members: Option<Members>,
    /// What begins with the `#`.
    fragment: Vec<Part>,
}

/// What takes a place of its own in a URI.
#[derive(Debug)]
enum Part {
    Text(Vec<Unit>),
    Variable(String, Extent),
}

/// Which characters belong to the value of a variable. Those that are percent-encoded always do.
#[derive(Debug, Clone, Copy)]
enum Extent {
    /// All but `/`, `?` and `#`.
    Segment,
    /// All but `&` and `#`: the value of one member of a query.
    Member,
    /// All.
    Rest,
}

/// The variables of `{?a,b}` and `{&a,b}`.
#[derive(Debug)]
struct Members {
    /// `?` if they begin the query, `&` if they go on with it.
    first: u8,
    /// How many `&` the text of the query before them has.
    before: usize,
    names: Vec<String>,
}

impl Template {
    /// Reads a URI or a template.
    ///
    /// # Errors
    /// What is wrong and what to write instead, to stand after the name of the resource.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        parse::template(text)
    }

    /// Whether it has no variables: a URI.
    pub(crate) fn is_plain(&self) -> bool {
        self.variables().next().is_none()
    }

    /// The names of the variables, in order.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        let fragment = self.fragment.iter().filter_map(Part::variable);
        self.head.iter().filter_map(Part::variable).chain(self.optional()).chain(fragment)
    }

    /// Which URIs are of the template, whatever those of its variables are called that no URI names.
    pub(crate) fn form(&self) -> String {
        let form = |parts: &[Part]| -> Vec<Result<Vec<Unit>, Extent>> { parts.iter().map(Part::form).collect() };
        format!("{:?} {:?} {:?}", form(&self.head), self.members, form(&self.fragment))
    }

    /// Whether a URI may leave the variable out: one of `{?a}` or `{&a}`.
    pub(crate) fn is_optional(&self, name: &str) -> bool {
        self.optional().any(|optional| optional == name)
    }

    fn optional(&self) -> impl Iterator<Item = &str> {
        self.members.iter().flat_map(|members| &members.names).map(String::as_str)
    }

    /// The variables that the URI has, in the order of the template, each with its percent-decoded value; `None` if it
    /// is not a URI of this template.
    ///
    /// Of several ways to read a URI, the variables that come first take as much as they can: of `a.tar.gz`,
    /// `{name}.{kind}` is `a.tar` and `gz`. A value can hold any character once it is decoded, `/` and `..` too.
    ///
    /// A query with another member, or one member twice, is not of the template. The URI is a resource's only name: a
    /// misspelt `?pgae=2` that was passed over would be answered, and cached, with the first page. The arguments of
    /// tools are treated alike.
    ///
    /// The time it takes is bounded by the length of the URI times that of the template.
    pub(crate) fn matches(&self, uri: &str) -> Option<Vec<(&str, String)>> {
        let uri = unit::units(uri)?;
        let (rest, fragment) = uri.split_at(self.fragment_at(&uri));
        let (head, query) = rest.split_at(self.members.as_ref().map_or(rest.len(), |members| members.at(rest)));

        let mut values = matched(&self.head, head)?;
        if let Some(members) = &self.members {
            values.extend(members.matched(query)?);
        }
        values.extend(matched(&self.fragment, fragment)?);
        values.into_iter().map(|(name, units)| Some((name, unit::decoded(units)?))).collect()
    }

    /// Where the fragment begins, as in any URI at the first `#`. In a template that ends before it, `{+a}` takes `#`.
    fn fragment_at(&self, uri: &[Unit]) -> usize {
        let is_open = self.members.is_none() && self.fragment.is_empty();
        uri.iter().position(|unit| !is_open && *unit == Unit::Plain(b'#')).unwrap_or(uri.len())
    }
}

impl Part {
    fn variable(&self) -> Option<&str> {
        match self {
            Self::Text(_) => None,
            Self::Variable(name, _) => Some(name),
        }
    }

    /// What it is but for its name.
    fn form(&self) -> Result<Vec<Unit>, Extent> {
        match self {
            Self::Text(text) => Ok(text.clone()),
            Self::Variable(_, extent) => Err(*extent),
        }
    }

    /// At which places of a URI this part and those after it match its rest, given at which places those do. Places are
    /// those before each unit, and the end.
    fn fits(&self, units: &[Unit], next: &[bool]) -> Vec<bool> {
        match self {
            Self::Text(text) => {
                let ends = next.iter().skip(text.len()).enumerate();
                let mut fits: Vec<bool> =
                    ends.map(|(at, end)| *end && units.get(at..).is_some_and(|rest| rest.starts_with(text))).collect();
                fits.resize(next.len(), false);
                fits
            }
            Self::Variable(_, extent) => {
                let mut fits = vec![false];
                let mut longer = false;
                for (unit, end) in units.iter().zip(next.iter().skip(1)).rev() {
                    longer = extent.has(*unit) && (longer || *end);
                    fits.push(longer);
                }
                fits.reverse();
                fits
            }
        }
    }
}

impl Extent {
    fn has(self, unit: Unit) -> bool {
        match unit {
            Unit::Encoded(_) => true,
            Unit::Plain(byte) => match self {
                Self::Segment => !matches!(byte, b'/' | b'?' | b'#'),
                Self::Member => !matches!(byte, b'&' | b'#'),
                Self::Rest => true,
            },
        }
    }
}

impl Members {
    /// Where they are in a URI: as in any URI the query begins at the first `?`.
    fn at(&self, uri: &[Unit]) -> usize {
        let query = uri.iter().position(|unit| *unit == Unit::Plain(b'?')).unwrap_or(uri.len());
        if self.first == b'?' {
            return query;
        }
        let is_and = |(_, unit): &(usize, &Unit)| **unit == Unit::Plain(b'&');
        uri.iter().enumerate().skip(query).filter(is_and).nth(self.before).map_or(uri.len(), |(at, _)| at)
    }

    fn matched<'t, 'u>(&'t self, query: &'u [Unit]) -> Option<Vec<(&'t str, &'u [Unit])>> {
        let Some((_, query)) = query.split_first() else { return Some(Vec::new()) };
        let mut found: Vec<Option<&[Unit]>> = vec![None; self.names.len()];
        for member in query.split(|unit| *unit == Unit::Plain(b'&')) {
            let mut sides = member.splitn(2, |unit| *unit == Unit::Plain(b'='));
            let name = unit::decoded(sides.next()?)?;
            let place = found.get_mut(self.names.iter().position(|known| *known == name)?)?;
            if place.replace(sides.next().unwrap_or_default()).is_some() {
                return None;
            }
        }
        let values = self.names.iter().zip(found);
        Some(values.filter_map(|(name, value)| Some((name.as_str(), value?))).collect())
    }
}

/// The values of the variables if the parts match all of the units.
///
/// First, from the end, where each part can begin; then, from the start, how long each variable is. Trying one length
/// after the other instead would take a time that grows with every further variable by the length of the URI.
fn matched<'t, 'u>(parts: &'t [Part], units: &'u [Unit]) -> Option<Vec<(&'t str, &'u [Unit])>> {
    // Most URIs are those of another template.
    if matches!(parts.first(), Some(Part::Text(text)) if !units.starts_with(text)) {
        return None;
    }
    let mut end = vec![false; units.len()];
    end.push(true);
    let mut rows = vec![end];
    for part in parts.iter().rev() {
        rows.push(part.fits(units, rows.last()?));
    }
    rows.pop()?.first().filter(|fits| **fits)?;

    let mut values = Vec::new();
    let mut rest = units;
    for part in parts {
        let next = rows.pop()?;
        let next = next.get(units.len() - rest.len()..)?;
        let length = match part {
            Part::Text(text) => text.len(),
            Part::Variable(_, extent) => {
                let taken = rest.iter().zip(next.iter().skip(1)).take_while(|(unit, _)| extent.has(**unit));
                taken.enumerate().filter(|(_, (_, end))| **end).last()?.0 + 1
            }
        };
        let (value, after) = rest.split_at_checked(length)?;
        values.extend(part.variable().map(|name| (name, value)));
        rest = after;
    }
    Some(values)
}
