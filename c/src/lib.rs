//! The C interface of jungletb. `include/jungletb.h` documents each function; this crate converts arguments and
//! results.
//!
//! No panic crosses the C boundary: every function catches panics and returns a status. Every pointer is checked for
//! NULL before use.

mod open;
mod position;
mod prove;
mod status;
mod tables;
mod types;

use jungletb::game::Position;
use jungletb::probe::Tablebase;
use status::{Failure, guard};
use std::ffi::{CStr, c_char, c_int};
use std::path::PathBuf;
use types::{RawMove, RawPosition, RawStep, RawValue, UNKNOWN, category};

/// Borrows the target of a pointer.
///
/// # Safety
/// The pointer is NULL or valid for reading while `'a` lasts.
#[inline]
unsafe fn get<'a, T>(pointer: *const T, name: &'static str) -> Result<&'a T, Failure> {
    // SAFETY: the caller's promise.
    unsafe { pointer.as_ref() }.ok_or(Failure::Null(name))
}

/// Writes a result to a pointer.
///
/// # Safety
/// The pointer is NULL or valid for writing.
#[inline]
unsafe fn put<T>(pointer: *mut T, name: &'static str, value: T) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::Null(name));
    }
    // SAFETY: the caller's promise.
    unsafe { pointer.write(value) };
    Ok(())
}

/// Borrows a string.
///
/// # Safety
/// The pointer is NULL or points to a NUL-terminated string that does not change while `'a` lasts.
unsafe fn text<'a>(pointer: *const c_char, name: &'static str) -> Result<&'a str, Failure> {
    if pointer.is_null() {
        return Err(Failure::Null(name));
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(pointer) }.to_str().map_err(|_| Failure::NotUtf8(name))
}

/// Reads a path: any bytes on systems whose paths are bytes, else UTF-8.
///
/// # Safety
/// As [`text`].
unsafe fn path(pointer: *const c_char, name: &'static str) -> Result<PathBuf, Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        if pointer.is_null() {
            return Err(Failure::Null(name));
        }
        // SAFETY: the caller's promise.
        let bytes = unsafe { CStr::from_ptr(pointer) }.to_bytes();
        Ok(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
    }
    #[cfg(not(unix))]
    {
        // SAFETY: the caller's promise.
        unsafe { text(pointer, name) }.map(PathBuf::from)
    }
}

/// A position as the caller passes it.
trait Given {
    fn read(self, tables: &Tablebase) -> Result<Position, Failure>;
}

impl Given for &RawPosition {
    #[inline]
    fn read(self, tables: &Tablebase) -> Result<Position, Failure> {
        RawPosition::read(self, tables.rules())
    }
}

impl Given for &str {
    fn read(self, tables: &Tablebase) -> Result<Position, Failure> {
        Ok(Position::parse(tables.rules(), self)?)
    }
}

fn wdl(tables: &Tablebase, position: impl Given) -> Result<c_int, Failure> {
    Ok(category(tables.wdl(&position.read(tables)?)?))
}

fn wdl_in_memory(tables: &Tablebase, position: impl Given) -> Result<c_int, Failure> {
    Ok(tables.wdl_in_memory(&position.read(tables)?)?.map_or(UNKNOWN, category))
}

fn probe(tables: &Tablebase, position: impl Given) -> Result<RawValue, Failure> {
    Ok(Some(tables.value(&position.read(tables)?)?).into())
}

/// Writes the first items to the caller's buffer and returns the number of all.
///
/// # Safety
/// `buffer` is NULL or valid for writing `capacity` items.
unsafe fn fill<T>(
    buffer: *mut T,
    name: &'static str,
    capacity: usize,
    items: impl ExactSizeIterator<Item = T>,
) -> Result<usize, Failure> {
    if buffer.is_null() && capacity > 0 {
        return Err(Failure::Null(name));
    }
    let count = items.len();
    for (n, item) in items.take(capacity).enumerate() {
        // SAFETY: the caller's promise; n is below the capacity.
        unsafe { buffer.add(n).write(item) };
    }
    Ok(count)
}

/// Writes the best moves to the caller's buffer and returns the number of all legal moves.
///
/// # Safety
/// `moves` is NULL or valid for writing `capacity` moves.
unsafe fn moves(
    tables: &Tablebase,
    position: impl Given,
    moves: *mut RawMove,
    capacity: usize,
) -> Result<usize, Failure> {
    let ranked = tables.moves(&position.read(tables)?)?;
    // SAFETY: the caller's promise.
    unsafe { fill(moves, "moves", capacity, ranked.iter().map(RawMove::from)) }
}

/// Declares functions of the header. Each takes the tables and a position, as a structure or as text, and writes its
/// result to the last pointer.
macro_rules! functions {
    ($($name:ident / $text_name:ident => $inner:ident -> $result:ident: $type:ty;)*) => { $(
        #[doc = concat!("`", stringify!($name), "` of the header.")]
        ///
        /// # Safety
        /// Each pointer is NULL or valid.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            tables: *const Tablebase,
            position: *const RawPosition,
            $result: *mut $type,
        ) -> c_int {
            guard(|| {
                // SAFETY: the caller's promise.
                let (tables, position) = unsafe { (get(tables, "tables")?, get(position, "position")?) };
                // SAFETY: the caller's promise.
                unsafe { put($result, stringify!($result), $inner(tables, position)?) }
            })
        }

        #[doc = concat!("`", stringify!($text_name), "` of the header.")]
        ///
        /// # Safety
        /// Each pointer is NULL or valid; the text is NUL-terminated.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $text_name(
            tables: *const Tablebase,
            position: *const c_char,
            $result: *mut $type,
        ) -> c_int {
            guard(|| {
                // SAFETY: the caller's promise.
                let (tables, position) = unsafe { (get(tables, "tables")?, text(position, "text")?) };
                // SAFETY: the caller's promise.
                unsafe { put($result, stringify!($result), $inner(tables, position)?) }
            })
        }
    )* };
}

functions! {
    jungletb_wdl / jungletb_wdl_text => wdl -> category: c_int;
    jungletb_wdl_in_memory / jungletb_wdl_in_memory_text => wdl_in_memory -> category: c_int;
    jungletb_probe / jungletb_probe_text => probe -> value: RawValue;
}

/// `jungletb_moves` of the header.
///
/// # Safety
/// Each pointer is NULL or valid, `buffer` for `capacity` moves.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_moves(
    tables: *const Tablebase,
    position: *const RawPosition,
    buffer: *mut RawMove,
    capacity: usize,
    count: *mut usize,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's promise.
        let (tables, position) = unsafe { (get(tables, "tables")?, get(position, "position")?) };
        // SAFETY: the caller's promise.
        unsafe { put(count, "count", moves(tables, position, buffer, capacity)?) }
    })
}

/// `jungletb_moves_text` of the header.
///
/// # Safety
/// As [`jungletb_moves`]; the text is NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_moves_text(
    tables: *const Tablebase,
    position: *const c_char,
    buffer: *mut RawMove,
    capacity: usize,
    count: *mut usize,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's promise.
        let (tables, position) = unsafe { (get(tables, "tables")?, text(position, "text")?) };
        // SAFETY: the caller's promise.
        unsafe { put(count, "count", moves(tables, position, buffer, capacity)?) }
    })
}

/// `jungletb_line` of the header.
///
/// # Safety
/// Each pointer is NULL or valid, `line` for `capacity` steps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_line(
    tables: *const Tablebase,
    position: *const RawPosition,
    line: *mut RawStep,
    capacity: usize,
    count: *mut usize,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's promise.
        let (tables, position) = unsafe { (get(tables, "tables")?, get(position, "position")?) };
        let moves = tables.line(&position.read(tables.rules())?)?;
        // SAFETY: the caller's promise.
        let written = unsafe { fill(line, "line", capacity, moves.iter().map(RawStep::from)) }?;
        // SAFETY: the caller's promise.
        unsafe { put(count, "count", written) }
    })
}

/// `jungletb_version` of the header.
#[unsafe(no_mangle)]
pub extern "C" fn jungletb_version() -> *const c_char {
    const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("a version has no zero in it"),
    };
    VERSION.as_ptr()
}

/// `jungletb_last_error` of the header.
#[unsafe(no_mangle)]
pub extern "C" fn jungletb_last_error() -> *const c_char {
    status::last_error()
}

/// `jungletb_missing_class` of the header.
#[unsafe(no_mangle)]
pub extern "C" fn jungletb_missing_class() -> *const c_char {
    status::missing_class()
}
