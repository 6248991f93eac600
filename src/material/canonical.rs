//! The canonical form of a material, with its pieces in the order that gives the least signature, so that materials
//! that are the same game have the same class; and the order in which the index places the groups of a class.

use super::class::Class;
use super::group::Group;
use super::material::Material;
use super::side::Side;
use super::signature::Traits;
use crate::game::{Animal, Color, Rules, SquareSet};
use std::cmp::Ordering;
use std::sync::OnceLock;

/// A material with its pieces in the order that gives the least signature.
pub struct Canonical {
    /// The key of the class.
    pub signature: Vec<u64>,
    /// The animals of the first and second side in canonical order, and whether White is the second; two entries if the
    /// sides can be exchanged.
    pub castings: Vec<(bool, [Vec<Animal>; 2])>,
}

impl Canonical {
    /// Brings a material into canonical order.
    pub fn new(traits: &Traits, material: Material) -> Self {
        let colors = Color::BOTH.map(|color| orders(traits, material.animals(color).collect()));
        let least = |first: usize| {
            let second = 1 - first;
            let mut best: Option<(Vec<u64>, [&Vec<Animal>; 2])> = None;
            for a in &colors[first] {
                for b in &colors[second] {
                    let signature = traits.signature([a, b]);
                    if best.as_ref().is_none_or(|(least, _)| signature < *least) {
                        best = Some((signature, [a, b]));
                    }
                }
            }
            let (signature, sides) = best.expect("there is at least one order");
            (signature, sides.map(Clone::clone))
        };
        let [straight, swapped] = [least(0), least(1)];
        // The larger side is first; a signature begins with the sizes of the sides.
        let order = swapped.0[0].cmp(&straight.0[0]).reverse().then_with(|| swapped.0.cmp(&straight.0));
        match order {
            Ordering::Less => Self { signature: swapped.0, castings: vec![(true, swapped.1)] },
            Ordering::Equal => Self { signature: straight.0, castings: vec![(false, straight.1), (true, swapped.1)] },
            Ordering::Greater => Self { signature: straight.0, castings: vec![(false, straight.1)] },
        }
    }

    fn sides(&self) -> &[Vec<Animal>; 2] {
        &self.castings[0].1
    }

    /// The class of the material, named by a representative.
    pub fn class(&self, rules: &Rules, traits: &Traits, representative: Material) -> Class {
        let mut groups: Vec<Group> = Vec::new();
        for side in Side::BOTH {
            let animals = &self.sides()[side.index()];
            let start = groups.len();
            for (i, &animal) in animals.iter().enumerate() {
                let like = groups[start..].iter_mut().find(|group| self.are_alike(traits, side, i, group.slots[0]));
                if let Some(group) = like {
                    group.animals.push(animal);
                    group.slots.push(i);
                } else {
                    let domain = rules.movement(side.color(), animal).domain;
                    groups.push(Group { side, animals: vec![animal], slots: vec![i], domain });
                }
            }
        }
        put_in_index_order(&mut groups, rules);
        Class {
            representative,
            groups,
            symmetric: self.castings.len() == 2,
            fingerprint: traits.fingerprint(&self.signature),
            index: OnceLock::new(),
        }
    }

    /// Whether exchanging two pieces of a side changes nothing.
    fn are_alike(&self, traits: &Traits, side: Side, i: usize, j: usize) -> bool {
        let mut sides = self.sides().clone();
        sides[side.index()].swap(i, j);
        traits.signature([&sides[0], &sides[1]]) == self.signature
    }
}

/// Sorts the groups into the order in which the index places them.
///
/// Smallest domain first, so that the number of squares left for a group does not depend on the squares of earlier
/// groups. Within that, the order that compresses best (FORMAT.md has the measurements): groups of a side together, the
/// side of the plane piece last; groups of several pieces before single ones, those that can capture many animals
/// before those that can capture few. The plane piece is a single piece if there is one among those that can swim, or
/// among all if none can. The order depends only on what the pieces may do.
fn put_in_index_order(groups: &mut [Group], rules: &Rules) {
    let power = |group: &Group| {
        let takes = rules.movement(group.side.color(), group.animal()).takes;
        let enemies = groups.iter().filter(|other| other.side != group.side).flat_map(|other| &other.animals);
        enemies.flat_map(|enemy| takes[enemy.index()]).map(SquareSet::len).sum::<usize>()
    };
    let powers: Vec<usize> = groups.iter().map(power).collect();
    let of_side = |side: Side| groups.iter().zip(&powers).filter(move |(group, _)| group.side == side);
    let widest = |side| of_side(side).map(|(group, _)| group.domain.len()).max();
    let total = |side| of_side(side).map(|(_, power)| power).sum::<usize>();
    let has_single =
        |side| of_side(side).any(|(group, _)| group.len() == 1 && Some(group.domain.len()) == widest(side));
    let merit = |side| (widest(side), has_single(side), of_side(side).count(), std::cmp::Reverse(total(side)));
    let last = if merit(Side::First) >= merit(Side::Second) { Side::First } else { Side::Second };
    let mut keyed: Vec<_> = groups
        .iter()
        .zip(&powers)
        .map(|(group, &power)| {
            let size = std::cmp::Reverse(group.len());
            ((group.domain.len(), group.side == last, size, std::cmp::Reverse(power)), group.clone())
        })
        .collect();
    keyed.sort_by_key(|(key, _)| *key);
    for (group, (_, sorted)) in groups.iter_mut().zip(keyed) {
        *group = sorted;
    }
}

/// All orders of a side's animals that are sorted by the abilities of each animal on its own.
fn orders(traits: &Traits, mut animals: Vec<Animal>) -> Vec<Vec<Animal>> {
    animals.sort_by_key(|&animal| traits.alone(animal));
    let mut orders = vec![Vec::new()];
    for run in animals.chunk_by(|&a, &b| traits.alone(a) == traits.alone(b)) {
        let permutations = permutations(run);
        orders = orders
            .iter()
            .flat_map(|order| permutations.iter().map(move |run| [order.as_slice(), run.as_slice()].concat()))
            .collect();
    }
    orders
}

fn permutations(items: &[Animal]) -> Vec<Vec<Animal>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (i, &first) in items.iter().enumerate() {
        let rest: Vec<Animal> = items.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &item)| item).collect();
        all.extend(permutations(&rest).into_iter().map(|tail| [&[first], tail.as_slice()].concat()));
    }
    all
}
