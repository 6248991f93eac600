//! The graph of classes: what captures lead to.

use super::class::{Class, Place};
use super::classes::Classes;
use super::group::Group;
use super::material::Material;
use crate::game::Rules;
use bitvec::prelude::*;
use std::sync::Arc;

/// The result of capturing a piece of a class.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The group of the class that loses a piece.
    pub victims: usize,
    /// The location of the remaining material's positions; `None` if the piece was the last of its side.
    pub place: Option<Arc<Place>>,
}

/// The conversions of a class by captures, one per group, in the class's own orientation.
pub fn conversions(classes: &Classes, rules: &Rules, class: &Class) -> Vec<Conversion> {
    let material = class.material();
    let conversion = |(victims, group): (usize, &Group)| {
        let rest = material.without(group.piece());
        Conversion { victims, place: classes.place(rules, rest).map(Arc::clone) }
    };
    class.groups.iter().enumerate().map(conversion).collect()
}

/// The classes that these materials need, including their own, in dependency order: by number of pieces, then by name.
pub fn closure(classes: &Classes, rules: &Rules, materials: &[Material]) -> Vec<Arc<Class>> {
    let mut seen = bitvec![0; Material::KEYS];
    let mut found = Vec::new();
    let places = materials.iter().filter_map(|&material| classes.place(rules, material));
    let mut open: Vec<Arc<Class>> = places.map(|place| Arc::clone(&place.class)).collect();
    while let Some(class) = open.pop() {
        if !seen.replace(class.representative.key(), true) {
            let later = conversions(classes, rules, &class).into_iter().filter_map(|conversion| conversion.place);
            open.extend(later.map(|place| Arc::clone(&place.class)));
            found.push(class);
        }
    }
    found.sort_by_key(|class| (class.pieces(), class.representative.naming_order()));
    found
}

/// All classes of up to `pieces` pieces, smaller ones first.
pub fn up_to(classes: &Classes, rules: &Rules, pieces: usize) -> Vec<Arc<Class>> {
    (2..=pieces).flat_map(|pieces| classes.with_pieces(rules, pieces)).collect()
}
