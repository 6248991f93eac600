//! What a run is about: a number of pieces, or materials.

use super::exit::BadArgument;
use jungletb::game::Rules;
use jungletb::material::{Class, Classes, MAX_PIECES, Material, graph};
use std::sync::Arc;

/// The classes of up to N pieces for each number, those of the materials, and all that these depend on, smaller ones
/// first.
pub fn closure(targets: &[String], rules: &Rules, classes: &Classes) -> anyhow::Result<Vec<Arc<Class>>> {
    let mut materials = Vec::new();
    for target in targets {
        if target.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            let pieces = target.parse().ok().filter(|pieces| (2..=MAX_PIECES).contains(pieces));
            let pieces = pieces
                .ok_or_else(|| BadArgument(format!("{target:?} pieces: give a number from 2 to {MAX_PIECES}")))?;
            materials.extend(graph::up_to(classes, rules, pieces).iter().map(|class| class.representative));
        } else {
            materials.push(material(target, rules)?);
        }
    }
    Ok(graph::closure(classes, rules, &materials))
}

/// The classes of the materials and no others, smaller ones first.
pub fn only(targets: &[String], rules: &Rules, classes: &Classes) -> anyhow::Result<Vec<Arc<Class>>> {
    let mut wanted = Vec::new();
    for target in targets {
        if target.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(BadArgument(format!("{target}: name materials such as ERvL, not a number of pieces")).into());
        }
        let place = classes.place(rules, material(target, rules)?);
        wanted.extend(place.map(|place| Arc::clone(&place.class)));
    }
    wanted.sort_by_key(|class| (class.pieces(), class.name()));
    wanted.dedup();
    Ok(wanted)
}

/// A material that can have a table.
fn material(text: &str, rules: &Rules) -> anyhow::Result<Material> {
    let material = Material::parse(rules, text)?;
    if material.len() > MAX_PIECES {
        let pieces = material.len();
        return Err(BadArgument(format!("{text}: {pieces} pieces; no table has more than {MAX_PIECES}")).into());
    }
    Ok(material)
}
