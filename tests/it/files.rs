//! Files written by commands: regular files appear complete or not at all, anything else is written in place and never
//! replaced.

use crate::common::{Run, Tables, assert_fails, program, run, run_line, tables, text};
use std::fs::{self, File, Permissions};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Commands that write a file, whose name is to be appended.
struct Writers {
    _tables: Arc<Tables>,
    _games: tempfile::NamedTempFile,
    lines: Vec<String>,
}

fn writers() -> Writers {
    let tables = tables("standard", "2");
    let games = tempfile::NamedTempFile::new().unwrap();
    fs::write(games.path(), "[position 7/7/3L3/7/7/7/7/7/c6 w] d7d6 a1b1 d6d7 b1a1\n".repeat(20)).unwrap();
    let common = format!("--tables {}", tables.text());
    let lines = vec![
        format!("plot LvR {common} --out"),
        format!("export LvR --format csv {common} --out"),
        format!("check games {} -q {common} --annotate", text(games.path())),
    ];
    Writers { _tables: tables, _games: games, lines }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

/// The output of a command to a new file.
fn expected(line: &str, folder: &Path) -> Vec<u8> {
    let path = folder.join("expected");
    run_line(line, &[text(&path)]);
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(bytes.len() > 100, "{line}");
    bytes
}

#[test]
fn links_are_followed_and_permissions_kept() {
    let writers = writers();
    for line in &writers.lines {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let expected = expected(line, folder.path());
        let check = |name: &str, what: &str| {
            assert!(fs::read(path(name)).unwrap() == expected, "{line} {what}");
        };
        // An existing file keeps its mode, a new one gets its mode from the umask.
        fs::write(path("there"), "old").unwrap();
        fs::set_permissions(path("there"), Permissions::from_mode(0o640)).unwrap();
        run_line(line, &[text(&path("there"))]);
        check("there", "over a file");
        assert_eq!(mode(&path("there")), 0o640, "{line}");
        for (umask, wanted) in [("022", 0o644), ("027", 0o640), ("000", 0o666)] {
            let script = format!("umask {umask}; exec \"$@\"");
            let mut command = Command::new("sh");
            let binary = program();
            command.args(["-c", &script, "sh"]).arg(binary.get_program()).args(line.split(' ')).arg(path("new"));
            command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
            assert_eq!(mode(&path("new")), wanted, "{line} with umask {umask}");
            fs::remove_file(path("new")).unwrap();
        }
        // A chain of links, and a dangling link.
        fs::create_dir(path("inner")).unwrap();
        fs::write(path("inner/target"), "old").unwrap();
        symlink("inner/link", path("link")).unwrap();
        symlink("target", path("inner/link")).unwrap();
        symlink("inner/nothing", path("dangling")).unwrap();
        for (link, target) in [("link", "inner/target"), ("dangling", "inner/nothing")] {
            run_line(line, &[text(&path(link))]);
            assert!(fs::symlink_metadata(path(link)).unwrap().is_symlink(), "{line} {link}");
            check(target, link);
        }
        symlink("loop", path("loop")).unwrap();
        let looped = run_line(line, &[text(&path("loop"))]);
        assert_ne!(looped.code, Some(0), "{line}");
        // A folder in which even root cannot create files. The error does not show the temporary file's name.
        if cfg!(target_os = "linux") {
            let refused = run_line(line, &["/sys/result"]);
            assert_ne!(refused.code, Some(0), "{line}");
            assert!(!refused.stderr.contains(".tmp"), "{}", refused.stderr);
        }
        let names = folder.path().read_dir().unwrap().map(|entry| entry.unwrap().path());
        let left: Vec<_> = names.filter(|path| path.extension().is_some()).collect();
        assert!(left.is_empty(), "{line} leaves {left:?}");
    }
}

#[test]
fn pipes_devices_and_open_files_are_written_through() {
    let writers = writers();
    for line in &writers.lines {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let expected = expected(line, folder.path());
        // A named pipe.
        let pipe = path("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || {
                let mut bytes = Vec::new();
                File::open(pipe).unwrap().read_to_end(&mut bytes).unwrap();
                bytes
            }
        });
        run_line(line, &[text(&pipe)]);
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo(), "{line} replaced the pipe");
        assert!(reader.join().unwrap() == expected, "{line} to a pipe");
        // A device, where the tests may create one: another /dev/null.
        let device = path("device");
        let made = Command::new("mknod").arg(&device).args(["c", "1", "3"]).stderr(Stdio::null()).status().unwrap();
        if made.success() {
            run_line(line, &[text(&device)]);
            assert!(fs::symlink_metadata(&device).unwrap().file_type().is_char_device(), "{line} replaced a device");
        }
        run_line(line, &["/dev/null"]);
        assert!(fs::symlink_metadata("/dev/null").unwrap().file_type().is_char_device(), "{line} replaced /dev/null");
        // Standard output by another name is written at its current offset.
        for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/fd/3"] {
            if name.starts_with("/proc") && !cfg!(target_os = "linux") {
                continue;
            }
            let log = path("log");
            fs::write(&log, "before\n").unwrap();
            let mut command = Command::new("sh");
            let binary = program();
            command.args(["-c", "exec 3>&1; \"$@\"; echo after", "sh"]).arg(binary.get_program());
            command.args(line.split(' ')).arg(name).current_dir(env!("CARGO_MANIFEST_DIR"));
            let output = File::options().append(true).open(&log).unwrap();
            command.stdout(output).stderr(Stdio::null()).status().unwrap();
            let found = fs::read(&log).unwrap();
            let inside = found.windows(expected.len()).any(|part| part == expected);
            assert!(found.starts_with(b"before\n") && found.ends_with(b"after\n") && inside, "{line} {name}");
        }
        let closed = run_line(line, &["/dev/fd/77"]);
        assert_ne!(closed.code, Some(0), "{line}");
    }
}

#[test]
fn a_dash_is_standard_output() {
    let writers = writers();
    let folder = tempfile::tempdir().unwrap();
    for line in &writers.lines[..2] {
        let printed = run_line(line, &["-"]).good().stdout;
        assert!(printed.as_bytes() == expected(line, folder.path()), "{line}");
    }
    assert_fails(&run_line(&writers.lines[2], &["-"]), 2, "the report goes to standard output", &writers.lines[2]);
    assert!(!Path::new(env!("CARGO_MANIFEST_DIR")).join("-").exists());
}

#[test]
fn a_picture_is_not_written_into_a_file_of_another_kind() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (line, name, phrase) in [
        ("plot LvR --out", "x.png", "this is an SVG picture; write it to"),
        ("plot LvR --out", "x.PDF", "x.svg"),
        ("export LvR --format csv --out", "x.arff", "x.csv"),
        ("export LvR --format arff --out", "x.csv", "x.arff"),
    ] {
        assert_fails(&run_line(line, &[text(&path(name))]), 2, phrase, line);
        assert!(!path(name).exists());
    }
    let tables = tables("standard", "2");
    for name in ["x.svg", "x.SVG", "x", "x.y.txt"] {
        run(&["plot", "LvR", "--tables", tables.text(), "--out", text(&path(name))]).good();
    }
}

#[test]
fn a_full_disk_leaves_what_was_there() {
    let writers = writers();
    for line in &writers.lines {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result");
        for old in [Some("old"), None] {
            if let Some(old) = old {
                fs::write(&path, old).unwrap();
            }
            // The file size limit simulates a full disk: the write fails.
            let mut command = Command::new("sh");
            let binary = program();
            command.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh"]).arg(binary.get_program());
            command.args(line.split(' ')).arg(&path).current_dir(env!("CARGO_MANIFEST_DIR"));
            let output = command.output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            let run = Run { code: output.status.code(), stdout: String::new(), stderr };
            assert_fails(&run, 1, "result", line);
            assert_eq!(fs::read_to_string(&path).ok().as_deref(), old, "{line}");
            assert_eq!(folder.path().read_dir().unwrap().count(), usize::from(old.is_some()), "{line}");
            let _ = fs::remove_file(&path);
        }
    }
}
