//! The classes of a rule set, computed on demand.

use super::canonical::Canonical;
use super::class::{Casting, Class, Place};
use super::material::Material;
use super::placement::MAX_PIECES;
use super::signature::Traits;
use crate::game::Rules;
use std::sync::{Arc, OnceLock};

/// A class with its signature.
type Signed = (Vec<u64>, Arc<Class>);

/// All classes of one rule set, computed on demand.
pub struct Classes {
    traits: Traits,
    /// By number of pieces: the classes, each with its signature, in naming order.
    by_pieces: [OnceLock<Vec<Signed>>; MAX_PIECES + 1],
    /// By [`Material::key`].
    places: Box<[OnceLock<Option<Arc<Place>>>]>,
}

impl Classes {
    /// The classes of a rule set.
    pub fn new(rules: &Rules) -> Self {
        let places = std::iter::repeat_with(OnceLock::new).take(Material::KEYS).collect();
        Self { traits: Traits::new(rules), by_pieces: Default::default(), places }
    }

    /// What each animal may do.
    pub(super) const fn traits(&self) -> &Traits {
        &self.traits
    }

    /// The classes with this many pieces, in naming order. Empty above [`MAX_PIECES`].
    pub fn with_pieces(&self, rules: &Rules, pieces: usize) -> Vec<Arc<Class>> {
        self.table(rules, pieces).iter().map(|(_, class)| Arc::clone(class)).collect()
    }

    /// The location of a material's positions; `None` if it has more than [`MAX_PIECES`] pieces or a side has none.
    ///
    /// # Panics
    /// Never panics: every material is in some class.
    pub fn place(&self, rules: &Rules, material: Material) -> Option<&Arc<Place>> {
        let find = || {
            if material.len() > MAX_PIECES || material.is_one_sided() {
                return None;
            }
            let canonical = Canonical::new(&self.traits, material);
            let classes = self.table(rules, material.len());
            let found = classes.iter().find(|(signature, _)| *signature == canonical.signature);
            let (_, class) = found.expect("a material has a class among those of its number of pieces");
            let castings = canonical.castings.iter().map(|(swapped, sides)| Casting {
                swapped: *swapped,
                animals: class.groups.iter().map(|group| group.cast(sides)).collect(),
            });
            Some(Arc::new(Place { class: Arc::clone(class), castings: castings.collect() }))
        };
        self.places[material.key()].get_or_init(find).as_ref()
    }

    /// All materials of a class, in naming order; of two that differ only in colors, the one in which White has the
    /// larger side, and both if the sides are equally large.
    pub fn materials(&self, rules: &Rules, class: &Class) -> Vec<Material> {
        let mut materials = Material::all(rules, class.pieces());
        materials.retain(|&material| self.place(rules, material).is_some_and(|place| *place.class == *class));
        materials
    }

    fn table(&self, rules: &Rules, pieces: usize) -> &[Signed] {
        let Some(cell) = self.by_pieces.get(pieces) else { return &[] };
        cell.get_or_init(|| {
            let mut seen = std::collections::HashSet::new();
            let mut classes = Vec::new();
            for material in Material::all(rules, pieces) {
                let canonical = Canonical::new(&self.traits, material);
                if seen.insert(canonical.signature.clone()) {
                    let class = canonical.class(rules, &self.traits, material);
                    classes.push((canonical.signature, Arc::new(class)));
                }
            }
            classes
        })
    }
}
