//! An untrusted program connected by two pipes.
//!
//! A separate thread reads its output, line by line and bounded in both line length and number of lines, and another
//! writes its input, so that a silent program, one that floods its output, or one that does not read cannot block the
//! caller. It runs in its own process group, so that all processes it started end with it.

use super::Failure;
use crate::system::Cancel;
use crate::text::{LineReader, excerpt};
use std::ffi::OsString;
use std::io::{BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Maximum bytes kept per line.
const LINE: usize = 1 << 16;
/// Lines buffered for the caller; beyond that the program blocks.
const LINES: usize = 256;
/// Interval at which a wait checks for cancellation.
const SLICE: Duration = Duration::from_millis(50);
/// Time allowed for the program to end after being told to quit.
const FAREWELL: Duration = Duration::from_millis(500);

/// A running program.
pub struct Process {
    child: Child,
    input: Sender<String>,
    output: Receiver<String>,
    cancel: Cancel,
    /// Its last output, for error messages.
    last: String,
}

impl Process {
    /// Starts a program.
    pub fn start(command: &[OsString], cancel: &Cancel) -> Result<Self, Failure> {
        let (program, arguments) = command.split_first().ok_or_else(|| Failure::Start("no command".to_owned()))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| Failure::Start(format!("{}: {error}", program.display())))?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (mut stdin, stdout) = pipes.ok_or_else(|| Failure::Start("no pipes".to_owned()))?;
        let (input, lines) = channel::<String>();
        let (sender, output) = sync_channel(LINES);
        thread::spawn(move || {
            for line in lines {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        thread::spawn(move || {
            let mut lines = LineReader::new(BufReader::new(stdout), LINE);
            while let Ok(Some(line)) = lines.read() {
                if sender.send(String::from_utf8_lossy(line.bytes).into_owned()).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, input, output, cancel: cancel.clone(), last: String::new() })
    }

    /// Sends a line. A program that does not read is detected when its answer is due.
    pub fn send(&self, line: &str) {
        let _ = self.input.send(format!("{line}\n"));
    }

    /// Receives the next line, trimmed.
    pub fn receive(&mut self, asked: Instant, deadline: Instant) -> Result<String, Failure> {
        loop {
            let now = Instant::now();
            if self.cancel.is_cancelled() {
                return Err(Failure::Interrupted);
            }
            if now >= deadline {
                return Err(Failure::Hang(now - asked));
            }
            match self.output.recv_timeout(SLICE.min(deadline - now)) {
                Ok(line) => {
                    line.trim().clone_into(&mut self.last);
                    return Ok(self.last.clone());
                }
                // A process it started may hold its output open.
                Err(RecvTimeoutError::Timeout) if matches!(self.child.try_wait(), Ok(Some(_))) => {
                    return Err(Failure::Crash(self.obituary()));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Crash(self.obituary())),
            }
        }
    }

    /// Waits for the program to end on its own.
    pub fn wait(&mut self) -> bool {
        let deadline = Instant::now() + FAREWELL;
        loop {
            match self.child.try_wait() {
                Ok(Some(_)) => return true,
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                _ => return false,
            }
        }
    }

    /// Describes how a program that closed its output ended.
    fn obituary(&mut self) -> String {
        let ended = self.wait();
        let how = match self.child.try_wait() {
            Ok(Some(status)) if ended => status.to_string(),
            _ => "it closed its output but is still running".to_owned(),
        };
        if self.last.is_empty() { how } else { format!("{how}, after {:?}", excerpt(&self.last)) }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        #[cfg(unix)]
        {
            // Includes the processes it started: its group outlives it if they do.
            let group = rustix::process::Pid::from_child(&self.child);
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
