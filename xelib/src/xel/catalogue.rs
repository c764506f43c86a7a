//! All that the metadata of a file defines, and what of it is wanted.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use super::kind::Kind;
use super::metadata::{Action, Event, Map, ObjectId, Package, Type};
use super::plan::Plan;

/// What to decode. None stands for all.
#[derive(Debug, Default, Clone)]
pub struct Selection {
    pub events: Option<HashSet<String>>,
    pub columns: Option<HashSet<String>>,
    /// Also where each event lies: block and offset.
    pub positions: bool,
}

impl Selection {
    pub fn wants_column(&self, name: &str) -> bool {
        self.columns.as_ref().is_none_or(|columns| columns.contains(name))
    }
}

#[derive(Debug, Default)]
pub struct Catalogue {
    /// Without their objects.
    packages: Vec<Package>,
    events: HashMap<ObjectId, Entry>,
    /// In the order of the file.
    event_ids: Vec<ObjectId>,
    actions: Vec<Action>,
    action_ids: HashSet<ObjectId>,
    maps: HashMap<ObjectId, Arc<Map>>,
    types: HashMap<ObjectId, Type>,
    selection: Selection,
}

#[derive(Debug)]
struct Entry {
    event: Event,
    wanted: bool,
    /// Made when the first event of the kind is met: by then its types are known.
    plan: OnceLock<Arc<Plan>>,
}

/// What there is to do with an event.
#[derive(Debug)]
pub enum Lookup<'a> {
    Unknown,
    Unwanted,
    /// What the columns cost before any value, and the plan.
    Wanted(Planned<'a>),
}

#[derive(Debug)]
pub struct Planned<'a> {
    catalogue: &'a Catalogue,
    entry: &'a Entry,
}

impl Planned<'_> {
    /// How many columns there may be, known without making the plan.
    pub fn columns(&self) -> usize {
        self.entry.event.columns.len() + self.catalogue.actions.len()
    }

    /// The plan, kept for all who ask; the first to ask makes it.
    pub fn plan(&self, make: impl FnOnce(&Event, &Catalogue) -> Plan) -> Arc<Plan> {
        let made = || Arc::new(make(&self.entry.event, self.catalogue));
        Arc::clone(self.entry.plan.get_or_init(made))
    }
}

impl Catalogue {
    pub fn new(selection: Selection) -> Self {
        Self { selection, ..Self::default() }
    }

    /// Adds what a package defines; the first definition of an object counts.
    ///
    /// Gives the names of objects that were defined before in another way. Metadata usually comes
    /// in two blocks that both hold the first package, with other objects each.
    pub fn add(&mut self, mut package: Package) -> Vec<String> {
        let mut redefined = Vec::new();
        for event in package.events.drain(..) {
            match self.events.get(&event.id) {
                Some(first) if first.event == event => {}
                Some(_) => redefined.push(format!("event {}", event.name)),
                None => {
                    let names = self.selection.events.as_ref();
                    let wanted = names.is_none_or(|names| names.contains(&event.name));
                    self.event_ids.push(event.id);
                    self.events.insert(event.id, Entry { event, wanted, plan: OnceLock::new() });
                }
            }
        }
        for action in package.actions.drain(..) {
            if self.action_ids.insert(action.id) {
                self.actions.push(action);
            }
        }
        for map in package.maps.drain(..) {
            self.maps.entry(map.id).or_insert_with(|| Arc::new(map));
        }
        for definition in package.types.drain(..) {
            self.types.entry(definition.id).or_insert(definition);
        }
        match self.packages.iter().find(|first| first.id == package.id) {
            Some(first) if first.time_base == package.time_base => {}
            Some(_) => redefined.push(format!("package {}", package.name)),
            None => self.packages.push(package),
        }
        // Plans made so far may lack what came now.
        self.events.values_mut().for_each(|entry| entry.plan = OnceLock::new());
        redefined
    }

    pub fn find(&self, id: ObjectId) -> Lookup<'_> {
        match self.events.get(&id) {
            None => Lookup::Unknown,
            Some(entry) if entry.wanted => Lookup::Wanted(Planned { catalogue: self, entry }),
            Some(_) => Lookup::Unwanted,
        }
    }

    pub fn has_event(&self, id: ObjectId) -> bool {
        self.events.contains_key(&id)
    }

    pub fn has_action(&self, id: ObjectId) -> bool {
        self.action_ids.contains(&id)
    }

    pub fn packages(&self) -> &[Package] {
        &self.packages
    }

    /// The package of an object; the first where that is not there.
    pub fn package_of(&self, id: ObjectId) -> Option<&Package> {
        let index = id.package();
        let own = self.packages.iter().find(|package| package.id.package() == index);
        own.or(self.packages.first())
    }

    /// In the order of the file.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.event_ids.iter().filter_map(|id| Some(&self.events.get(id)?.event))
    }

    /// In the order of the file.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    pub fn maps(&self) -> impl Iterator<Item = &Map> {
        self.maps.values().map(|map| &**map)
    }

    pub fn map(&self, id: ObjectId) -> Option<&Arc<Map>> {
        self.maps.get(&id)
    }

    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Kind and name of what a column or an action refers to.
    pub fn kind(&self, id: ObjectId) -> (Kind, &str) {
        let unknown = (Kind::Undefined, "unknown");
        if id.is_map() {
            self.maps.get(&id).map_or(unknown, |map| (Kind::of_map(map), "map"))
        } else {
            self.types.get(&id).map_or(unknown, |it| (Kind::of_type(it), &it.name))
        }
    }

    /// Bytes of a slot of a fixed size; None where the slot refers to a region.
    pub fn fixed_size(&self, id: ObjectId) -> Option<usize> {
        let size = match id.is_map() {
            true => self.maps.get(&id)?.key_size,
            false => self.types.get(&id)?.size,
        };
        (size > 0).then_some(usize::from(size))
    }
}
