//! Standard error: whole lines, and a failed write neither ends nor blocks the program.
//!
//! If it is not a terminal, a separate thread writes the lines. A pipe without a reader, or a full disk, only loses
//! lines.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum number of lines waiting to be written; further lines are dropped.
const LINES: usize = 4096;
/// How long the end of the program waits for a pending line.
const PATIENCE: Duration = Duration::from_secs(1);

static LOG: LazyLock<Log> = LazyLock::new(Log::start);

struct Log {
    /// `None` for a terminal, which is written directly.
    lines: Option<SyncSender<Vec<u8>>>,
    sent: AtomicU64,
    dropped: AtomicU64,
    written: Arc<AtomicU64>,
}

impl Log {
    fn start() -> Self {
        let written = Arc::new(AtomicU64::new(0));
        let lines = if io::stderr().is_terminal() { None } else { Self::writer(Arc::clone(&written)) };
        Self { lines, sent: AtomicU64::new(0), dropped: AtomicU64::new(0), written }
    }

    /// Starts the writer thread; `None` if it cannot be started.
    fn writer(written: Arc<AtomicU64>) -> Option<SyncSender<Vec<u8>>> {
        let (sender, lines) = sync_channel::<Vec<u8>>(LINES);
        let write = move || {
            for line in lines {
                let _ = io::stderr().write_all(&line);
                written.fetch_add(1, Ordering::Release);
            }
        };
        thread::Builder::new().name("log".to_owned()).spawn(write).ok()?;
        Some(sender)
    }

    fn write(&self, line: &[u8]) {
        let Some(lines) = &self.lines else {
            let _ = io::stderr().write_all(line);
            return;
        };
        let dropped = self.dropped.swap(0, Ordering::Relaxed);
        if dropped > 0 {
            let note = format!("jungletb: {dropped} log lines were dropped: standard error was not read\n");
            if !self.send(lines, note.into_bytes()) {
                self.dropped.fetch_add(dropped, Ordering::Relaxed);
            }
        }
        if !self.send(lines, line.to_vec()) {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn send(&self, lines: &SyncSender<Vec<u8>>, line: Vec<u8>) -> bool {
        // Counted first, so that `flush` never sees more lines written than sent.
        self.sent.fetch_add(1, Ordering::Relaxed);
        let sent = lines.try_send(line);
        if sent.is_err() {
            self.sent.fetch_sub(1, Ordering::Relaxed);
        }
        !matches!(sent, Err(TrySendError::Full(_) | TrySendError::Disconnected(_)))
    }

    fn flush(&self) {
        let (mut last, mut since) = (self.written.load(Ordering::Acquire), Instant::now());
        while last < self.sent.load(Ordering::Relaxed) && since.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(1));
            let written = self.written.load(Ordering::Acquire);
            if written > last {
                (last, since) = (written, Instant::now());
            }
        }
    }
}

/// Writes a line; adds the line ending.
pub fn line(text: &str) {
    LOG.write(format!("{text}\n").as_bytes());
}

/// Waits until all lines are written or have failed.
pub fn flush() {
    LOG.flush();
}

/// For code that writes its own lines, each in a single call.
#[cfg(feature = "serve")]
pub struct Lines;

#[cfg(feature = "serve")]
impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        LOG.write(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
