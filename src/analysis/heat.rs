//! Heat maps: the results of a material with each of its pieces on each square.
//!
//! The table is read sequentially. Placements come in runs that differ in one square only, so the results of a run are
//! counted once and then added to the squares of all other pieces. A stored placement also represents its mirror image,
//! which is added at the end, and every order of its like pieces, which share their squares evenly.

use crate::game::{Category, Color, Piece, Rules, Square};
use crate::material::{Class, Material, Side};
use crate::probe::{ProbeError, Tablebase};
use crate::system::Cancel;
use crate::table::{Metric, Table, TableError, Value};
use rayon::prelude::*;
use serde_json::json;

/// Counts of positions, for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Won by the side to move.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost by the side to move.
    pub losses: u64,
}

impl Counts {
    /// Total number of positions.
    pub const fn total(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Adds other counts.
    fn add(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }

    fn times(self, factor: u64) -> Self {
        Self { wins: self.wins * factor, draws: self.draws * factor, losses: self.losses * factor }
    }

    fn count(&mut self, category: Category) {
        match category {
            Category::Win => self.wins += 1,
            Category::Draw => self.draws += 1,
            Category::Loss => self.losses += 1,
        }
    }
}

/// Counts over all positions of a material by the square of one piece: legal positions with no piece in a den, without
/// any reduction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceHeat {
    /// The piece.
    pub piece: Piece,
    /// With White and with Black to move: the counts by the piece's square, [`Square::index`].
    pub by_color: [Vec<Counts>; 2],
}

impl PieceHeat {
    /// White's wins, draws, and Black's wins with the piece on a square, for either side to move.
    pub fn for_white(&self, square: Square) -> Counts {
        let [white, black] = [&self.by_color[0], &self.by_color[1]].map(|counts| counts[square.index()]);
        Counts { wins: white.wins + black.losses, draws: white.draws + black.draws, losses: white.losses + black.wins }
    }
}

/// The heat maps of a material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heat {
    /// For each piece: White's before Black's, strongest first as in the material's name.
    pub pieces: Vec<PieceHeat>,
}

/// Counts by square for two kinds of placements: those that also represent a mirror image, and those that are their
/// own.
type Raw = Vec<[[Counts; Square::COUNT]; 2]>;

/// Placements per unit of work of a thread.
const CHUNK: u64 = 1 << 20;

impl Heat {
    /// Counts all positions of a material, with all threads.
    ///
    /// # Errors
    /// Returns an error if a table is missing or damaged, or on cancellation.
    pub fn new(tables: &Tablebase, material: Material, cancel: &Cancel) -> Result<Self, ProbeError> {
        let place = tables.place(material)?;
        let (class, rules) = (&place.class, tables.rules());
        let table = match tables.registry().table(class, Metric::Wdl) {
            Err(TableError::Missing { .. }) => tables.table(material)?,
            table => table?,
        };
        let sides = class.stored_sides().iter().map(|&side| count(class, &table, side, cancel));
        let sides = sides.collect::<Result<Vec<_>, _>>()?;
        let piece_heat = |piece: Piece| {
            let by_color = Color::BOTH.map(|to_move| {
                let (casting, side) = place.casting(to_move);
                let group = casting.animals.iter().zip(&class.groups).position(|(animals, group)| {
                    casting.color(group.side) == piece.color && animals.contains(&piece.animal)
                });
                // Every piece of the material belongs to a group of its class.
                group.map_or_else(Vec::new, |group| {
                    let share = class.like_orders() / class.groups[group].len() as u64;
                    on_board(rules, &sides[side.index()][group], casting.swapped, share)
                })
            });
            PieceHeat { piece, by_color }
        };
        Ok(Self { pieces: material.pieces().map(piece_heat).collect() })
    }

    /// The maps as JSON: `white` is with White to move, where a win is White's; `black` likewise. Each list has one
    /// number per square, a1 b1 … g1 a2 … g9.
    pub fn json(&self, tables: &Tablebase, material: Material) -> serde_json::Value {
        let list = |counts: &[Counts], of: fn(&Counts) -> u64| counts.iter().map(of).collect::<Vec<_>>();
        let side = |counts: &[Counts]| {
            json!({
                "win": list(counts, |counts| counts.wins),
                "draw": list(counts, |counts| counts.draws),
                "loss": list(counts, |counts| counts.losses),
            })
        };
        let piece = |heat: &PieceHeat| {
            json!({
                "piece": heat.piece.letter().to_string(),
                "white": side(&heat.by_color[0]),
                "black": side(&heat.by_color[1]),
            })
        };
        json!({
            "material": material.to_string(),
            "rules": tables.rules().name(),
            "class": tables.place(material).map(|place| place.class.name()).unwrap_or_default(),
            "pieces": self.pieces.iter().map(piece).collect::<Vec<_>>(),
        })
    }
}

/// Counts the positions with one side to move, by group and square in the class's own orientation.
fn count(class: &Class, table: &Table, side: Side, cancel: &Cancel) -> Result<Raw, TableError> {
    let len = class.index().len();
    let blank = || vec![[[Counts::default(); Square::COUNT]; 2]; class.groups.len()];
    (0..len.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            if cancel.is_cancelled() {
                return Err(TableError::Interrupted { path: table.path().to_owned() });
            }
            let start = chunk * CHUNK;
            let mut values = vec![Value::DRAW; CHUNK.min(len - start) as usize];
            table.read(side, start, &mut values)?;
            let mut raw = blank();
            count_values(class, start, &values, &mut raw);
            Ok(raw)
        })
        .try_reduce(blank, |mut all, part| {
            for (all, part) in all.iter_mut().flatten().flatten().zip(part.iter().flatten().flatten()) {
                all.add(*part);
            }
            Ok(all)
        })
}

fn count_values(class: &Class, start: u64, values: &[Value], raw: &mut Raw) {
    let mut rest = values;
    for run in class.index().runs(start..start + values.len() as u64) {
        let kind = usize::from(run.is_mirror);
        let (values, later) = rest.split_at(run.plane.len());
        rest = later;
        let mut all = Counts::default();
        for (square, value) in run.plane.into_iter().zip(values) {
            raw[run.plane_group][kind][square.index()].count(value.category());
            all.count(value.category());
        }
        for (raw, &squares) in raw.iter_mut().zip(&run.sets) {
            for square in squares {
                raw[kind][square.index()].add(all);
            }
        }
    }
}

/// The counts with mirror images, on the board as oriented for the material's colors.
fn on_board(rules: &Rules, raw: &[[Counts; Square::COUNT]; 2], swapped: bool, share: u64) -> Vec<Counts> {
    let board = rules.board();
    let mut counts = vec![Counts::default(); usize::from(board.ranks * Square::FILES)];
    for square in board.squares {
        let mut here = raw[1][square.index()];
        here.add(raw[0][square.index()]);
        here.add(raw[0][square.mirror().index()]);
        let square = if swapped { board.turn(square) } else { square };
        counts[square.index()] = here.times(share);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SHIPPED;
    use crate::game::Position;

    /// Visits every position of the material.
    fn place_all(rules: &Rules, pieces: &[Piece], position: Position, visit: &mut dyn FnMut(&Position)) {
        let Some((&piece, later)) = pieces.split_first() else { return visit(&position) };
        let taken = position.occupied(Color::White) | position.occupied(Color::Black);
        for square in rules.movement(piece.color, piece.animal).domain.without(taken) {
            let mut position = position;
            position.set(piece, Some(square));
            place_all(rules, later, position, visit);
        }
    }

    #[test]
    fn maps_are_what_single_probes_give() {
        let rules = Rules::standard();
        let tables = Tablebase::open(SHIPPED, &rules).unwrap();
        // Symmetric and not, with either color as the larger side, with like pieces, with the plane piece among them.
        for name in ["EvE", "LvR", "RvE", "EvPW", "PWvC", "CRvD"] {
            let material = Material::parse(&rules, name).unwrap();
            let heat = Heat::new(&tables, material, &Cancel::new()).unwrap();
            let pieces: Vec<Piece> = heat.pieces.iter().map(|heat| heat.piece).collect();
            let letters: String = pieces.iter().map(|piece| piece.letter().to_ascii_uppercase()).collect();
            assert_eq!(letters, name.replace('v', ""));
            let mut expected = heat.clone();
            for counts in expected.pieces.iter_mut().flat_map(|heat| &mut heat.by_color) {
                assert_eq!(counts.len(), 63);
                counts.fill(Counts::default());
            }
            for to_move in Color::BOTH {
                place_all(&rules, &pieces, Position::empty(to_move), &mut |position| {
                    let category = tables.wdl(position).unwrap();
                    for heat in &mut expected.pieces {
                        let square = position.square(heat.piece).unwrap();
                        heat.by_color[to_move.index()][square.index()].count(category);
                    }
                });
            }
            assert_eq!(heat, expected, "{name}");
        }
    }
}
