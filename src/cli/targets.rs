//! Targets of a run: numbers of pieces, or materials.

use super::exit::BadArgument;
use jungletb::game::Rules;
use jungletb::material::{Class, Classes, MAX_PIECES, Material, MaterialError, graph};
use jungletb::text::quoted;
use std::sync::Arc;

/// A number of pieces or a material.
enum Target {
    Pieces(usize),
    Material(Material),
}

/// The classes of up to N pieces for each number, those of the materials, and all their dependencies, smaller ones
/// first.
pub fn closure(targets: &[String], rules: &Rules, classes: &Classes) -> anyhow::Result<Vec<Arc<Class>>> {
    let mut materials = Vec::new();
    for target in read(targets, rules)? {
        match target {
            Target::Pieces(pieces) => {
                materials.extend(graph::up_to(classes, rules, pieces).iter().map(|class| class.representative));
            }
            Target::Material(material) => materials.push(with_table(material)?),
        }
    }
    Ok(graph::closure(classes, rules, &materials))
}

/// The classes of up to N pieces for each number and those of the materials, without dependencies, smaller ones first.
pub fn only(targets: &[String], rules: &Rules, classes: &Classes) -> anyhow::Result<Vec<Arc<Class>>> {
    let mut wanted = Vec::new();
    for target in read(targets, rules)? {
        match target {
            Target::Pieces(pieces) => wanted.extend(graph::up_to(classes, rules, pieces)),
            Target::Material(material) => {
                let place = classes.place(rules, with_table(material)?);
                wanted.extend(place.map(|place| Arc::clone(&place.class)));
            }
        }
    }
    wanted.sort_by_key(|class| (class.pieces(), class.name()));
    wanted.dedup();
    Ok(wanted)
}

/// The materials named by arguments, in order.
pub fn materials(arguments: &[String], rules: &Rules) -> anyhow::Result<Vec<Material>> {
    let materials = read(arguments, rules)?.into_iter().map(|target| match target {
        Target::Material(material) => Ok(material),
        Target::Pieces(pieces) => {
            Err(BadArgument(format!("{pieces}: name materials such as ERvL, not a number of pieces")).into())
        }
    });
    materials.collect()
}

/// The single material named by arguments: `ERvL`, or `ER v L`.
pub fn material(arguments: &[String], rules: &Rules) -> anyhow::Result<Material> {
    match materials(arguments, rules)?[..] {
        [material] => Ok(material),
        _ => Err(BadArgument(format!("{}: name one material", quoted(&arguments.join(" ")))).into()),
    }
}

fn read(arguments: &[String], rules: &Rules) -> anyhow::Result<Vec<Target>> {
    let mut targets = Vec::new();
    let mut rest = arguments;
    while let Some(first) = rest.first() {
        if first.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            let pieces = first.parse().ok().filter(|pieces| (2..=MAX_PIECES).contains(pieces));
            targets.push(Target::Pieces(pieces.ok_or_else(|| {
                BadArgument(format!("{} pieces: give a number from 2 to {MAX_PIECES}", quoted(first)))
            })?));
            rest = &rest[1..];
            continue;
        }
        let (material, taken) = read_material(rest, rules)?;
        targets.push(Target::Material(material));
        rest = &rest[taken..];
    }
    Ok(targets)
}

/// The material named by the first argument, or by it and the following ones: `L v R` may come as three arguments. Also
/// returns the number of arguments used.
fn read_material(arguments: &[String], rules: &Rules) -> Result<(Material, usize), MaterialError> {
    let error = match Material::parse(rules, &arguments[0]) {
        Ok(material) => return Ok((material, 1)),
        Err(error) => error,
    };
    // No material has more words.
    let most = arguments.len().min(2 * 8 + 1);
    let joined = |taken: usize| Some((Material::parse(rules, &arguments[..taken].join(" ")).ok()?, taken));
    (2..=most).rev().find_map(joined).ok_or(error)
}

/// The material, if it can have a table.
fn with_table(material: Material) -> anyhow::Result<Material> {
    if material.len() > MAX_PIECES {
        let pieces = material.len();
        return Err(BadArgument(format!("{material}: {pieces} pieces; no table has more than {MAX_PIECES}")).into());
    }
    Ok(material)
}
