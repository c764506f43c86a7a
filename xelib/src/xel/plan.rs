//! How the events of one kind become columns.

use super::guid::Guid;
use super::kind::Kind;
use super::metadata::ObjectId;
use super::timestamp::TimeBase;

/// What stands in front of the names of action columns, and after those of key columns.
pub const ACTION_PREFIX: &str = "action_";
pub const KEY_SUFFIX: &str = "__key";
/// Columns that every batch begins with; a field of the same name is renamed.
pub const LEADING: [&str; 5] = ["_seq", "_time", "_ticks", "_block", "_offset"];

#[derive(Debug)]
pub struct Plan {
    pub event: ObjectId,
    pub name: String,
    pub description: String,
    pub uuid: Option<Guid>,
    /// Name and guid of the package.
    pub package: Option<(String, Guid)>,
    pub time_base: TimeBase,
    pub outputs: Vec<Output>,
    pub fields: Vec<Field>,
    /// By ascending id.
    pub actions: Vec<(ObjectId, Step)>,
    /// Bytes that a row of nulls costs, at most.
    pub row_bytes: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Field,
    Action,
}

/// A column of the batch.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    pub name: String,
    /// Name of the field or action.
    pub source: String,
    pub role: Role,
    /// Holds the keys of a map column.
    pub key: bool,
    pub type_name: String,
    /// Name of the map.
    pub map: Option<String>,
    pub description: String,
    pub arrow: &'static str,
}

/// A value and the outputs that it goes to.
#[derive(Debug, Clone)]
pub struct Step {
    pub kind: Kind,
    pub value: Option<usize>,
    pub key: Option<usize>,
}

impl Step {
    /// Name of the field or action.
    pub fn name<'a>(&self, plan: &'a Plan) -> &'a str {
        let output = self.value.or(self.key).and_then(|at| plan.outputs.get(at));
        output.map_or("", |output| &output.source)
    }
}

/// A column of the event, where it is in the payload.
#[derive(Debug, Clone)]
pub struct Field {
    pub offset: usize,
    /// None where the slot refers to a region.
    pub size: Option<usize>,
    pub step: Step,
}

impl Plan {
    pub fn action(&self, id: ObjectId) -> Option<&Step> {
        let at = self.actions.binary_search_by_key(&id, |&(id, _)| id).ok()?;
        Some(&self.actions[at].1)
    }
}
