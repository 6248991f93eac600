//! Locks between processes, so that two processes filling one folder do not repeat work.
//!
//! A lock is a file that names its holder, locked by the operating system, so that a file left by a killed process
//! blocks nobody. Some network and user-space file systems have no locks. There the existence of the file is the lock:
//! the process that creates it holds it, and it is stale once the process it names is gone. Two processes that both
//! remove a stale lock may then both continue; each writes whole files, so only work is lost.

use super::files::{Listed, is_listed, open_at_once};
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// A lock, held until dropped; dropping deletes the file.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    /// Locked, unless the file system has no locks.
    _file: File,
    by_name: bool,
    _listed: Listed,
}

/// Why a lock was not taken.
#[derive(Debug)]
pub enum LockError {
    /// Another process holds it; the holder in words.
    Busy(String),
    /// The file cannot be created or opened.
    Io(io::Error),
}

/// Locks an open file; replaceable in tests.
type TryLock = fn(&File) -> Result<(), TryLockError>;

impl Lock {
    /// Takes the lock at a path if it is free.
    ///
    /// # Errors
    /// Returns an error if another process holds the lock, or if the file cannot be created.
    pub fn take(path: &Path) -> Result<Self, LockError> {
        Self::take_with(path, File::try_lock)
    }

    fn take_with(path: &Path, try_lock: TryLock) -> Result<Self, LockError> {
        loop {
            let (mut file, is_new) = open(path)?;
            let by_name = match try_lock(&file) {
                Ok(()) => false,
                Err(TryLockError::WouldBlock) => return Err(LockError::Busy(owner(&mut file))),
                Err(TryLockError::Error(error)) if !has_no_locks(&error) => return Err(LockError::Io(error)),
                Err(TryLockError::Error(_)) if is_new => true,
                Err(TryLockError::Error(_)) => {
                    let owner = owner(&mut file);
                    if !is_stale(&owner, path) {
                        return Err(LockError::Busy(owner));
                    }
                    drop(file);
                    fs::remove_file(path).or_else(gone_is_fine).map_err(LockError::Io)?;
                    continue;
                }
            };
            // The previous holder may have deleted the file between our opening and locking it.
            if !is_same_file(&file, path) {
                continue;
            }
            let listed = Listed::new(path);
            // Names the holder for processes that find it locked. A stale lock of another user may be read-only; it
            // works unchanged.
            let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(own_name().as_bytes()));
            return Ok(Self { path: path.to_owned(), _file: file, by_name, _listed: listed });
        }
    }

    /// Whether the file system has no locks, so that only the file's existence excludes others.
    pub const fn is_by_name(&self) -> bool {
        self.by_name
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Opens a lock file; also returns whether this call created it.
fn open(path: &Path) -> Result<(File, bool), LockError> {
    loop {
        match File::options().read(true).write(true).create_new(true).open(path) {
            Ok(file) => return Ok((file, true)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(LockError::Io(error)),
        }
        let write = open_at_once(path, File::options().read(true).write(true));
        let opened = match write {
            // Another user's file. It can be locked all the same.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                open_at_once(path, File::options().read(true))
            }
            opened => opened,
        };
        match opened {
            // Deleted meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => return opened.map(|file| (file, false)).map_err(LockError::Io),
        }
    }
}

fn gone_is_fine(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// Whether an error means that the file system has no locks: ENOSYS, EOPNOTSUPP, ENOLCK.
fn has_no_locks(error: &io::Error) -> bool {
    #[cfg(unix)]
    let no_locks = error.raw_os_error() == Some(rustix::io::Errno::NOLCK.raw_os_error());
    #[cfg(not(unix))]
    let no_locks = false;
    no_locks || error.kind() == io::ErrorKind::Unsupported
}

/// The name of this process as written to lock files.
fn own_name() -> String {
    format!("process {} on {}", std::process::id(), host())
}

/// The holder of a lock, in words.
fn owner(file: &mut File) -> String {
    let mut text = String::new();
    let read = file.rewind().and_then(|()| file.take(200).read_to_string(&mut text));
    let line = text.lines().next().unwrap_or_default().trim();
    let is_name = read.is_ok() && line.starts_with("process ") && !line.contains(char::is_control);
    if is_name { line.to_owned() } else { "another process".to_owned() }
}

/// Whether the process that created a lock is known to be gone: it was on this machine and no longer runs.
fn is_stale(owner: &str, path: &Path) -> bool {
    let process = owner.strip_prefix("process ").and_then(|rest| rest.split_once(" on "));
    let Some((number, host_name)) = process else { return false };
    match number.parse::<u32>() {
        Ok(number) if host_name == host() => {
            let is_own = number == std::process::id();
            // A lock with our own process number that we do not hold belongs to an earlier process with that number.
            if is_own { !is_listed(path) } else { !is_running(number) }
        }
        _ => false,
    }
}

#[cfg(unix)]
fn is_running(number: u32) -> bool {
    let process = i32::try_from(number).ok().and_then(rustix::process::Pid::from_raw);
    let asked = process.map(rustix::process::test_kill_process);
    asked.is_some_and(|asked| asked != Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn is_running(_: u32) -> bool {
    true
}

#[cfg(unix)]
fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

#[cfg(unix)]
fn is_same_file(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let there = fs::metadata(path);
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
        let lock = Lock::take(&path).unwrap();
        let Err(LockError::Busy(owner)) = Lock::take(&path) else { panic!("taken twice") };
        assert_eq!(owner, own_name());
        assert!(!lock.is_by_name());
        drop(lock);
        assert!(!path.exists());
        for text in ["", "process 1 on nowhere", "\0"] {
            fs::write(&path, text).unwrap();
            assert!(Lock::take(&path).is_ok(), "a file that nobody has locked is no obstacle: {text:?}");
        }
    }

    /// Some network and user-space file systems have no locks.
    #[test]
    #[cfg(unix)]
    fn without_locks_the_name_serves() {
        use rustix::io::Errno;
        let no_locks: [TryLock; 3] = [
            |_| Err(TryLockError::Error(Errno::NOSYS.into())),
            |_| Err(TryLockError::Error(Errno::NOLCK.into())),
            |_| Err(TryLockError::Error(Errno::OPNOTSUPP.into())),
        ];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("EvL.lock");
        for try_lock in no_locks {
            let lock = Lock::take_with(&path, try_lock).unwrap();
            assert!(lock.is_by_name());
            assert!(matches!(Lock::take_with(&path, try_lock), Err(LockError::Busy(owner)) if owner == own_name()));
            drop(lock);
            assert!(!path.exists());
            // A process that is gone, and an earlier process with our own number.
            let mut child = std::process::Command::new("true").spawn().unwrap();
            child.wait().unwrap();
            for number in [child.id(), std::process::id()] {
                fs::write(&path, format!("process {number} on {}", host())).unwrap();
                assert!(Lock::take_with(&path, try_lock).is_ok());
            }
            // Nothing is known of processes on another machine, or if the file names no process.
            for (text, owner) in [("process 1 on elsewhere", "process 1 on elsewhere"), ("", "another process")] {
                fs::write(&path, text).unwrap();
                let found = Lock::take_with(&path, try_lock);
                assert!(matches!(found, Err(LockError::Busy(found)) if found == owner));
                fs::remove_file(&path).unwrap();
            }
        }
        let other: TryLock = |_| Err(TryLockError::Error(Errno::IO.into()));
        assert!(matches!(Lock::take_with(&path, other), Err(LockError::Io(_))));
    }

    /// A pipe at the lock path once made every run hang.
    #[test]
    #[cfg(unix)]
    fn nobody_waits_for_a_pipe() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("EvL.lock");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        drop(Lock::take(&path));
    }
}
