//! Memory exhaustion: reported as one line and an exit code, not an abort.

use super::exit;
use jungletb::system::{may_fail, remove_unfinished};
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The system allocator. A failed request ends the program, unless the caller handles it.
pub struct Allocator;

// SAFETY: every call is forwarded to the system allocator; its result is returned, or the process ends.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        checked(unsafe { System.realloc(memory, layout, size) }, size)
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: guaranteed by the caller.
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

thread_local! {
    /// Its address identifies the thread. It needs no memory and no destructor.
    static THREAD: u8 = const { 0 };
}

/// Prints an error and ends the program, without allocating. If several threads run out of memory, the first ends the
/// program and the others wait; if the first runs out again meanwhile, the program ends silently.
#[cold]
fn end(size: usize) -> ! {
    static ENDING: AtomicUsize = AtomicUsize::new(0);
    let this = THREAD.with(|thread| std::ptr::from_ref(thread).addr());
    match ENDING.compare_exchange(0, this, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => {}
        Err(first) if first == this => leave(),
        Err(_) => loop {
            std::thread::sleep(Duration::from_secs(1));
        },
    }
    if !exit::IS_REPORTED.load(Ordering::Relaxed) {
        let mut line = [0_u8; 120];
        let mut rest = &mut line[..];
        let what = "not enough memory; free some, or raise the limit of this process";
        let _ = writeln!(rest, "jungletb: cannot get {size} bytes: {what}");
        let free = rest.len();
        let len = line.len() - free;
        let _ = std::io::stderr().write_all(&line[..len]);
    }
    remove_unfinished();
    leave()
}

/// Ends the process at once: exit handlers could need memory while other threads are still running.
fn leave() -> ! {
    #[cfg(unix)]
    // SAFETY: takes no memory and touches none; the process ends here.
    unsafe {
        nix::libc::_exit(exit::OTHER.into())
    }
    #[cfg(not(unix))]
    std::process::exit(exit::OTHER.into())
}
