//! Out of memory: one line and an exit code, not an abort.

use super::exit;
use jungletb::system::{may_fail, remove_unfinished};
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// The system's memory. A failed request ends the program, unless the caller handles it.
pub struct Allocator;

// SAFETY: everything is passed on to the system's allocator; what it gives is given on, or the process ends.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        checked(unsafe { System.realloc(memory, layout, size) }, size)
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn checked(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() && !may_fail() {
        end(size);
    }
    memory
}

/// Says what is wrong and ends the program. Nothing here asks for memory, or is run twice.
#[cold]
fn end(size: usize) -> ! {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if ENDING.swap(true, Ordering::Relaxed) {
        std::process::abort();
    }
    let mut line = [0_u8; 120];
    let mut rest = &mut line[..];
    let what = "there is not enough memory; free some, or raise the limit of this process";
    let _ = writeln!(rest, "jungletb: cannot get {size} bytes: {what}");
    let free = rest.len();
    let len = line.len() - free;
    let _ = std::io::stderr().write_all(&line[..len]);
    remove_unfinished();
    std::process::exit(exit::OTHER.into());
}
