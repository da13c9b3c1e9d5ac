//! `filter`: passes only messages that match a condition.

use super::condition::{self, Condition};
use super::given::Given;
use super::parameter::{Kind, Parameter};
use super::types::TransformType;
use super::{Message, Output, Transform};

pub(super) const TYPE: TransformType = TransformType {
    id: "filter",
    title: "Filter",
    description: "Passes on only the messages for which the condition holds. A condition is {\"field\": path, \"op\": ..., \"value\": ...}, or {\"all\": [...]}, {\"any\": [...]}, {\"not\": ...} of conditions. `op` is eq, ne, lt, le, gt, ge (numbers by size, texts by their characters), in (`value` is a list), contains (a text a text, a list an item), starts_with, ends_with, or exists (there and not null, without `value`). What is missing is null; other comparisons between different kinds of values do not hold.",
    parameters: &[Parameter::needed("where", Kind::Own(condition::schema), "The condition for a message to be passed on.")],
    build,
};

struct Filter {
    condition: Condition,
    tests: usize,
}

fn build(given: &mut Given<'_>) -> Option<Box<dyn Transform>> {
    let value = given.value("where")?;
    let mut violations = Vec::new();
    let condition = Condition::read(value, "/where", 0, &mut violations);
    for (place, rule) in violations {
        given.fault(&place, rule);
    }
    let condition = condition?;
    let tests = condition.tests();
    Some(Box::new(Filter { condition, tests }))
}

impl Transform for Filter {
    fn apply(&self, message: Message, output: &mut Output<'_>) -> Result<(), String> {
        output.budget.look(&message, self.tests)?;
        if self.condition.holds(&message) {
            output.push(message);
        }
        Ok(())
    }
}
