//! Table files: identity, and a bound on the number of open files.

use super::error::Limit;
use std::collections::VecDeque;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Identity of a file: detects that it was replaced or written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId {
    /// Device and inode; the creation time where these do not exist.
    file: FileKey,
    /// Length in bytes.
    pub len: u64,
    modified: Option<SystemTime>,
}

#[cfg(unix)]
type FileKey = (u64, u64);
#[cfg(not(unix))]
type FileKey = Option<SystemTime>;

impl FileId {
    /// The identity that metadata describe.
    pub fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let file = {
            use std::os::unix::fs::MetadataExt;
            (metadata.dev(), metadata.ino())
        };
        #[cfg(not(unix))]
        let file = metadata.created().ok();
        Self { file, len: metadata.len(), modified: metadata.modified().ok() }
    }

    /// The identity of the file at a path.
    pub fn at(path: &Path) -> io::Result<Self> {
        Ok(Self::of(&path.metadata()?))
    }

    /// Whether both are the same file, possibly at different times.
    pub fn is_same_file(&self, other: &Self) -> bool {
        self.file == other.file
    }
}

/// Maximum number of files open for positioned reads in the whole process; others are reopened when needed.
const MOST_OPEN: usize = 16;

/// The open files, the most recently used last.
static OPEN: Mutex<VecDeque<(u64, Arc<File>)>> = Mutex::new(VecDeque::new());

/// A file that is open only while in use or recently used.
#[derive(Debug)]
pub struct PooledFile {
    path: PathBuf,
    id: FileId,
    /// Unique number within the process.
    number: u64,
}

impl PooledFile {
    /// Adds a file that is already open.
    pub fn new(path: PathBuf, file: File, id: FileId) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let pooled = Self { path, id, number: NEXT.fetch_add(1, Ordering::Relaxed) };
        pooled.keep(&Arc::new(file));
        pooled
    }

    /// The file, reopened if necessary.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened or was replaced.
    pub fn get(&self) -> io::Result<Arc<File>> {
        {
            let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(at) = open.iter().position(|(number, _)| *number == self.number)
                && let Some(entry) = open.remove(at)
            {
                let file = Arc::clone(&entry.1);
                open.push_back(entry);
                return Ok(file);
            }
        }
        let file = loop {
            match File::open(&self.path) {
                // Out of descriptors: close the oldest pooled file and retry.
                Err(error) if matches!(Limit::of(&error), Some(Limit::OpenFiles | Limit::OpenFilesOfMachine)) => {
                    let oldest = OPEN.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                    oldest.ok_or(error)?;
                }
                file => break file?,
            }
        };
        if FileId::of(&file.metadata()?) != self.id {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, REPLACED));
        }
        let file = Arc::new(file);
        self.keep(&file);
        Ok(file)
    }

    fn keep(&self, file: &Arc<File>) {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        open.push_back((self.number, Arc::clone(file)));
        while open.len() > MOST_OPEN {
            open.pop_front();
        }
    }
}

impl Drop for PooledFile {
    fn drop(&mut self) {
        OPEN.lock().unwrap_or_else(PoisonError::into_inner).retain(|(number, _)| *number != self.number);
    }
}

/// The message for a file that is not the one that was opened.
pub const REPLACED: &str = "the file was changed or replaced while it was open";
