//! Locks: two processes that fill one folder do not solve the same class.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Held while a class is solved. The file goes away with it; what a killed process leaves behind locks nobody out.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock, `None` if somebody else holds it.
    ///
    /// # Errors
    /// A file that cannot be made or locked.
    pub fn try_new(path: &Path) -> io::Result<Option<Self>> {
        loop {
            let file = File::options().create(true).truncate(false).write(true).open(path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // The holder before us may have deleted the file between our opening and locking it.
            if is_same_file(&file, path) {
                return Ok(Some(Self { path: path.to_owned(), _file: file }));
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(unix)]
fn is_same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let there = std::fs::metadata(path);
    file.metadata().is_ok_and(|ours| there.is_ok_and(|there| (there.dev(), there.ino()) == (ours.dev(), ours.ino())))
}

#[cfg(not(unix))]
fn is_same_file(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_a_time_and_no_trace_after() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("EvL.lock");
        let lock = Lock::try_new(&path).unwrap().unwrap();
        assert!(Lock::try_new(&path).unwrap().is_none());
        drop(lock);
        assert!(!path.exists());
        std::fs::write(&path, "").unwrap();
        assert!(Lock::try_new(&path).unwrap().is_some(), "a file that nobody has locked is no obstacle");
    }
}
