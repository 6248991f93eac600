//! Opening and closing tables.

use crate::status::{Failure, catch_panics, guard};
use crate::types::RawOptions;
use crate::{path, put};
use jungletb::game::Rules;
use jungletb::probe::{Options, Tablebase};
use jungletb::table::Access;
use std::ffi::{c_char, c_int};

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
