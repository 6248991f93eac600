//! Which tables there are, and what they hold.

use crate::status::{Failure, guard};
use crate::types::{RawClass, RawStats};
use crate::{fill, get, put, text};
use jungletb::analysis::stats::MaterialStats;
use jungletb::material::Material;
use jungletb::probe::Tablebase;
use std::ffi::{c_char, c_int, c_uint};

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

/// `jungletb_available` of the header.
///
/// # Safety
/// Each pointer is NULL or valid, `classes` for `capacity` entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_available(
    tables: *const Tablebase,
    classes: *mut RawClass,
    capacity: usize,
    count: *mut usize,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's promise.
        let available = unsafe { get(tables, "tables")? }.available();
        // SAFETY: the caller's promise.
        let written = unsafe { fill(classes, "classes", capacity, available.iter().map(RawClass::from)) }?;
        // SAFETY: the caller's promise.
        unsafe { put(count, "count", written) }
    })
}

/// `jungletb_prefetch` of the header.
///
/// # Safety
/// Each pointer is NULL or valid; the text is NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_prefetch(tables: *const Tablebase, material: *const c_char) -> c_int {
    guard(|| {
        // SAFETY: the caller's promise.
        let (tables, material) = unsafe { (get(tables, "tables")?, text(material, "material")?) };
        Ok(tables.prefetch(Material::parse(tables.rules(), material)?)?)
    })
}

/// `jungletb_stats` of the header.
///
/// # Safety
/// Each pointer is NULL or valid; the text is NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn jungletb_stats(
    tables: *const Tablebase,
    material: *const c_char,
    stats: *mut RawStats,
) -> c_int {
    guard(|| {
        // SAFETY: the caller's promise.
        let (tables, material) = unsafe { (get(tables, "tables")?, text(material, "material")?) };
        if stats.is_null() {
            return Err(Failure::Null("stats"));
        }
        let material = Material::parse(tables.rules(), material)?;
        let table = tables.table(material)?;
        let found = MaterialStats::new(tables.rules(), tables.place(material)?, &table);
        // SAFETY: the caller's promise.
        unsafe { put(stats, "stats", (&found).into()) }
    })
}
