//! Files of tables: which one it is, and few of them open at a time.

use super::error::Limit;
use std::collections::VecDeque;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// What tells a file from the one that takes its place, or from itself once it was written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId {
    /// Device and inode; where there are none, the time at which it was made.
    file: FileKey,
    /// Its length in bytes.
    pub len: u64,
    modified: Option<SystemTime>,
}

#[cfg(unix)]
type FileKey = (u64, u64);
#[cfg(not(unix))]
type FileKey = Option<SystemTime>;

impl FileId {
    /// The file that this is said of.
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

    /// The file at a path.
    pub fn at(path: &Path) -> io::Result<Self> {
        Ok(Self::of(&path.metadata()?))
    }

    /// Whether it is this file at another time.
    pub fn is_same_file(&self, other: &Self) -> bool {
        self.file == other.file
    }
}

/// Files that are read piece by piece are open this many at a time in the whole process, at most; other ones are opened
/// again when they are needed.
const MOST_OPEN: usize = 16;

/// The open ones, those used last at the end.
static OPEN: Mutex<VecDeque<(u64, Arc<File>)>> = Mutex::new(VecDeque::new());

/// A file that is open only while it is in use, or was not long ago.
#[derive(Debug)]
pub struct PooledFile {
    path: PathBuf,
    id: FileId,
    /// Its number among all that there ever were.
    number: u64,
}

impl PooledFile {
    /// A file that is open now.
    pub fn new(path: PathBuf, file: File, id: FileId) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let pooled = Self { path, id, number: NEXT.fetch_add(1, Ordering::Relaxed) };
        pooled.keep(&Arc::new(file));
        pooled
    }

    /// The file, opened again if need be.
    ///
    /// # Errors
    /// It cannot be opened, or another file is in its place.
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
                // The descriptors of others that wait here are better used for this one.
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

/// What is said of a file that is not the one that was opened.
pub const REPLACED: &str = "the file was changed or replaced while it was open";
