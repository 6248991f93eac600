//! Opening and closing tables.

use crate::status::{Failure, catch_panics, guard};
use crate::types::RawOptions;
use crate::{path, put};
use jungletb::game::Rules;
use jungletb::probe::{Options, Tablebase};
use jungletb::table::{Access, SearchPath};
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
    let count = usize::from(!folder.is_null());
    // SAFETY: the caller's promise.
    unsafe { jungletb_open_folders(&raw const folder, count, rules, options, tables) }
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
        // SAFETY: the caller's promise.
        let (options, shipped) = unsafe { options.as_ref() }.map_or_else(|| Ok(Default::default()), read_options)?;
        let folders = match count {
            0 if shipped => &[],
            _ if folders.is_null() || count == 0 => return Err(Failure::Null("folder")),
            // SAFETY: the caller's promise.
            _ => unsafe { std::slice::from_raw_parts(folders, count) },
        };
        // SAFETY: the caller's promise.
        let folders = folders.iter().map(|&folder| unsafe { path(folder, "folder") });
        let search = SearchPath::new(folders.collect::<Result<Vec<_>, _>>()?);
        let search = if shipped { search.with_shipped() } else { search };
        // SAFETY: the caller's promise.
        let rules = if rules.is_null() { Rules::standard() } else { Rules::load(unsafe { path(rules, "rules")? })? };
        let opened = Box::new(Tablebase::open_path(&search, &rules, options)?);
        // SAFETY: the caller's promise.
        unsafe { put(tables, "tables", Box::into_raw(opened)) }
    })
}

/// The options, and whether to search the tables that are part of the library.
fn read_options(raw: &RawOptions) -> Result<(Options, bool), Failure> {
    let mut options = Options::default();
    if raw.cache_bytes > 0 {
        options.cache_bytes = raw.cache_bytes;
    }
    options.access = match raw.read_files {
        0 => Access::Map,
        1 => Access::Read,
        found => return Err(Failure::Option { what: "read_files", found, expected: "0 or 1" }),
    };
    match raw.shipped {
        0 => Ok((options, false)),
        1 => Ok((options, true)),
        found => Err(Failure::Option { what: "shipped", found, expected: "0 or 1" }),
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
