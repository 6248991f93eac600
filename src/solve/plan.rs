//! Plans: the classes to generate, in order, with their estimated cost.

use super::estimate::Measured;
use super::memory::Need;
use crate::game::Rules;
use crate::material::graph::conversions;
use crate::material::{Class, Classes, Material};
use crate::table::{Metric, Registry};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;

/// A class of a plan.
#[derive(Clone, Debug)]
pub struct PlannedClass {
    /// The class.
    pub class: Arc<Class>,
    /// The materials that share its tables.
    pub materials: Vec<Material>,
    /// Indices of the steps of the classes that its captures lead to.
    pub depends_on: Vec<usize>,
    /// Number of positions its tables store.
    pub positions: u64,
    /// Bytes of memory needed to solve it.
    pub memory: u64,
    /// Bytes of memory that suffice if the bit planes are in scratch files.
    pub memory_least: u64,
    /// Bytes of scratch space, about: with enough memory, and with the least.
    pub scratch: [u64; 2],
    /// Size of its tables in bytes; an estimate if they do not exist.
    pub disk: u64,
    /// Estimated CPU seconds to solve it.
    pub cpu_seconds: f64,
    /// Whether all its tables exist and are of the right game; their blocks are not checked.
    pub is_there: bool,
    /// Its longest win in plies, if a DTW table exists.
    pub longest_plies: Option<u16>,
}

/// Classes in an order in which each comes after those it depends on.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Name of the rules.
    pub rules: String,
    /// Whether DTW is wanted besides WDL.
    pub distances: bool,
    /// The classes.
    pub steps: Vec<PlannedClass>,
}

/// Combined cost of several classes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Number of classes.
    pub classes: usize,
    /// Stored positions.
    pub positions: u64,
    /// Maximum memory of a single class in bytes.
    pub memory: u64,
    /// The same if bit planes are in scratch files.
    pub memory_least: u64,
    /// Maximum scratch space of a single class in bytes: with enough memory, and with the least.
    pub scratch: [u64; 2],
    /// Total size of the tables in bytes.
    pub disk: u64,
    /// Total CPU seconds.
    pub cpu_seconds: f64,
}

impl Plan {
    /// Plans classes given in dependency order and with all their dependencies, as [`crate::material::graph`] returns
    /// them.
    pub fn new(rules: &Rules, classes: &Classes, store: &Registry, wanted: &[Arc<Class>], distances: bool) -> Self {
        let mut materials = materials(rules, classes, wanted);
        let mut numbers = HashMap::new();
        let mut steps: Vec<PlannedClass> = Vec::with_capacity(wanted.len());
        for class in wanted {
            let key = class.representative.key();
            let places = conversions(classes, rules, class).into_iter().filter_map(|conversion| conversion.place);
            let mut depends_on: Vec<usize> =
                places.filter_map(|place| numbers.get(&place.class.representative.key()).copied()).collect();
            depends_on.sort_unstable();
            depends_on.dedup();
            numbers.insert(key, steps.len());
            let materials = materials.remove(&key).unwrap_or_default();
            steps.push(PlannedClass::new(store, class, materials, depends_on, distances));
        }
        Self { rules: rules.name().to_owned(), distances, steps }
    }

    /// The combined cost of the classes for which `counts` is true.
    pub fn totals(&self, counts: impl Fn(&PlannedClass) -> bool) -> Totals {
        let add = |sum: Totals, step: &PlannedClass| Totals {
            classes: sum.classes + 1,
            positions: sum.positions + step.positions,
            memory: sum.memory.max(step.memory),
            memory_least: sum.memory_least.max(step.memory_least),
            scratch: [0, 1].map(|at| sum.scratch[at].max(step.scratch[at])),
            disk: sum.disk + step.disk,
            cpu_seconds: sum.cpu_seconds + step.cpu_seconds,
        };
        self.steps.iter().filter(|step| counts(step)).fold(Totals::default(), add)
    }

    /// The chain of classes, each depending on the previous one, that takes the most CPU seconds: a lower bound on time
    /// with any number of machines.
    pub fn longest_path(&self) -> Vec<&PlannedClass> {
        let mut ends: Vec<(f64, Option<usize>)> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let before = step.depends_on.iter().map(|&at| (ends[at].0, Some(at)));
            let (seconds, before) = before.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
            ends.push((seconds + step.cpu_seconds, before));
        }
        let last = (0..ends.len()).max_by(|&a, &b| ends[a].0.total_cmp(&ends[b].0));
        let mut path: Vec<&PlannedClass> =
            std::iter::successors(last, |&at| ends[at].1).map(|at| &self.steps[at]).collect();
        path.reverse();
        path
    }

    /// The distinct numbers of pieces of its classes, in ascending order.
    pub fn pieces(&self) -> Vec<usize> {
        let mut pieces: Vec<usize> = self.steps.iter().map(|step| step.class.pieces()).collect();
        pieces.dedup();
        pieces
    }

    /// The plan as JSON.
    pub fn json(&self) -> Value {
        let all = self.totals(|_| true);
        let path = self.longest_path();
        json!({
            "rules": self.rules,
            "metric": if self.distances { "dtw" } else { "wdl" },
            "classes": all.classes,
            "positions_stored": all.positions,
            "memory": all.memory,
            "memory_least": all.memory_least,
            "scratch": all.scratch[0],
            "scratch_least_memory": all.scratch[1],
            "disk": all.disk,
            "cpu_seconds": tidy(all.cpu_seconds),
            "missing": self.totals(|step| !step.is_there).json(),
            "longest_path": {
                "cpu_seconds": tidy(path.iter().map(|step| step.cpu_seconds).sum()),
                "classes": path.iter().map(|step| step.class.name()).collect::<Vec<_>>(),
            },
            "estimates": self.pieces().into_iter().map(|pieces| self.estimates(pieces)).collect::<Vec<_>>(),
            "each": self.steps.iter().map(|step| self.step_json(step)).collect::<Vec<_>>(),
        })
    }

    fn step_json(&self, step: &PlannedClass) -> Value {
        json!({
            "class": step.class.name(),
            "pieces": step.class.pieces(),
            "materials": step.materials.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "depends_on": step.depends_on.iter().map(|&at| self.steps[at].class.name()).collect::<Vec<_>>(),
            "positions_stored": step.positions,
            "memory": step.memory,
            "memory_least": step.memory_least,
            "scratch": step.scratch[0],
            "scratch_least_memory": step.scratch[1],
            "disk": step.disk,
            "cpu_seconds": tidy(step.cpu_seconds),
            "there": step.is_there,
            "passes": step.longest_plies,
        })
    }

    /// The source of the estimates for a number of pieces.
    fn estimates(&self, pieces: usize) -> Value {
        let measured = Measured::for_pieces(pieces);
        json!({
            "pieces": measured.pieces,
            "positions_per_cpu_second": measured.rate[usize::from(self.distances)],
            "bits_per_position": {"wdl": measured.bits[0], "dtw": measured.bits[1]},
            "from": measured.from,
        })
    }
}

impl PlannedClass {
    fn new(
        store: &Registry,
        class: &Arc<Class>,
        materials: Vec<Material>,
        depends_on: Vec<usize>,
        distances: bool,
    ) -> Self {
        let pieces = class.pieces();
        let positions = class.stored_positions();
        let measured = Measured::for_pieces(pieces);
        let metrics = if distances { &[Metric::Wdl, Metric::Dtw][..] } else { &[Metric::Wdl] };
        let tables: Vec<_> = metrics.iter().map(|&metric| (metric, store.table(class, metric).ok())).collect();
        let bytes = |(metric, table): &(Metric, Option<Arc<crate::table::Table>>)| {
            table.as_ref().map_or_else(|| measured.bytes(positions, *metric), |table| table.file_len())
        };
        let distances_table = tables.iter().find(|(metric, _)| *metric == Metric::Dtw);
        let longest_plies = distances_table.and_then(|(_, table)| Some(table.as_ref()?.summary().longest_plies()));
        let need = Need::of(class, distances);
        let step = Self {
            class: Arc::clone(class),
            materials,
            depends_on,
            positions,
            memory: need.memory,
            memory_least: need.streamed,
            scratch: [need.journal, need.journal + need.planes],
            disk: tables.iter().map(bytes).sum(),
            cpu_seconds: measured.cpu_seconds(positions, distances),
            is_there: tables.iter().all(|(_, table)| table.is_some()),
            longest_plies,
        };
        // A plan covers thousands of classes.
        store.forget(class);
        step
    }
}

impl Totals {
    fn json(&self) -> Value {
        json!({
            "classes": self.classes,
            "positions_stored": self.positions,
            "memory": self.memory,
            "memory_least": self.memory_least,
            "scratch": self.scratch[0],
            "scratch_least_memory": self.scratch[1],
            "disk": self.disk,
            "cpu_seconds": tidy(self.cpu_seconds),
        })
    }
}

/// The materials of each class, by the key of its representative.
fn materials(rules: &Rules, classes: &Classes, wanted: &[Arc<Class>]) -> HashMap<usize, Vec<Material>> {
    let mut found: HashMap<usize, Vec<Material>> =
        wanted.iter().map(|class| (class.representative.key(), Vec::new())).collect();
    for level in wanted.chunk_by(|a, b| a.pieces() == b.pieces()) {
        for material in Material::all(rules, level[0].pieces()) {
            let class = classes.place(rules, material).map(|place| place.class.representative.key());
            if let Some(materials) = class.and_then(|key| found.get_mut(&key)) {
                materials.push(material);
            }
        }
    }
    found
}

/// Seconds rounded to the precision of an estimate.
fn tidy(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
