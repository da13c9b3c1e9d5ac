//! What a connector type's fields become: a JSON Schema (draft 2020-12), and hints for drawing a form.

use serde_json::{Map, Value, json};

use super::field::{Field, Group, Kind, Rule, Spec};

/// No control characters.
const LINE: &str = r"^[^\u0000-\u001F\u007F]+$";
const LONGEST_LINE: u32 = 2_000;
const LONGEST_LINES: u32 = 65_536;
const MOST_ITEMS: u32 = 10_000;

/// The schema of a type's configuration.
pub(super) fn schema(spec: &Spec) -> Value {
    let fields: Vec<&Field> = spec.all_fields().collect();
    let mut schema = object(fields.iter().copied());
    insert(&mut schema, "$schema", json!("https://json-schema.org/draft/2020-12/schema"));
    insert(&mut schema, "title", json!(spec.title));
    insert(&mut schema, "description", json!(spec.about));
    if let Some(because) = spec.leads_nowhere {
        insert(&mut schema, "$comment", json!(format!("Nothing in it is a destination: {because}")));
    }
    if !spec.rules.is_empty() {
        insert(&mut schema, "allOf", spec.rules.iter().map(rule).collect());
    }
    schema
}

fn object<'f>(fields: impl Iterator<Item = &'f Field> + Clone) -> Value {
    let required: Vec<&str> = fields.clone().filter(|field| field.required).map(|field| field.name).collect();
    let properties: Map<String, Value> = fields.map(|field| (field.name.to_owned(), property(field))).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn property(field: &Field) -> Value {
    let mut schema = kind(field.kind);
    insert(&mut schema, "title", json!(field.title));
    insert(&mut schema, "description", json!(field.about));
    if field.is_secret() {
        insert(&mut schema, "writeOnly", json!(true));
    }
    if field.destination {
        insert(&mut schema, "x-destination", json!(true));
    }
    if let Some(preset) = field.preset.and_then(|json| serde_json::from_str(json).ok()) {
        insert(&mut schema, "default", preset);
    }
    if let Some(example) = field.example {
        insert(&mut schema, "examples", if is_list(field.kind) { json!([[example]]) } else { json!([example]) });
    }
    schema
}

fn kind(kind: Kind) -> Value {
    let text = |pattern: &str| json!({"type": "string", "pattern": pattern, "maxLength": LONGEST_LINE});
    let list = |items: Value| json!({"type": "array", "items": items, "minItems": 1, "maxItems": MOST_ITEMS, "uniqueItems": true});
    match kind {
        Kind::Text => text(LINE),
        Kind::Form(pattern) => text(pattern),
        Kind::Lines => json!({"type": "string", "minLength": 1, "maxLength": LONGEST_LINES}),
        Kind::Secret | Kind::SecretLines => json!({"anyOf": [
            {"type": "string", "minLength": 1, "maxLength": LONGEST_LINES},
            {
                "title": "Reference",
                "description": "`stored` keeps the secret that is stored; `env:NAME` and `file:NAME` are resolved where the worker runs, from its variables that begin with PUMPHOUSE_SECRET_ and from its directory of secrets.",
                "type": "object",
                "properties": {"$secret": {"type": "string", "pattern": "^(stored|(env|file):.{1,1000})$"}},
                "required": ["$secret"],
                "additionalProperties": false,
            },
        ]}),
        Kind::Whole(least, most) => json!({"type": "integer", "minimum": least, "maximum": most}),
        Kind::Flag => json!({"type": "boolean"}),
        Kind::OneOf(words) => json!({"type": "string", "enum": words}),
        Kind::Texts => list(text(LINE)),
        Kind::Urls => list(text(super::shared::WEB_FORM)),
        Kind::Items(fields) => list(object(fields.iter())),
    }
}

fn rule(rule: &Rule) -> Value {
    match rule {
        Rule::When { field, is, needs } => json!({
            "if": {"properties": {*field: {"enum": is}}, "required": [field]},
            "then": {"required": needs},
        }),
        Rule::AnyOf(fields, about) => {
            let each: Vec<Value> = fields.iter().map(|field| json!({"required": [field]})).collect();
            json!({"anyOf": each, "description": about})
        }
    }
}

/// How a form shows a type: fields in order and by group, what each is edited with, and when it is worth showing.
pub(super) fn hints(spec: &Spec) -> Value {
    let groups: Vec<Value> = Group::ALL
        .into_iter()
        .map(|group| (group, names(spec.all_fields().filter(|field| field.group == group))))
        .filter(|(_, fields)| !fields.is_empty())
        .map(|(group, fields)| json!({"title": group.title(), "fields": fields}))
        .collect();
    let fields: Map<String, Value> = spec.all_fields().map(|field| (field.name.to_owned(), hint(field, spec.rules))).collect();
    json!({"order": names(spec.all_fields()), "groups": groups, "fields": fields})
}

fn names<'f>(fields: impl Iterator<Item = &'f Field>) -> Vec<&'static str> {
    fields.map(|field| field.name).collect()
}

fn hint(field: &Field, rules: &[Rule]) -> Value {
    let mut hint = json!({"widget": widget(field.kind)});
    if let Some(example) = field.example {
        insert(&mut hint, "placeholder", json!(example));
    }
    let shown = rules.iter().find_map(|rule| match rule {
        Rule::When { field: on, is, needs } if needs.contains(&field.name) => Some(json!({"field": on, "is": is})),
        Rule::When { .. } | Rule::AnyOf(..) => None,
    });
    if let Some(shown) = shown {
        insert(&mut hint, "visibleWhen", shown);
    }
    if let Kind::Items(fields) = field.kind {
        insert(&mut hint, "fields", fields.iter().map(|field| (field.name.to_owned(), self::hint(field, &[]))).collect());
    }
    hint
}

const fn widget(kind: Kind) -> &'static str {
    match kind {
        Kind::Text | Kind::Form(_) => "text",
        Kind::Lines => "textarea",
        Kind::Secret => "password",
        Kind::SecretLines => "secretTextarea",
        Kind::Whole(..) => "number",
        Kind::Flag => "switch",
        Kind::OneOf(_) => "select",
        Kind::Texts | Kind::Urls => "list",
        Kind::Items(_) => "table",
    }
}

const fn is_list(kind: Kind) -> bool {
    matches!(kind, Kind::Texts | Kind::Urls | Kind::Items(_))
}

fn insert(object: &mut Value, name: &str, value: Value) {
    if let Value::Object(map) = object {
        map.insert(name.to_owned(), value);
    }
}
