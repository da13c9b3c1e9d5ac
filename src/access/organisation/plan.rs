//! The steps of an import, one per object.

/// The action taken on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It is created.
    Create,
    /// It is changed.
    Update,
    /// It already matches the document.
    Unchanged,
}

impl Action {
    /// Returns the action as one word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Unchanged => "unchanged",
        }
    }
}

/// One object of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The action.
    pub action: Action,
    /// The kind of object.
    pub kind: &'static str,
    /// Its display name.
    pub name: String,
    /// The fields that change.
    pub fields: Vec<&'static str>,
}

/// All steps, in order of execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan(pub Vec<Step>);

impl Plan {
    /// Returns the number of objects with this action.
    #[must_use]
    pub fn count(&self, action: Action) -> usize {
        self.0.iter().filter(|step| step.action == action).count()
    }
}
