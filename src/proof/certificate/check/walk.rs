//! Traversal of the strategy: each position is checked against the move generator.

use super::super::wire::{Head, PackedPosition, code, read_number};
use super::CheckProgress;
use super::error::CheckError;
use super::source::Source;
use super::stream::Stream;
use crate::game::{Category, Color, Move, Over, Position, Rules, Successor};
use crate::material::Material;
use crate::probe::{ProbeError, Tablebase};
use crate::text::plies;
use std::collections::HashSet;
use std::io::{BufRead, Take};
use zstd::stream::read::Decoder;

/// The height of the position one ply earlier. Saturates above any number of plies that can be claimed, so that nothing
/// overflows.
const fn before(height: u16) -> u16 {
    height.saturating_add(1)
}

/// A labelled position.
struct Label {
    position: PackedPosition,
    /// `None` while its strategy is being read.
    height: Option<u16>,
}

/// A position with the loser to move whose replies are being read, with the winner's move that leads to it.
struct Frame {
    position: Position,
    /// The winner's move; `None` at the root of a claim that the side to move is lost.
    mv: Option<Move>,
    /// The labels of the positions before and after that move.
    labels: [Option<usize>; 2],
    /// All legal moves, in order.
    replies: Vec<Move>,
    /// Number of replies read.
    read: usize,
    /// The greatest height of those.
    longest: u16,
}

/// The state of a check.
pub struct Checker<'a, R> {
    file: &'a Source<'a>,
    rules: &'a Rules,
    tables: &'a Tablebase,
    /// The tables that the certificate depends on, by the representatives of their classes.
    listed: HashSet<Material>,
    winner: Color,
    /// Length in plies of the longest line that can still prove the claim.
    longest: u16,
    bytes: Stream<R>,
    labels: Vec<Label>,
    frames: Vec<Frame>,
    pub positions: u64,
    progress: &'a mut dyn FnMut(&CheckProgress),
}

/// Number of positions between two checks for cancellation.
const STEP: u64 = 4096;

impl<'a, 'd, R: BufRead> Checker<'a, Decoder<'d, Take<R>>> {
    /// The initial state of a check.
    pub fn new(
        file: &'a Source<'a>,
        tables: &'a Tablebase,
        listed: HashSet<Material>,
        head: &Head,
        bytes: Stream<Decoder<'d, Take<R>>>,
        progress: &'a mut dyn FnMut(&CheckProgress),
    ) -> Self {
        Self {
            file,
            rules: tables.rules(),
            tables,
            listed,
            winner: head.winner,
            longest: head.plies,
            bytes,
            labels: Vec::new(),
            frames: Vec::new(),
            positions: 0,
            progress,
        }
    }

    /// Reads the whole strategy; returns the height of the root.
    pub fn run(&mut self, root: &Position) -> Result<u16, CheckError> {
        if let Some((over, _)) = root.conversion(self.rules) {
            return Err(self.wrong(format!("the game is over there ({})", over.name())));
        }
        let mut known = if root.to_move() == self.winner {
            self.winner_to_move(root)?
        } else {
            let then = self.byte()?;
            if then & code::MOVE_MASK != 0 {
                return Err(self.wrong(format!("code {then:#04x} cannot stand before the first reply")));
            }
            self.loser_to_move(root, None, then, None)?
        };
        loop {
            if let Some(height) = known.take() {
                let Some(frame) = self.frames.last_mut() else { return Ok(height) };
                frame.longest = frame.longest.max(height);
                frame.read += 1;
            }
            let Some(frame) = self.frames.last() else { return Err(self.wrong("no position is left".to_owned())) };
            if let Some(&mv) = frame.replies.get(frame.read) {
                let reply = frame.position.play(self.rules, mv);
                let reply = reply.ok_or_else(|| self.wrong(format!("{mv} is not legal")))?;
                known = self.winner_to_move(&reply)?;
            } else if let Some(frame) = self.frames.pop() {
                known = Some(self.close(&frame));
            }
        }
    }

    /// Finishes a frame after all its replies: the height of the position before the winner's move, or of a root with
    /// the loser to move.
    fn close(&mut self, frame: &Frame) -> u16 {
        let [first, after] = frame.labels;
        let height = before(frame.longest);
        self.set(after, height);
        if frame.mv.is_none() {
            return height;
        }
        self.set(first, before(height));
        before(height)
    }

    fn set(&mut self, label: Option<usize>, height: u16) {
        if let Some(label) = label.and_then(|label| self.labels.get_mut(label)) {
            label.height = Some(height);
        }
    }

    /// Reads the strategy of a position with the winner to move up to the first reply of the loser. Returns the height
    /// if there is none; otherwise the replies are on top of the frames.
    fn winner_to_move(&mut self, position: &Position) -> Result<Option<u16>, CheckError> {
        self.count()?;
        if let Some((over, _)) = position.conversion(self.rules) {
            let what = match over {
                Over::Den => "enters the den",
                _ => "takes the last piece",
            };
            return Err(self.wrong(format!("the last move {what} and wins for the other side")));
        }
        let mut first = self.byte()?;
        let mut label = None;
        if first == code::LABEL {
            label = Some(self.label(position)?);
            first = self.byte()?;
        }
        match first {
            code::LAST if label.is_none() => return self.last_move(position).map(Some),
            code::TABLE if label.is_none() => return self.table(position).map(Some),
            code::REFERENCE if label.is_none() => return self.reference(position).map(Some),
            _ if first & code::MOVE_MASK >= code::MOVES => {
                return Err(self.wrong(format!("code {first:#04x} cannot stand here")));
            }
            _ => {}
        }
        let number = usize::from(first & code::MOVE_MASK);
        let mut moves = self.moves(position);
        moves.sort_unstable_by_key(|successor| successor.mv);
        let Some(successor) = moves.get(number).copied() else {
            let what = format!("move number {number} is to be played, but there are {}", moves.len());
            return Err(self.wrong(what));
        };
        self.loser_to_move(&successor.position, Some(successor.mv), first, label)
    }

    /// Reads the continuation after a move of the winner, or the start of the strategy for a claim that the side to
    /// move is lost. Returns the height of the position before the move (or of the root) if there are no replies to
    /// read.
    fn loser_to_move(
        &mut self,
        position: &Position,
        mv: Option<Move>,
        first: u8,
        label: Option<usize>,
    ) -> Result<Option<u16>, CheckError> {
        let frame = |labels, replies| Frame { position: *position, mv, labels, replies, read: 0, longest: 0 };
        self.count()?;
        // For the move path in errors, while this position is processed.
        self.frames.push(frame([label, None], Vec::new()));
        let then = first & code::THEN_MASK;
        let height = match then {
            code::THEN_REFERENCE => Some(self.reference(position)?),
            code::THEN_TABLE => Some(self.table(position)?),
            _ => match position.over(self.rules) {
                Some((_, Category::Loss)) if then == code::THEN_REPLIES => Some(0),
                Some((_, Category::Loss)) => return Err(self.wrong("a game that is over needs no label".to_owned())),
                Some((over, category)) => {
                    let what =
                        format!("the game is over ({}), a {} for the side to move", over.name(), category.name());
                    return Err(self.wrong(what));
                }
                None => None,
            },
        };
        if let Some(height) = height {
            self.frames.pop();
            if mv.is_none() {
                return Ok(Some(height));
            }
            self.set(label, before(height));
            return Ok(Some(before(height)));
        }
        let depth = self.depth();
        if depth >= usize::from(self.longest) {
            return Err(self.wrong(format!("the game continues after {} of the claim", plies(self.longest))));
        }
        let after = if then == code::THEN_LABEL { Some(self.label(position)?) } else { None };
        let mut replies: Vec<Move> = position.successors(self.rules).map(|successor| successor.mv).collect();
        replies.sort_unstable();
        self.frames.pop();
        self.frames.push(frame([label, after], replies));
        Ok(None)
    }

    /// A move that enters the den or captures the last piece.
    fn last_move(&mut self, position: &Position) -> Result<u16, CheckError> {
        let ends = |successor: &Successor| successor.position.conversion(self.rules).is_some();
        if position.successors(self.rules).any(|successor| ends(&successor)) {
            return Ok(1);
        }
        Err(self.wrong("no move enters the den or takes the last piece".to_owned()))
    }

    /// The height of a position of the strategy from a table.
    fn table(&mut self, position: &Position) -> Result<u16, CheckError> {
        let Ok(place) = self.tables.place(Material::of(position)) else {
            return Err(self.wrong(format!("no table has {}", Material::of(position))));
        };
        if !self.listed.contains(&place.class.representative) {
            let what = format!("it rests on the table {}, which its head does not list", place.class.name());
            return Err(self.wrong(what));
        }
        let answer = self.tables.value(position).map_err(|error| self.probe(error))?;
        let expected = if position.to_move() == self.winner { Category::Win } else { Category::Loss };
        match answer.dtw {
            Some(plies) if answer.category == expected => Ok(plies),
            _ => {
                let what = format!("the table {} has {} for the side to move", place.class.name(), answer.short());
                Err(self.wrong(what))
            }
        }
    }

    fn probe(&self, error: ProbeError) -> CheckError {
        match error {
            ProbeError::Table(error) => error.into(),
            // The table existed when the head was read.
            error => self.wrong(error.to_string()),
        }
    }

    /// Reads the number of a label, which must belong to this position and be proven already.
    fn reference(&mut self, position: &Position) -> Result<u16, CheckError> {
        let back = read_number(|| self.byte())?;
        let label = back.and_then(|back| self.labels.len().checked_sub(back as usize));
        let Some(label) = label.and_then(|label| self.labels.get(label)) else {
            return Err(self.wrong("it refers to a label that is not assigned yet".to_owned()));
        };
        if label.position != PackedPosition::of(position) {
            return Err(self.wrong("it refers to another position".to_owned()));
        }
        label.height.ok_or_else(|| self.wrong("a cycle: it refers to a position on its own path".to_owned()))
    }

    /// Gives a position the next label.
    fn label(&mut self, position: &Position) -> Result<usize, CheckError> {
        if self.labels.len() >= u32::MAX as usize {
            return Err(self.wrong("too many labels".to_owned()));
        }
        self.labels.push(Label { position: PackedPosition::of(position), height: None });
        Ok(self.labels.len() - 1)
    }

    fn moves(&self, position: &Position) -> Vec<Successor> {
        position.successors(self.rules).collect()
    }

    /// The next byte of the strategy.
    fn byte(&mut self) -> Result<u8, CheckError> {
        match self.bytes.next() {
            Ok(Some(byte)) => Ok(byte),
            Ok(None) => Err(self.wrong("the strategy ends before every reply is answered".to_owned())),
            Err(error) => Err(self.file.damaged(format!("its strategy cannot be unpacked ({error})"))),
        }
    }

    /// Checks that nothing follows the strategy.
    pub fn end(&mut self) -> Result<(), CheckError> {
        match self.bytes.next() {
            Ok(None) if self.bytes.unread() == 0 => Ok(()),
            Ok(None) => Err(self.file.damaged("bytes follow its strategy")),
            Ok(Some(_)) => Err(self.wrong("the strategy continues after its end".to_owned())),
            Err(error) => Err(self.file.damaged(format!("its strategy cannot be unpacked ({error})"))),
        }
    }

    fn count(&mut self) -> Result<(), CheckError> {
        self.positions += 1;
        if self.positions.is_multiple_of(STEP) {
            if self.file.cancel.is_cancelled() {
                return Err(CheckError::Interrupted);
            }
            let (bytes, of) = (self.bytes.end - self.bytes.unread(), self.bytes.end);
            (self.progress)(&CheckProgress { bytes, of, positions: self.positions });
        }
        Ok(())
    }

    /// Number of plies from the root to the position on top of the frames.
    fn depth(&self) -> usize {
        let root_moves = usize::from(self.frames.first().is_some_and(|frame| frame.mv.is_some()));
        (2 * self.frames.len()).saturating_sub(2 - root_moves)
    }

    /// The moves from the root to the current place.
    fn way(&self) -> Vec<Move> {
        let moves = self.frames.iter().flat_map(|frame| [frame.mv, frame.replies.get(frame.read).copied()]);
        moves.flatten().collect()
    }

    pub fn wrong(&self, what: String) -> CheckError {
        CheckError::Wrong { path: self.file.path.to_owned(), offset: self.bytes.offset, moves: self.way(), what }
    }
}
