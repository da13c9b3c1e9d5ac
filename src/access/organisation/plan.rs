//! What an import does, object by object.

/// What is done with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It is made.
    Create,
    /// It is changed.
    Update,
    /// It is as the document says already.
    Unchanged,
}

impl Action {
    /// In a word.
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
    /// What is done with it.
    pub action: Action,
    /// What it is.
    pub kind: &'static str,
    /// Its name for a person.
    pub name: String,
    /// The fields that change.
    pub fields: Vec<&'static str>,
}

/// All of them, in the order in which it is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan(pub Vec<Step>);

impl Plan {
    /// How many objects have this done with them.
    #[must_use]
    pub fn count(&self, action: Action) -> usize {
        self.0.iter().filter(|step| step.action == action).count()
    }
}
