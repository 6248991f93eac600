//! The rows of a material: all its positions with a side to move and no piece in a den, each exactly once.
//!
//! Rows come in the order of the table, so any range of placements is read by itself, and memory does not grow with the
//! table. A stored placement makes one row for each order of its like pieces, and as many for its mirror image, unless
//! that is the placement itself.

use crate::distances::SideValues;
use crate::game::{Color, Piece, Square};
use crate::material::{Casting, Class, MAX_PIECES, Material, Place};
use crate::probe::{ProbeError, Tablebase};
use crate::system::fallibly;
use crate::table::{Metric, TableError, Value};
use std::io::ErrorKind;
use std::ops::Range;
use std::sync::Arc;

/// All positions of a material with a side to move.
///
/// ```
/// use jungletb::analysis::rows::{Chunk, Rows};
/// use jungletb::game::{Color, Rules};
/// use jungletb::material::Material;
/// use jungletb::probe::Tablebase;
///
/// let rules = Rules::standard();
/// let tables = Tablebase::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tablebases"), &rules)?;
/// let rows = Rows::new(&tables, Material::parse(&rules, "LvR")?, Color::White)?;
/// let mut chunk = Chunk::default();
/// rows.read(0..rows.placements(), &mut chunk)?;
/// assert_eq!((rows.len(), chunk.values.len(), chunk.squares.len()), (2940, 2940, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Rows {
    place: Arc<Place>,
    to_move: Color,
    pieces: Vec<Piece>,
    values: SideValues,
    /// By square of the class: the square in the material, and in the mirror image.
    squares: [[u8; Square::COUNT]; 2],
    /// For each group, its first slot; each piece of a group has a slot.
    first_slots: Vec<usize>,
    /// For each order of like pieces: the slot of each piece.
    orders: Vec<Vec<usize>>,
}

/// Consecutive rows, by column.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// For each piece of the material, its squares ([`Square::index`]).
    pub squares: Vec<Vec<u8>>,
    /// The values for the side to move; with a WDL table only the category is meaningful.
    pub values: Vec<Value>,
}

impl Chunk {
    /// Removes all rows, and keeps the memory.
    pub fn clear(&mut self) {
        self.squares.iter_mut().for_each(Vec::clear);
        self.values.clear();
    }

    /// Makes room for more rows of this many pieces; false if memory is exhausted.
    pub fn reserve(&mut self, pieces: usize, rows: usize) -> bool {
        self.squares.resize_with(pieces, Vec::new);
        fallibly(|| {
            self.squares.iter_mut().all(|column| column.try_reserve(rows).is_ok())
                && self.values.try_reserve(rows).is_ok()
        })
    }
}

impl Rows {
    /// The rows of the best table: DTW, else WDL. The distances of a DTW table take about a byte of memory per position
    /// of the other side.
    ///
    /// # Errors
    /// Returns an error if a table is missing or damaged, or if memory is exhausted.
    pub fn new(tables: &Tablebase, material: Material, to_move: Color) -> Result<Self, ProbeError> {
        let place = tables.place(material)?;
        let values = tables.values(material, place.casting(to_move).1)?;
        Ok(Self::of(tables, material, to_move, place, values))
    }

    /// The rows with categories only, which need no distances: of the WDL table, else of the DTW table.
    ///
    /// # Errors
    /// As [`Rows::new`].
    pub fn of_results(tables: &Tablebase, material: Material, to_move: Color) -> Result<Self, ProbeError> {
        let place = tables.place(material)?;
        let values = tables.results(material, place.casting(to_move).1)?;
        Ok(Self::of(tables, material, to_move, place, values))
    }

    fn of(tables: &Tablebase, material: Material, to_move: Color, place: &Arc<Place>, values: SideValues) -> Self {
        let board = tables.rules().board();
        let (casting, _) = place.casting(to_move);
        let mut squares = [[0; Square::COUNT]; 2];
        for number in 0..board.ranks * Square::FILES {
            let square = Square::new(number);
            let there = if casting.swapped { board.turn(square) } else { square };
            squares[0][square.index()] = there.index() as u8;
            squares[1][square.index()] = there.mirror().index() as u8;
        }
        let pieces: Vec<Piece> = material.pieces().collect();
        let first_slots = place.class.groups.iter().scan(0, |next, group| {
            *next += group.len();
            Some(*next - group.len())
        });
        let first_slots: Vec<usize> = first_slots.collect();
        let orders = orders(&place.class, casting, &pieces, &first_slots);
        Self { place: Arc::clone(place), to_move, pieces, values, squares, first_slots, orders }
    }

    /// The pieces, which are the columns of squares: White's first, strongest first.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The side to move.
    pub const fn to_move(&self) -> Color {
        self.to_move
    }

    /// Whether the table has distances.
    pub fn has_distances(&self) -> bool {
        self.values.table().header().metric == Metric::Dtw
    }

    /// The values from which the rows are made.
    pub const fn values(&self) -> &SideValues {
        &self.values
    }

    /// Number of rows.
    pub fn len(&self) -> u64 {
        let sides = &self.values.table().summary().sides;
        sides[self.place.casting(self.to_move).1.index().min(sides.len() - 1)].total()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of stored placements.
    pub fn placements(&self) -> u64 {
        self.place.class.index().len()
    }

    /// The greatest number of placements that make at most this many rows, at least one; a multiple of the table's block
    /// length, which is read fastest, unless that makes more rows.
    pub fn step(&self, rows: usize) -> u64 {
        let most = (rows / (2 * self.orders.len())).max(1) as u64;
        let block = u64::from(self.values.table().header().block_len);
        if most < block { most } else { most - most % block }
    }

    /// Appends the rows of these placements to a chunk.
    ///
    /// # Errors
    /// Returns an error if a table is damaged, or if memory is exhausted.
    ///
    /// # Panics
    /// Panics if the range exceeds [`Rows::placements`].
    pub fn read(&self, numbers: Range<u64>, chunk: &mut Chunk) -> Result<(), ProbeError> {
        let table = self.values.table();
        let no_memory = || ProbeError::from(TableError::io(table.path(), "load")(ErrorKind::OutOfMemory.into()));
        let count = (numbers.end - numbers.start) as usize;
        let mut values = crate::system::filled(count, Value::DRAW).map_err(|_| no_memory())?;
        if !chunk.reserve(self.pieces.len(), 2 * self.orders.len() * count) {
            return Err(no_memory());
        }
        self.values.read(numbers.start, &mut values)?;
        let mut rest = &values[..];
        for run in self.place.class.index().runs(numbers) {
            let (values, later) = rest.split_at(run.plane.len());
            rest = later;
            // The lowest piece of the plane group has its first slot, and takes all squares of the run.
            let plane = self.first_slots[run.plane_group];
            let mut fixed = [0; MAX_PIECES];
            for (group, (&first, set)) in self.first_slots.iter().zip(run.sets).enumerate() {
                let first = first + usize::from(group == run.plane_group);
                for (slot, square) in (first..).zip(set) {
                    fixed[slot] = square.index();
                }
            }
            let images = if run.is_mirror { &self.squares[..1] } else { &self.squares };
            for (column, squares) in chunk.squares.iter_mut().enumerate() {
                for square in run.plane {
                    for image in images {
                        for slot in self.orders.iter().map(|order| order[column]) {
                            squares.push(image[if slot == plane { square.index() } else { fixed[slot] }]);
                        }
                    }
                }
            }
            let rows_per_placement = images.len() * self.orders.len();
            for &value in values {
                chunk.values.resize(chunk.values.len() + rows_per_placement, value);
            }
        }
        Ok(())
    }
}

/// All ways to assign the pieces to the slots of their groups.
fn orders(class: &Class, casting: &Casting, pieces: &[Piece], first_slots: &[usize]) -> Vec<Vec<usize>> {
    let mut orders = vec![vec![0; pieces.len()]];
    for ((group, animals), &first) in class.groups.iter().zip(&casting.animals).zip(first_slots) {
        let color = casting.color(group.side);
        let columns: Vec<usize> = animals
            .iter()
            .filter_map(|&animal| pieces.iter().position(|piece| *piece == Piece { color, animal }))
            .collect();
        let permutations = permutations(columns.len());
        let extended = orders.iter().flat_map(|order| {
            permutations.iter().map(|slots| {
                let mut order = order.clone();
                for (&column, slot) in columns.iter().zip(slots) {
                    order[column] = first + slot;
                }
                order
            })
        });
        orders = extended.collect();
    }
    orders
}

/// All orders of the numbers below `len`.
fn permutations(len: usize) -> Vec<Vec<usize>> {
    let Some(last) = len.checked_sub(1) else { return vec![Vec::new()] };
    let insert = |shorter: Vec<usize>| {
        (0..len).map(move |at| {
            let mut order = shorter.clone();
            order.insert(at, last);
            order
        })
    };
    permutations(last).into_iter().flat_map(insert).collect()
}
