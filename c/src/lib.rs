//! The C interface of jungletb. `include/jungletb.h` documents each function; this crate converts arguments and
//! results.
//!
//! No panic crosses the C boundary: every function catches panics and returns a status. Every pointer is checked for
//! NULL before use.

mod prove;
mod status;
mod types;

use jungletb::game::{Position, Rules};
use jungletb::material::Material;
use jungletb::probe::{Options, Tablebase};
use jungletb::table::Access;
use status::{Failure, catch_panics, guard};
use std::ffi::{CStr, c_char, c_int, c_uint};
use std::path::PathBuf;
use types::{RawMove, RawOptions, RawPosition, RawValue, UNKNOWN, category};

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
    if moves.is_null() && capacity > 0 {
        return Err(Failure::Null("moves"));
    }
    let ranked = tables.moves(&position.read(tables)?)?;
    for (n, mv) in ranked.iter().take(capacity).enumerate() {
        // SAFETY: the caller's promise; n is below the capacity.
        unsafe { moves.add(n).write(mv.into()) };
    }
    Ok(ranked.len())
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

/// `jungletb_open` of the header.
///
/// # Safety
/// Each pointer is NULL or valid; strings are NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_open(
    folder: *const c_char,
    rules: *const c_char,
    options: *const RawOptions,
    tables: *mut *mut Tablebase,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { jungletb_open_folders(&raw const folder, 1, rules, options, tables) }
}

/// `jungletb_open_folders` of the header.
///
/// # Safety
/// Each pointer is NULL or valid, `folders` for `count` strings; strings are NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_open_folders(
    folders: *const *const c_char,
    count: usize,
    rules: *const c_char,
    options: *const RawOptions,
    tables: *mut *mut Tablebase,
) -> c_int {
    catch_panics();
    guard(|| {
        if tables.is_null() {
            return Err(Failure::Null("tables"));
        }
        if folders.is_null() || count == 0 {
            return Err(Failure::Null("folder"));
        }
        // SAFETY: the caller's promise.
        let folders = unsafe { std::slice::from_raw_parts(folders, count) };
        // SAFETY: the caller's promise.
        let folders = folders.iter().map(|&folder| unsafe { path(folder, "folder") });
        let folders = folders.collect::<Result<Vec<_>, _>>()?;
        // SAFETY: the caller's promise.
        let rules = if rules.is_null() { Rules::standard() } else { Rules::load(unsafe { path(rules, "rules")? })? };
        // SAFETY: the caller's promise.
        let options = unsafe { options.as_ref() }.map_or_else(|| Ok(Options::default()), read_options)?;
        let opened = Box::new(Tablebase::open_all(&folders[0], &folders[1..], &rules, options)?);
        // SAFETY: the caller's promise.
        unsafe { put(tables, "tables", Box::into_raw(opened)) }
    })
}

fn read_options(raw: &RawOptions) -> Result<Options, Failure> {
    let mut options = Options::default();
    if raw.cache_bytes > 0 {
        options.cache_bytes = raw.cache_bytes;
    }
    options.access = match raw.read_files {
        0 => Access::Map,
        1 => Access::Read,
        found => return Err(Failure::Option { what: "read_files", found, expected: "0 or 1" }),
    };
    match raw.reserved {
        0 => Ok(options),
        found => Err(Failure::Option { what: "reserved", found, expected: "0" }),
    }
}

/// `jungletb_close` of the header.
///
/// # Safety
/// The pointer is NULL, or was returned by [`jungletb_open`], is not closed yet and not in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_close(tables: *mut Tablebase) {
    if !tables.is_null() {
        guard(|| {
            // SAFETY: the caller's promise: the box comes from `jungletb_open_folders` and has no other reference.
            drop(unsafe { Box::from_raw(tables) });
            Ok(())
        });
    }
}

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

/// `jungletb_most_pieces` of the header.
///
/// # Safety
/// Each pointer is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_most_pieces(tables: *const Tablebase, pieces: *mut c_uint) -> c_int {
    guard(|| {
        // SAFETY: the caller's promise.
        let tables = unsafe { get(tables, "tables")? };
        // SAFETY: the caller's promise.
        unsafe { put(pieces, "pieces", tables.most_pieces() as c_uint) }
    })
}

/// `jungletb_has` of the header.
///
/// # Safety
/// Each pointer is NULL or valid; the text is NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_has(tables: *const Tablebase, material: *const c_char, has: *mut c_int) -> c_int {
    guard(|| {
        // SAFETY: the caller's promise.
        let (tables, material) = unsafe { (get(tables, "tables")?, text(material, "material")?) };
        let material = Material::parse(tables.rules(), material)?;
        // SAFETY: the caller's promise.
        unsafe { put(has, "has", tables.has(material).into()) }
    })
}

/// `jungletb_refresh` of the header.
///
/// # Safety
/// The pointer is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_refresh(tables: *const Tablebase) -> c_int {
    guard(|| {
        // SAFETY: the caller's promise.
        unsafe { get(tables, "tables")? }.refresh();
        Ok(())
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
