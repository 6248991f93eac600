//! Positions: from text and pieces, to text, and after a move.

use crate::status::{Failure, guard};
use crate::types::RawPosition;
use crate::{Given, get, put, text};
use jungletb::game::{Color, Move, Piece, Position, Square};
use jungletb::probe::Tablebase;
use std::ffi::{c_char, c_int};

/// `jungletb_parse` of the header.
///
/// # Safety
/// Each pointer is NULL or valid; the text is NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_parse(
    tables: *const Tablebase,
    position_text: *const c_char,
    position: *mut RawPosition,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's promise.
        let (tables, given) = unsafe { (get(tables, "tables")?, text(position_text, "text")?) };
        // SAFETY: the caller's promise.
        unsafe { put(position, "position", (&given.read(tables)?).into()) }
    })
}

/// `jungletb_format` of the header.
///
/// # Safety
/// Each pointer is NULL or valid, `text` for `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_format(
    tables: *const Tablebase,
    position: *const RawPosition,
    text: *mut c_char,
    size: usize,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's promise.
        let (tables, given) = unsafe { (get(tables, "tables")?, get(position, "position")?) };
        let position = given.read(tables.rules())?;
        position.check(tables.rules())?;
        if text.is_null() {
            return Err(Failure::Null("text"));
        }
        let mut written = position.to_text(tables.rules()).into_bytes();
        written.push(0);
        if written.len() > size {
            return Err(Failure::Buffer { size, needed: written.len() });
        }
        // SAFETY: the caller's promise; the text fits, and the caller's buffer does not overlap `written`.
        unsafe { text.cast::<u8>().copy_from_nonoverlapping(written.as_ptr(), written.len()) };
        Ok(())
    })
}

/// `jungletb_from_squares` of the header.
///
/// # Safety
/// Each pointer is NULL or valid, `squares` for as many numbers as `pieces`, which is NUL-terminated, has letters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_from_squares(
    tables: *const Tablebase,
    pieces: *const c_char,
    squares: *const u8,
    to_move: c_int,
    position: *mut RawPosition,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's promise.
        let (tables, letters) = unsafe { (get(tables, "tables")?, text(pieces, "pieces")?) };
        let to_move = match to_move {
            0 => Color::White,
            1 => Color::Black,
            other => return Err(Failure::Side(other)),
        };
        if squares.is_null() {
            return Err(Failure::Null("squares"));
        }
        let mut placed = Vec::new();
        for (n, letter) in letters.chars().enumerate() {
            let piece = Piece::try_from(letter)?;
            // SAFETY: the caller's promise: there is a square for each letter.
            placed.push((piece, Square::try_from(unsafe { squares.add(n).read() })?));
        }
        let made = Position::from_pieces(tables.rules(), placed, to_move)?;
        // SAFETY: the caller's promise.
        unsafe { put(position, "position", (&made).into()) }
    })
}

/// `jungletb_play` of the header.
///
/// # Safety
/// Each pointer is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_play(
    tables: *const Tablebase,
    position: *const RawPosition,
    from: u8,
    to: u8,
    after: *mut RawPosition,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's promise.
        let (tables, before) = unsafe { (get(tables, "tables")?, get(position, "position")?) };
        let rules = tables.rules();
        let before = before.read(rules)?;
        before.check(rules)?;
        let mv = Move::from([Square::try_from(from)?, Square::try_from(to)?]);
        let played = before.play(rules, mv).ok_or_else(|| Failure::Illegal { mv, position: before.to_text(rules) })?;
        // SAFETY: the caller's promise.
        unsafe { put(after, "after", (&played).into()) }
    })
}
