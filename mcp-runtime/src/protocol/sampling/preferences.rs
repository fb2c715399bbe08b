//! Which model the client is to take.

use serde::Serialize;

/// Which model to take. A client may ignore it.
///
/// # Spec
/// 2026-07-28, `schema`, `ModelPreferences`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ModelPreferences {
    /// Parts of names of models, such as `haiku`; the first that the client has is taken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<ModelHint>,
    /// How much low cost matters, from 0.0 to 1.0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_priority: Option<f64>,
    /// How much speed matters, from 0.0 to 1.0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed_priority: Option<f64>,
    /// How much a capable model matters, from 0.0 to 1.0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intelligence_priority: Option<f64>,
}

impl ModelPreferences {
    /// No preferences.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a part of the name of a model, after those that come first.
    #[must_use]
    pub fn hint(mut self, name: impl Into<String>) -> Self {
        self.hints.push(ModelHint { name: name.into() });
        self
    }

    /// Says how much low cost matters, from 0.0 to 1.0.
    #[must_use]
    pub fn cost_priority(mut self, priority: f64) -> Self {
        self.cost_priority = Some(priority);
        self
    }

    /// Says how much speed matters, from 0.0 to 1.0.
    #[must_use]
    pub fn speed_priority(mut self, priority: f64) -> Self {
        self.speed_priority = Some(priority);
        self
    }

    /// Says how much a capable model matters, from 0.0 to 1.0.
    #[must_use]
    pub fn intelligence_priority(mut self, priority: f64) -> Self {
        self.intelligence_priority = Some(priority);
        self
    }

    pub(super) fn check(&self) -> Result<(), String> {
        let priorities = [self.cost_priority, self.speed_priority, self.intelligence_priority];
        match priorities.into_iter().flatten().find(|priority| !(0.0..=1.0).contains(priority)) {
            Some(priority) => Err(format!("a priority is a number from 0.0 to 1.0, got {priority}")),
            None => Ok(()),
        }
    }
}

/// A hint which model to take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ModelHint {
    /// A part of its name.
    pub name: String,
}
