//! Everything in the schema has a description, in plain punctuation.

use async_graphql::Positioned;
use async_graphql::parser::types::{FieldDefinition, InputValueDefinition, TypeKind, TypeSystemDefinition};

use super::{none, parsed};

/// Directives of GraphQL itself, described by its specification.
const BUILT_IN: &[&str] = &["include", "skip", "deprecated", "specifiedBy", "oneOf"];

type Description = Option<Positioned<String>>;

/// What lacks a description, or says it badly.
struct Undescribed(Vec<String>);

impl Undescribed {
    fn check(&mut self, name: &str, description: &Description) {
        match description.as_ref().map(|text| text.node.trim()) {
            None | Some("") => self.0.push(format!("{name} has no description")),
            Some(text) if text.contains(['\u{2014}', '\u{2013}']) => self.0.push(format!("{name}: a dash that reads badly in `{text}`")),
            Some(_) => {}
        }
    }

    fn fields(&mut self, owner: &str, fields: &[Positioned<FieldDefinition>]) {
        for field in fields {
            let name = format!("{owner}.{}", field.node.name.node);
            self.check(&name, &field.node.description);
            self.inputs(&name, &field.node.arguments);
        }
    }

    fn inputs(&mut self, owner: &str, inputs: &[Positioned<InputValueDefinition>]) {
        for input in inputs {
            self.check(&format!("{owner}({})", input.node.name.node), &input.node.description);
        }
    }
}

#[test]
fn everything_is_described() {
    let mut undescribed = Undescribed(Vec::new());
    for definition in parsed().definitions {
        match definition {
            TypeSystemDefinition::Schema(_) => {}
            TypeSystemDefinition::Directive(directive) => {
                let name = directive.node.name.node.to_string();
                if !BUILT_IN.contains(&name.as_str()) {
                    undescribed.check(&format!("@{name}"), &directive.node.description);
                    undescribed.inputs(&format!("@{name}"), &directive.node.arguments);
                }
            }
            TypeSystemDefinition::Type(ty) => {
                let name = ty.node.name.node.to_string();
                undescribed.check(&name, &ty.node.description);
                match &ty.node.kind {
                    TypeKind::Scalar | TypeKind::Union(_) => {}
                    TypeKind::Object(object) => undescribed.fields(&name, &object.fields),
                    TypeKind::Interface(interface) => undescribed.fields(&name, &interface.fields),
                    TypeKind::InputObject(input) => undescribed.inputs(&name, &input.fields),
                    TypeKind::Enum(choice) => {
                        for value in &choice.values {
                            undescribed.check(&format!("{name}.{}", value.node.value.node), &value.node.description);
                        }
                    }
                }
            }
        }
    }
    none(&undescribed.0);
}
