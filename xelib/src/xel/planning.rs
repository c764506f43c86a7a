//! From the definition of an event to its plan.

use std::collections::HashSet;

use super::catalogue::Catalogue;
use super::columns::Column;
use super::kind::Kind;
use super::metadata::{Event, ObjectId};
use super::plan::{ACTION_PREFIX, Field, KEY_SUFFIX, LEADING, Output, Plan, Role, Step};

/// Says how the events of a kind become columns, as far as these are wanted.
pub fn plan(event: &Event, catalogue: &Catalogue) -> Plan {
    let package = catalogue.package_of(event.id);
    let mut names = Names::default();
    let mut outputs = Vec::new();
    let mut fields = Vec::new();
    for column in &event.columns {
        let output = Output {
            name: column.name.clone(),
            source: column.name.clone(),
            role: Role::Field,
            key: false,
            type_name: String::new(),
            map: None,
            description: column.description.clone(),
            arrow: "",
        };
        if let Some(step) = step(column.type_id, output, catalogue, &mut names, &mut outputs) {
            let size = catalogue.fixed_size(column.type_id);
            fields.push(Field { offset: usize::from(column.offset), size, step });
        }
    }
    let mut actions = Vec::new();
    for action in catalogue.actions() {
        let output = Output {
            name: format!("{ACTION_PREFIX}{}", action.name),
            source: action.name.clone(),
            role: Role::Action,
            key: false,
            type_name: String::new(),
            map: None,
            description: action.description.clone(),
            arrow: "",
        };
        let step = step(action.type_id, output, catalogue, &mut names, &mut outputs);
        actions.extend(step.map(|step| (action.id, step)));
    }
    actions.sort_by_key(|&(id, _)| id);
    let row_bytes =
        outputs.iter().map(|output| Column::null_bytes(output.arrow)).sum::<usize>() + 40;
    Plan {
        event: event.id,
        name: event.name.clone(),
        description: event.description.clone(),
        uuid: event.uuid(),
        package: package.map(|package| (package.name.clone(), package.guid)),
        time_base: package.map(|package| package.time_base).unwrap_or_default(),
        outputs,
        fields,
        actions,
        row_bytes,
    }
}

/// Adds the outputs that are wanted of a field or an action; None where none is.
fn step(
    type_id: ObjectId,
    output: Output,
    catalogue: &Catalogue,
    names: &mut Names,
    outputs: &mut Vec<Output>,
) -> Option<Step> {
    let (kind, type_name) = catalogue.kind(type_id);
    let selection = catalogue.selection();
    let map = catalogue.map(type_id).map(|map| map.name.clone());
    let mut add = |output: Output| {
        let map = map.clone();
        let output = Output { name: names.unique(output.name), map, ..output };
        let wanted = selection.wants_column(&output.name);
        wanted.then(|| {
            outputs.push(output);
            outputs.len() - 1
        })
    };
    let mut key = None;
    let value =
        add(Output { arrow: kind.arrow(), type_name: type_name.to_owned(), ..output.clone() });
    if let Kind::Map(map) = &kind {
        key = add(Output {
            name: format!("{}{KEY_SUFFIX}", output.name),
            key: true,
            type_name: type_name.to_owned(),
            arrow: Kind::key_arrow(map),
            ..output
        });
    }
    (value.is_some() || key.is_some()).then_some(Step { kind, value, key })
}

/// Names of columns so far: those of a batch differ.
struct Names(HashSet<String>);

impl Default for Names {
    fn default() -> Self {
        Self(LEADING.iter().map(|&name| name.to_owned()).collect())
    }
}

impl Names {
    fn unique(&mut self, name: String) -> String {
        let mut unique = name.clone();
        let mut n = 1;
        while !self.0.insert(unique.clone()) {
            n += 1;
            unique = format!("{name}_{n}");
        }
        unique
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_batch_differ() {
        let mut names = Names::default();
        let unique = ["a", "a", "a", "_time", "a_2"].map(|name| names.unique(name.into()));
        assert_eq!(unique, ["a", "a_2", "a_3", "_time_2", "a_2_2"]);
    }
}
