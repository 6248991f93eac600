//! Writing files: a regular file appears complete or not at all; anything else is written directly.
//!
//! A regular file is written under a temporary name in the same folder, synced and renamed. So a reader never sees a
//! partial file, and a full disk, an interruption or a power failure leaves the previous contents. A device, a pipe or
//! an open descriptor (`/dev/stdout`, `/dev/fd/3`) is written in place: renaming a file over it would destroy it.

use std::fmt;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::NamedTempFile;

/// Write buffer in bytes.
const BUFFER: usize = 1 << 18;
/// Maximum number of symbolic links followed, as in Linux.
const LINKS: usize = 40;
/// Maximum bytes of a file name kept in its temporary name: most file systems limit names to 255 bytes.
const NAME: usize = 200;

/// The output of a command: a [`WholeFile`], or a stream that is written directly.
///
/// ```
/// use std::io::Write;
/// # let folder = tempfile::tempdir()?;
/// let path = folder.path().join("picture.svg");
/// let mut out = jungletb::system::Output::create(&path)?;
/// out.write_all(b"<svg/>")?;
/// assert!(!path.exists());
/// out.finish()?;
/// assert_eq!(std::fs::read(&path)?, b"<svg/>");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub enum Output {
    /// A regular file, which appears when [`Output::finish`] is called.
    Whole(WholeFile),
    /// A device, a pipe, or a stream that is already open.
    Through(Stream),
}

/// A buffered stream that is written directly.
pub struct Stream(BufWriter<Box<dyn Write + Send>>);

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream")
    }
}

impl Output {
    /// Opens `path` for writing. An existing regular file keeps its contents until [`Output::finish`].
    ///
    /// # Errors
    /// Returns an error if the file system fails or the path is a folder.
    pub fn create(path: &Path) -> io::Result<Self> {
        match resolve(path)? {
            Target::Regular { path, existing } => WholeFile::at(path, existing.as_ref()).map(Self::Whole),
            Target::Descriptor(number) => Ok(Self::stream(duplicate(number)?)),
            Target::Special(path) => Ok(Self::stream(File::options().write(true).open(path)?)),
        }
    }

    /// Writes to an open stream, such as standard output.
    pub fn stream(stream: impl Write + Send + 'static) -> Self {
        Self::Through(Stream(BufWriter::with_capacity(BUFFER, Box::new(stream))))
    }

    /// Flushes the buffer and gives a regular file its name.
    ///
    /// # Errors
    /// Returns an error if the file system fails. A regular file then keeps its previous contents.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Self::Whole(file) => file.finish(),
            Self::Through(mut stream) => stream.0.flush(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Whole(file) => file.write(bytes),
            Self::Through(stream) => stream.0.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Whole(file) => file.flush(),
            Self::Through(stream) => stream.0.flush(),
        }
    }
}

/// A regular file being written; dropped before [`WholeFile::finish`], it leaves no trace.
///
/// A symbolic link is followed: its target is written or created. An existing file keeps its permissions and must be
/// writable; a new one gets its permissions from the umask.
pub struct WholeFile {
    out: BufWriter<NamedTempFile>,
    target: PathBuf,
    permissions: Option<Permissions>,
    /// Registered as unfinished until this is dropped, after the file.
    _listed: Listed,
}

impl WholeFile {
    /// Starts a file.
    ///
    /// # Errors
    /// Returns an error if the file system fails, or if the path exists and is not a regular file.
    pub fn create(path: &Path) -> io::Result<Self> {
        match resolve(path)? {
            Target::Regular { path, existing } => Self::at(path, existing.as_ref()),
            _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")),
        }
    }

    /// `target` is not a link; `existing` is the metadata of the file there.
    fn at(target: PathBuf, existing: Option<&Metadata>) -> io::Result<Self> {
        if existing.is_some() {
            // A file without write permission must not be replaced either.
            File::options().write(true).open(&target)?;
        }
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let kept = name.floor_char_boundary(NAME);
        let prefix = format!("{}.", &name[..kept]);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".tmp");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder_of(&target)).map_err(without_path)?;
        let listed = Listed::new(file.path());
        // Distinguishes a live file from one left by a killed process, where the file system has locks.
        let _ = file.as_file().try_lock();
        let permissions = existing.map(Metadata::permissions);
        Ok(Self { out: BufWriter::with_capacity(BUFFER, file), target, permissions, _listed: listed })
    }

    /// Writes everything so far to the disk, so that [`WholeFile::finish`] takes little time.
    ///
    /// # Errors
    /// Returns an error if the file system fails.
    pub fn sync(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.out.get_ref().as_file().sync_all()
    }

    /// Syncs the file and moves it to its place.
    ///
    /// # Errors
    /// Returns an error if the file system fails. The previous contents are then still in place.
    pub fn finish(self) -> io::Result<()> {
        let Self { out, target, permissions, _listed } = self;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        file.as_file().sync_all()?;
        file.persist(&target).map_err(|error| without_path(error.error))?;
        if cfg!(unix) {
            // Some file systems cannot sync a folder; the file itself is on the disk.
            let _ = File::open(folder_of(&target)).and_then(|folder| folder.sync_all());
        }
        Ok(())
    }
}

impl fmt::Debug for WholeFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WholeFile").field("target", &self.target).finish_non_exhaustive()
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Seek for WholeFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.seek(to)
    }
}

/// Opens a regular file for reading; for a pipe it returns an error instead of blocking.
///
/// # Errors
/// Returns an error if the file system fails, or if the path is a folder, a pipe or a device.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let file = open_at_once(path, File::options().read(true))?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
}

/// Fills `bytes` from a place in a file, whatever its position.
#[cfg(unix)]
pub(crate) fn read_at(file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

/// Fills `bytes` from a place in a file, whatever its position.
#[cfg(windows)]
pub(crate) fn read_at(file: &File, mut bytes: &mut [u8], mut start: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, start)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                bytes = bytes.get_mut(read..).unwrap_or_default();
                start += read as u64;
            }
        }
    }
    Ok(())
}

/// Fills `bytes` from a place in a file, whatever its position: there are no files here.
#[cfg(not(any(unix, windows)))]
pub(crate) fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives a new file this length, with all its space on the disk where the system can reserve it.
pub(crate) fn reserve(file: &File, len: u64) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    if len > 0 {
        match rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, len) {
            Err(rustix::io::Errno::OPNOTSUPP) => {}
            done => return Ok(done?),
        }
    }
    file.set_len(len)
}

/// Opens a file without blocking on a pipe that has no other end.
pub(crate) fn open_at_once(path: &Path, options: &mut fs::OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    options.open(path)
}

/// Whether a live process is writing a temporary file, as far as locks can tell.
pub(crate) fn is_live(path: &Path) -> bool {
    let lock = open_at_once(path, File::options().read(true)).map(|file| file.try_lock());
    matches!(lock, Ok(Err(fs::TryLockError::WouldBlock)))
}

/// Temporary files and locks to delete if the program ends before they are finished.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// An entry of [`UNFINISHED`], removed on drop.
#[derive(Debug)]
pub(super) struct Listed(PathBuf);

impl Listed {
    /// Adds a path to the list.
    pub(super) fn new(path: &Path) -> Self {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        let mut all = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = all.iter().position(|path| *path == self.0) {
            all.swap_remove(at);
        }
    }
}

/// Whether a path is on the list.
pub(super) fn is_listed(path: &Path) -> bool {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|listed| listed == path)
}

/// Deletes temporary files and lock files. For a program that ends without unwinding, where their owners cannot delete
/// them. Never blocks, so it can be called from a thread that holds any lock.
pub fn remove_unfinished() {
    let all = match UNFINISHED.try_lock() {
        Ok(all) => all,
        Err(std::sync::TryLockError::Poisoned(all)) => all.into_inner(),
        Err(std::sync::TryLockError::WouldBlock) => return,
    };
    for path in &*all {
        let _ = fs::remove_file(path);
    }
}

/// The target of a path.
enum Target {
    /// A regular file, or nothing yet.
    Regular { path: PathBuf, existing: Option<Metadata> },
    /// An open file of this process, by descriptor number.
    Descriptor(i32),
    /// A device, a pipe, a socket, or a file provided by the system, such as those under `/proc`.
    Special(PathBuf),
}

/// Follows links, including dangling ones.
fn resolve(path: &Path) -> io::Result<Target> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Some(name) = path.file_name() else { return Err(io::ErrorKind::IsADirectory.into()) };
        // With the folder's real path: `/dev/fd` is a link.
        let folder = folder_of(&path).canonicalize()?;
        path = folder.join(name);
        if let Some(number) = descriptor(&path) {
            return Ok(Target::Descriptor(number));
        }
        if cfg!(target_os = "linux") && folder.starts_with("/proc") {
            return Ok(Target::Special(path));
        }
        let metadata = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Target::Regular { path, existing: None });
            }
            metadata => metadata?,
        };
        let kind = metadata.file_type();
        if kind.is_symlink() {
            path = folder.join(fs::read_link(&path)?);
        } else if kind.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        } else if kind.is_file() {
            return Ok(Target::Regular { path, existing: Some(metadata) });
        } else {
            return Ok(Target::Special(path));
        }
    }
    Err(io::Error::other("too many links"))
}

/// The descriptor number that a path stands for.
fn descriptor(path: &Path) -> Option<i32> {
    let folder = path.parent()?;
    let own = || folder.strip_prefix("/proc").ok()?.strip_prefix(std::process::id().to_string()).ok();
    let is_own = cfg!(unix) && (folder == Path::new("/dev/fd") || own().is_some_and(|rest| rest == Path::new("fd")));
    path.file_name()?.to_str()?.parse().ok().filter(|_| is_own)
}

#[cfg(unix)]
fn duplicate(number: i32) -> io::Result<File> {
    use std::os::fd::BorrowedFd;
    if number < 0 {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    // SAFETY: the number is not negative, and the borrowed descriptor is used for one call only, which fails if the
    // number is not open.
    let fd = unsafe { BorrowedFd::borrow_raw(number) };
    fd.try_clone_to_owned().map(File::from)
}

#[cfg(not(unix))]
fn duplicate(_: i32) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// An error of a temporary file without its name, which means nothing to the user.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((what, _)) => io::Error::new(error.kind(), what),
        None => error,
    }
}

/// The folder of a file; `.` for a bare name.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
