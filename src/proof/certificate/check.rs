//! Checking a certificate: with the move generator and the tables, and with none of the code that finds proofs or
//! writes them down.
//!
//! The strategy is read once, from its first byte to its last, and each byte is looked at once, so the time is linear
//! in its length. On the way down a position's replies come from the move generator, never from the file; on the way
//! up each position gets its height: the plies within which the winner ends the game, whatever the loser does. A
//! reference can lead only to a position whose height is known, that is to one whose strategy has been checked, so
//! that no claim can rest on itself.

use super::wire::{
    CHECKSUM_LEN, Head, MAGIC, MAX_HEAD_LEN, PackedPosition, RuleBytes, START_LEN, TableUse, VERSION, code, read_number,
};
use crate::game::{Category, Color, Move, Over, Position, Rules, Successor};
use crate::material::Material;
use crate::probe::Fault;
use crate::probe::{ProbeError, Tablebase};
use crate::system::{Cancel, open_regular};
use crate::table::wire::Fields;
use crate::table::{Metric, TableError};
use std::collections::HashSet;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3;
use zstd::stream::read::Decoder;

/// What a certificate that holds proves.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The position.
    pub position: Position,
    /// Who wins it.
    pub winner: Color,
    /// Within how many plies, at most. That nothing is quicker is not part of a certificate.
    pub plies: u16,
    /// The tables that it rests on.
    pub tables: Vec<TableUse>,
    /// Positions of the strategy, each counted once.
    pub positions: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

impl Certified {
    /// The outcome for the side to move.
    pub fn category(&self) -> Category {
        if self.winner == self.position.to_move() { Category::Win } else { Category::Loss }
    }
}

/// Why a certificate proves nothing. Each error names the file.
#[derive(Debug, Error)]
pub enum CheckError {
    /// The file cannot be read.
    #[error("{path}: cannot read the certificate: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is no certificate.
    #[error("{path}: not a certificate of jungletb")]
    NotACertificate {
        /// The file.
        path: PathBuf,
    },
    /// It is of a version that this program does not read.
    #[error("{path}: certificate format version {found}, but this program reads version {VERSION}")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u16,
    },
    /// The bytes are not what was once written.
    #[error("{path}: damaged certificate: {what}; make it again with `jungletb prove --certificate`")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which part, and how one can tell.
        what: String,
    },
    /// It is for other rules.
    #[error(
        "{path}: the certificate is for the rules {found:?}, which differ from {rules:?} in {differences}; give its rules with --rules"
    )]
    OtherRules {
        /// The file.
        path: PathBuf,
        /// The rules in the file.
        found: String,
        /// The rules it was checked under.
        rules: String,
        /// The names of the keys that differ.
        differences: String,
    },
    /// It rests on a table that is not here.
    #[error(
        "{path}: the certificate rests on the table {class}.dtw, which is not in {folders}: make it with `jungletb generate {class} --rules {argument}`"
    )]
    MissingTable {
        /// The file.
        path: PathBuf,
        /// The class of the table.
        class: String,
        /// Where it was looked for.
        folders: String,
        /// The rules, as `--rules` takes them.
        argument: String,
    },
    /// It rests on another table than the one here.
    #[error(
        "{path}: the certificate rests on a table {class}.dtw with the checksum {expected:016x}, but {table} has {found:016x}: it is another encoding, or another table"
    )]
    OtherTable {
        /// The file.
        path: PathBuf,
        /// The class of the table.
        class: String,
        /// The table that is here.
        table: PathBuf,
        /// Its checksum.
        found: u64,
        /// The checksum in the certificate.
        expected: u64,
    },
    /// The strategy does not prove the claim.
    #[error("{path}: the certificate does not hold at byte {offset} of the strategy{moves}: {what}", moves = after(moves))]
    Wrong {
        /// The file.
        path: PathBuf,
        /// How many bytes of the unpacked strategy were read.
        offset: u64,
        /// The moves from the position of the claim to the place.
        moves: Vec<Move>,
        /// What is wrong there.
        what: String,
    },
    /// A table that it rests on cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The check was cancelled.
    #[error("interrupted")]
    Interrupted,
}

impl CheckError {
    /// Whose fault it is; `None` if the check was cancelled.
    pub fn fault(&self) -> Option<Fault> {
        match self {
            Self::Io { .. } => Some(Fault::System),
            Self::MissingTable { .. } => Some(Fault::Missing),
            Self::Table(error) => Some(error.fault()),
            Self::Interrupted => None,
            _ => Some(Fault::Damaged),
        }
    }
}

/// The way to a place, for messages.
fn after(moves: &[Move]) -> String {
    if moves.is_empty() {
        return String::new();
    }
    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    format!(", after {}", moves.join(" "))
}

/// How far a check has come.
#[derive(Clone, Copy, Debug)]
pub struct CheckProgress {
    /// Bytes of the file that were read.
    pub bytes: u64,
    /// Bytes of the file.
    pub of: u64,
    /// Positions checked.
    pub positions: u64,
}

/// Checks the certificate in a file under the rules and with the tables of `tables`.
///
/// # Errors
/// A file that cannot be read or is no certificate of these rules; a table it rests on that is missing, damaged or
/// another one; the place at which its strategy does not prove its claim.
pub fn check(
    path: &Path,
    tables: &Tablebase,
    cancel: &Cancel,
    progress: &mut dyn FnMut(&CheckProgress),
) -> Result<Certified, CheckError> {
    let io = |source| CheckError::Io { path: path.to_owned(), source };
    let file = open_regular(path).map_err(io)?;
    check_bytes(BufReader::with_capacity(1 << 16, file), path, tables, cancel, progress)
}

/// Checks a certificate whose bytes come from anywhere; `path` is what errors call it.
///
/// # Errors
/// As [`check`].
pub fn check_bytes(
    mut source: impl BufRead + Seek,
    path: &Path,
    tables: &Tablebase,
    cancel: &Cancel,
    progress: &mut dyn FnMut(&CheckProgress),
) -> Result<Certified, CheckError> {
    let file = Source { path, cancel };
    let len = file.check_sum(&mut source)?;
    let head = file.head(&mut source, len)?;
    let expected = RuleBytes::of(tables.rules());
    if head.keys != expected {
        return Err(CheckError::OtherRules {
            path: path.to_owned(),
            found: head.rules,
            rules: tables.rules().name().to_owned(),
            differences: head.keys.differences(&expected).join(", "),
        });
    }
    let root = head.root.unpack(tables.rules()).ok_or_else(|| file.damaged("its position cannot occur"))?;
    let listed = file.tables(&head, tables)?;
    let start = source.stream_position().map_err(|source| file.io(source))?;
    let packed = source.take(len - CHECKSUM_LEN - start);
    let decoder = Decoder::with_buffer(packed).map_err(|source| file.io(source))?;
    let mut checker = Checker {
        file: &file,
        rules: tables.rules(),
        tables,
        listed,
        winner: head.winner,
        longest: head.plies,
        bytes: Strategy::new(decoder.single_frame(), len - CHECKSUM_LEN),
        labels: Vec::new(),
        frames: Vec::new(),
        positions: 0,
        progress,
    };
    let plies = checker.run(&root)?;
    if plies != head.plies {
        let words = [head.plies, plies].map(plies_in_words);
        return Err(checker.wrong(format!("its claim is {}, but its strategy takes {}", words[0], words[1])));
    }
    checker.end()?;
    let (positions, winner) = (checker.positions, head.winner);
    Ok(Certified { position: root, winner, plies, tables: head.tables, positions, bytes: len })
}

/// `1 ply`, `2 plies`.
fn plies_in_words(plies: u16) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}

/// The file, for errors.
struct Source<'a> {
    path: &'a Path,
    cancel: &'a Cancel,
}

impl Source<'_> {
    fn io(&self, source: io::Error) -> CheckError {
        CheckError::Io { path: self.path.to_owned(), source }
    }

    fn damaged(&self, what: impl Into<String>) -> CheckError {
        CheckError::Damaged { path: self.path.to_owned(), what: what.into() }
    }

    /// Magic, version, and the checksum of the whole file; gives its length and goes back to its start.
    fn check_sum(&self, source: &mut (impl BufRead + Seek)) -> Result<u64, CheckError> {
        let len = source.seek(SeekFrom::End(0)).map_err(|error| self.io(error))?;
        source.rewind().map_err(|error| self.io(error))?;
        let mut start = Vec::new();
        source.by_ref().take(START_LEN as u64).read_to_end(&mut start).map_err(|error| self.io(error))?;
        let Some(after_magic) = start.strip_prefix(&MAGIC) else {
            return Err(CheckError::NotACertificate { path: self.path.to_owned() });
        };
        let version = Fields(after_magic).u16().unwrap_or(VERSION);
        if version != VERSION {
            return Err(CheckError::Version { path: self.path.to_owned(), found: version });
        }
        if len < START_LEN as u64 + CHECKSUM_LEN {
            return Err(self.damaged(format!("{len} bytes are too few")));
        }
        let mut hash = Xxh3::new();
        hash.update(&start);
        let mut left = len - CHECKSUM_LEN - START_LEN as u64;
        while left > 0 {
            if self.cancel.is_cancelled() {
                return Err(CheckError::Interrupted);
            }
            let buffer = source.fill_buf().map_err(|error| self.io(error))?;
            let part = buffer.get(..left.min(buffer.len() as u64) as usize).unwrap_or(buffer);
            if part.is_empty() {
                return Err(self.io(ErrorKind::UnexpectedEof.into()));
            }
            hash.update(part);
            let read = part.len();
            source.consume(read);
            left -= read as u64;
        }
        let mut stored = [0; CHECKSUM_LEN as usize];
        source.read_exact(&mut stored).map_err(|error| self.io(error))?;
        if u64::from_le_bytes(stored) != hash.digest() {
            return Err(self.damaged("it fails its checksum"));
        }
        source.rewind().map_err(|error| self.io(error))?;
        Ok(len)
    }

    /// The head of a file of this length.
    fn head(&self, source: &mut impl Read, len: u64) -> Result<Head, CheckError> {
        let mut start = [0; START_LEN];
        source.read_exact(&mut start).map_err(|error| self.io(error))?;
        let [.., a, b, c, d] = start;
        let head_len = u32::from_le_bytes([a, b, c, d]);
        let fits = (START_LEN as u32..=MAX_HEAD_LEN).contains(&head_len) && u64::from(head_len) + CHECKSUM_LEN <= len;
        if !fits {
            return Err(self.damaged("the length of its head does not fit"));
        }
        let mut rest = vec![0; head_len as usize - START_LEN];
        source.read_exact(&mut rest).map_err(|error| self.io(error))?;
        Head::from_bytes(&rest).ok_or_else(|| self.damaged("its head cannot be read"))
    }

    /// The tables of the head, found here with the same checksums, by the representatives of their classes.
    fn tables(&self, head: &Head, tables: &Tablebase) -> Result<HashSet<Material>, CheckError> {
        let mut listed = HashSet::new();
        let rules = tables.rules();
        for table in &head.tables {
            let material = Material::parse(rules, &table.class).ok();
            let place = material.and_then(|material| tables.place(material).ok());
            let class = place.map(|place| &place.class).filter(|class| class.name() == table.class);
            let class = class.ok_or_else(|| self.damaged("it names a class of tables that does not exist"))?;
            let found = match tables.registry().table(class, Metric::Dtw) {
                Err(TableError::Missing { .. }) => {
                    let folders = tables.registry().folders().iter().map(|folder| folder.display().to_string());
                    return Err(CheckError::MissingTable {
                        path: self.path.to_owned(),
                        class: table.class.clone(),
                        folders: folders.collect::<Vec<_>>().join(", "),
                        argument: crate::text::quote(rules.argument()),
                    });
                }
                found => found?,
            };
            if found.checksum() != table.checksum {
                return Err(CheckError::OtherTable {
                    path: self.path.to_owned(),
                    class: table.class.clone(),
                    table: found.path().to_owned(),
                    found: found.checksum(),
                    expected: table.checksum,
                });
            }
            if !listed.insert(class.representative) {
                return Err(self.damaged(format!("it lists the table {} twice", table.class)));
            }
        }
        Ok(listed)
    }
}

/// The unpacked bytes of the strategy.
struct Strategy<R> {
    decoder: R,
    buffer: Vec<u8>,
    at: usize,
    filled: usize,
    /// Bytes handed out.
    offset: u64,
    /// Bytes of the file before the checksum.
    end: u64,
}

impl<R: BufRead> Strategy<Decoder<'_, Take<R>>> {
    fn new(decoder: Decoder<'_, Take<R>>, end: u64) -> Strategy<Decoder<'_, Take<R>>> {
        Strategy { decoder, buffer: vec![0; 1 << 14], at: 0, filled: 0, offset: 0, end }
    }

    /// The next byte; `None` at the end.
    fn next(&mut self) -> io::Result<Option<u8>> {
        while self.at == self.filled {
            self.filled = match self.decoder.read(&mut self.buffer) {
                Ok(0) => return Ok(None),
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            self.at = 0;
        }
        let byte = self.buffer.get(self.at).copied();
        self.at += 1;
        self.offset += 1;
        Ok(byte)
    }

    /// Packed bytes that were not read yet.
    fn unread(&self) -> u64 {
        self.decoder.get_ref().limit()
    }
}

/// The height of the position one ply earlier. Saturates above any number of plies that can be claimed, so that
/// nothing wraps around.
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
    /// All legal moves, in their order.
    replies: Vec<Move>,
    /// How many of them were read.
    read: usize,
    /// Of those.
    longest: u16,
}

struct Checker<'a, R> {
    file: &'a Source<'a>,
    rules: &'a Rules,
    tables: &'a Tablebase,
    /// The tables that the certificate rests on, by the representatives of their classes.
    listed: HashSet<Material>,
    winner: Color,
    /// Plies of the longest line that can still prove the claim.
    longest: u16,
    bytes: Strategy<R>,
    labels: Vec<Label>,
    frames: Vec<Frame>,
    positions: u64,
    progress: &'a mut dyn FnMut(&CheckProgress),
}

/// Positions between two looks at the cancellation.
const STEP: u64 = 4096;

impl<R: BufRead> Checker<'_, Decoder<'_, Take<R>>> {
    /// Reads the whole strategy; gives the height of the root.
    fn run(&mut self, root: &Position) -> Result<u16, CheckError> {
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

    /// All replies of a frame were read: the height of the position before the winner's move, or of a root with the
    /// loser to move.
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

    /// Reads the strategy of a position with the winner to move up to the first reply of the loser. Gives the height
    /// if there is none, else the replies are on top of the frames.
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

    /// Reads what follows a move of the winner, or begins the strategy of a claim that the side to move is lost.
    /// Gives the height of the position before the move (or of the root) if there are no replies to read.
    fn loser_to_move(
        &mut self,
        position: &Position,
        mv: Option<Move>,
        first: u8,
        label: Option<usize>,
    ) -> Result<Option<u16>, CheckError> {
        let frame = |labels, replies| Frame { position: *position, mv, labels, replies, read: 0, longest: 0 };
        self.count()?;
        // On the way of the errors, while this position is looked at.
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
            return Err(self.wrong(format!("the game goes on after {} of the claim", plies_in_words(self.longest))));
        }
        let after = if then == code::THEN_LABEL { Some(self.label(position)?) } else { None };
        let mut replies: Vec<Move> = position.successors(self.rules).map(|successor| successor.mv).collect();
        replies.sort_unstable();
        self.frames.pop();
        self.frames.push(frame([label, after], replies));
        Ok(None)
    }

    /// A move that enters the den or takes the last piece.
    fn last_move(&mut self, position: &Position) -> Result<u16, CheckError> {
        let ends = |successor: &Successor| successor.position.conversion(self.rules).is_some();
        if position.successors(self.rules).any(|successor| ends(&successor)) {
            return Ok(1);
        }
        Err(self.wrong("no move enters the den or takes the last piece".to_owned()))
    }

    /// The height that a table gives a position of the strategy.
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
                let what = format!("the table {} says {} for the side to move", place.class.name(), answer.short());
                Err(self.wrong(what))
            }
        }
    }

    fn probe(&self, error: ProbeError) -> CheckError {
        match error {
            ProbeError::Table(error) => error.into(),
            // The table was there when the head was read.
            error => self.wrong(error.to_string()),
        }
    }

    /// Reads the number of a label, which must be that of this position, already proven.
    fn reference(&mut self, position: &Position) -> Result<u16, CheckError> {
        let back = read_number(|| self.byte())?;
        let label = back.and_then(|back| self.labels.len().checked_sub(back as usize));
        let Some(label) = label.and_then(|label| self.labels.get(label)) else {
            return Err(self.wrong("it refers to a label that was not given yet".to_owned()));
        };
        if label.position != PackedPosition::of(position) {
            return Err(self.wrong("it refers to another position".to_owned()));
        }
        label.height.ok_or_else(|| self.wrong("a cycle: it refers to a position on its own way here".to_owned()))
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

    /// Nothing may come after the strategy.
    fn end(&mut self) -> Result<(), CheckError> {
        match self.bytes.next() {
            Ok(None) if self.bytes.unread() == 0 => Ok(()),
            Ok(None) => Err(self.file.damaged("bytes follow its strategy")),
            Ok(Some(_)) => Err(self.wrong("the strategy goes on after its end".to_owned())),
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

    /// Plies from the root to the position on top of the frames.
    fn depth(&self) -> usize {
        let root_moves = usize::from(self.frames.first().is_some_and(|frame| frame.mv.is_some()));
        (2 * self.frames.len()).saturating_sub(2 - root_moves)
    }

    /// The moves from the root to what is being looked at.
    fn way(&self) -> Vec<Move> {
        let moves = self.frames.iter().flat_map(|frame| [frame.mv, frame.replies.get(frame.read).copied()]);
        moves.flatten().collect()
    }

    fn wrong(&self, what: String) -> CheckError {
        CheckError::Wrong { path: self.file.path.to_owned(), offset: self.bytes.offset, moves: self.way(), what }
    }
}
