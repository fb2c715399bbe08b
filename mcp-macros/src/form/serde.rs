//! The keys of `#[serde(…)]` and `#[schemars(…)]` that say what a client sends.

use syn::{Attribute, Ident, Meta};

use crate::entries::{parse_key, split_at_commas};

/// One key, and the attribute that it stands in. Those that cannot be read are left to the other derive macros.
pub(super) struct SerdeKey {
    pub(super) owner: &'static str,
    pub(super) key: Ident,
}

impl SerdeKey {
    pub(super) fn is_one_of(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.key == *name)
    }
}

pub(super) fn keys(attrs: &[Attribute]) -> Vec<SerdeKey> {
    attrs.iter().flat_map(keys_of).collect()
}

fn keys_of(attr: &Attribute) -> Vec<SerdeKey> {
    let owner = ["serde", "schemars"].into_iter().find(|owner| attr.path().is_ident(owner));
    let (Some(owner), Meta::List(list)) = (owner, &attr.meta) else {
        return Vec::new();
    };
    let keys = split_at_commas(list.tokens.clone()).into_iter().filter_map(|entry| parse_key(owner, entry).ok());
    keys.map(|key| SerdeKey { owner, key: key.ident }).collect()
}
