//! The program on a socket: its address, slow clients, and shutdown.
#![cfg(unix)]

use super::client::{POSITION, PROBE};
use crate::common::{assert_fails, program, run, tables, text};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A running service, which ends with its test.
struct Running {
    child: Child,
    stderr: BufReader<ChildStderr>,
    address: SocketAddr,
}

impl Running {
    fn start(arguments: &[&str]) -> Self {
        Self::start_at(&["--bind", "127.0.0.1:0"], arguments)
    }

    fn start_at(place: &[&str], arguments: &[&str]) -> Self {
        let mut command = program();
        command.arg("serve").args(place).args(arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        let address = line.strip_prefix("jungletb: http://").and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("no address in {line:?}")).parse().unwrap();
        Self { child, stderr, address }
    }

    fn connect(&self) -> Client {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        stream.set_nodelay(true).unwrap();
        Client(BufReader::new(stream))
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Waits for the end; returns the exit code and the remaining output.
    fn end(mut self) -> (Option<i32>, String) {
        let mut rest = String::new();
        self.stderr.read_to_string(&mut rest).unwrap();
        (self.child.wait().unwrap().code(), rest)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Fails if the process has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A keep-alive connection.
struct Client(BufReader<TcpStream>);

/// A complete response.
struct Answer {
    status: u16,
    /// Whether it is the last on this connection.
    is_last: bool,
    body: Vec<u8>,
}

impl Client {
    fn send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.0.get_mut().write_all(bytes)
    }

    fn get(&mut self, path: &str) -> Answer {
        self.send(format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).unwrap();
        self.answer().unwrap()
    }

    /// Reads a response to its last byte.
    fn answer(&mut self) -> std::io::Result<Answer> {
        let mut answer = Answer { status: 0, is_last: false, body: Vec::new() };
        let mut length = 0;
        for n in 0.. {
            let mut line = String::new();
            if self.0.read_line(&mut line)? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            let line = line.trim_end().to_ascii_lowercase();
            if n == 0 {
                answer.status = line.split(' ').nth(1).unwrap().parse().unwrap();
            } else if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().unwrap();
            } else if line == "connection: close" {
                answer.is_last = true;
            } else if line.is_empty() {
                break;
            }
        }
        answer.body.resize(length, 0);
        self.0.read_exact(&mut answer.body)?;
        Ok(answer)
    }

    /// The time until the service closes the connection, ignoring responses before.
    fn time_to_close(&mut self, mut meanwhile: impl FnMut(&mut Self)) -> Duration {
        let began = Instant::now();
        self.0.get_ref().set_read_timeout(Some(Duration::from_millis(200))).unwrap();
        while began.elapsed() < Duration::from_mins(1) {
            match self.0.read(&mut [0; 1000]) {
                Ok(0) => return began.elapsed(),
                Ok(_) => {}
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => meanwhile(self),
                Err(_) => return began.elapsed(),
            }
        }
        panic!("the connection is still open");
    }
}

#[test]
fn it_listens_where_it_says_and_stops_when_told() {
    for signal in ["-INT", "-TERM"] {
        let running = Running::start(&[]);
        let mut client = running.connect();
        for _ in 0..3 {
            let answer = client.get(PROBE);
            let json: Value = serde_json::from_slice(&answer.body).unwrap();
            assert_eq!((answer.status, &json["dtw"]), (200, &8.into()));
            assert!(!answer.is_last);
        }
        // An idle connection does not delay the shutdown.
        let began = Instant::now();
        running.signal(signal);
        assert_eq!(running.end(), (Some(0), String::new()));
        assert!(began.elapsed() < Duration::from_secs(10));
    }
}

#[test]
fn an_address_is_given_as_one_would() {
    for place in [
        &["--port", "0"][..],
        &["--bind", "localhost:0"],
        &["--bind", "localhost", "--port", "0"],
        &["--bind", ":0"],
        &["--bind", "127.0.0.1", "--port=0"],
    ] {
        let running = Running::start_at(place, &[]);
        let port = running.address.port();
        let mut stream = TcpStream::connect(("localhost", port)).unwrap();
        stream.write_all(b"GET /health HTTP/1.0\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        assert!(text.starts_with("HTTP/1.0 200 OK"), "{place:?}: {text}");
        let is_open = running.address.ip().is_unspecified();
        assert_eq!(is_open, place == ["--bind", ":0"], "other machines are let in only when asked");
    }
}

#[test]
fn programs_are_told_where_it_listens() {
    let mut command = program();
    command.args(["serve", "--bind", "127.0.0.1:0", "--json", "-q"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let json: Value = serde_json::from_str(&line).unwrap();
    let address = json["address"].as_str().unwrap().strip_prefix("http://").unwrap().strip_suffix('/').unwrap();
    let mut running =
        Running { stderr: BufReader::new(child.stderr.take().unwrap()), address: address.parse().unwrap(), child };
    assert_eq!(json["rules"], serde_json::json!(["standard"]));
    assert_eq!(running.connect().get("/health").status, 200);
    running.signal("-TERM");
    let mut said = String::new();
    running.stderr.read_to_string(&mut said).unwrap();
    assert_eq!((running.child.wait().unwrap().code(), said.as_str()), (Some(0), ""));
}

#[test]
fn rules_are_named_or_those_with_tables() {
    let made = tables("standard", "2");
    let names = |running: &Running| -> Vec<String> {
        let answer = running.connect().get("/api/rules");
        let json: Value = serde_json::from_slice(&answer.body).unwrap();
        json["rules"].as_array().unwrap().iter().map(|rules| rules["name"].as_str().unwrap().to_owned()).collect()
    };
    let some =
        Running::start(&["--tables", made.text(), "--rules", "leiden", "--rules", "tests/data/rules/trap-max-4.toml"]);
    assert_eq!(names(&some), ["leiden", "trap-max-4"]);
    let all = Running::start(&["--tables", made.text()]);
    assert!(names(&all).contains(&"standard".to_owned()));
    assert!(names(&all).iter().all(|name| made.path().join(name).is_dir()));
}

#[test]
fn arguments_that_cannot_be_meant() {
    let empty = tempfile::tempdir().unwrap();
    let file = empty.path().join("file");
    std::fs::write(&file, "").unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    for (arguments, code, phrase) in [
        (vec!["serve", "--tables", text(empty.path())], 2, "no tables of any preset; `jungletb generate 3 --tables "),
        (vec!["serve", "--tables", text(&file), "--rules", "standard"], 1, "look for tables in"),
        (vec!["serve", "--rules", "leiden", "--rules", "leiden"], 2, "two rule sets are called \"leiden\""),
        (vec!["serve", "--rules", "chess"], 2, "unknown rules \"chess\""),
        (vec!["serve", "--bind", "name.invalid:0"], 1, "cannot listen on name.invalid:0"),
        (vec!["serve", "--bind", ""], 2, "--bind"),
        (vec!["serve", "--bind", "127.0.0.1:http"], 2, "\"http\" is no port"),
        (vec!["serve", "--bind", "8080"], 2, "--port 8080"),
        (vec!["serve", "--bind", ":80", "--port", "81"], 2, "--bind has port 80, --port has 81"),
        (vec!["serve", "--port", "70000"], 2, "--port"),
        (vec!["serve", "--bind", &taken], 1, "cannot listen on"),
        (vec!["serve", "--rate-limit", "0"], 2, "--rate-limit"),
        (vec!["list", "--rules", "leiden", "--rules", "standard"], 2, "only `serve` takes more than one rule set"),
        (vec!["probe", POSITION, "--rules", "leiden", "--rules", "leiden"], 2, "only `serve` takes more than one"),
        (vec!["rules", "--rules", "leiden", "--rules", "standard"], 2, "only `serve` takes more than one"),
    ] {
        assert_fails(&run(&arguments), code, phrase, &format!("{arguments:?}"));
    }
}

#[test]
fn the_rate_limit_is_by_address() {
    let running = Running::start(&["--rate-limit", "3"]);
    let mut client = running.connect();
    let statuses: Vec<u16> = (0..6).map(|_| client.get(PROBE).status).collect();
    assert_eq!(statuses[..3], [200; 3]);
    assert!(statuses.contains(&429), "{statuses:?}");
    assert_eq!(running.connect().get("/").status, 200);
}

#[test]
fn the_log_tells_of_requests_when_asked() {
    let running = Running::start(&["-v"]);
    let mut client = running.connect();
    client.get(PROBE);
    client.get("/api/x/probe");
    running.signal("-TERM");
    let (code, log) = running.end();
    assert_eq!(code, Some(0));
    let lines: Vec<&str> = log.lines().collect();
    assert!(
        lines[0].contains("method=GET uri=/api/standard/probe?position=") && lines[0].contains("status=200"),
        "{log}"
    );
    assert!(lines[0].contains("peer=\"127.0.0.1\"") && lines[1].contains("status=404"), "{log}");
    assert!(lines[2].contains("stopping"), "{log}");
}

/// Clients that send a head or a body one byte at a time, and idle ones, are disconnected soon.
#[test]
fn who_dawdles_is_dropped() {
    let running = Running::start(&[]);
    let head = b"GET /health HTTP/1.1\r\nhost: ".to_vec();
    let dawdlers = std::thread::scope(|scope| {
        let slow_head = scope.spawn(|| {
            let mut client = running.connect();
            client.send(&head).unwrap();
            client.time_to_close(|client| {
                let _ = client.send(b"x");
            })
        });
        let slow_body = scope.spawn(|| {
            let mut client = running.connect();
            client.send(b"POST /api/standard/probe HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n\r\n[").unwrap();
            client.time_to_close(|client| {
                let _ = client.send(b" ");
            })
        });
        let idle = scope.spawn(|| running.connect().time_to_close(|_| ()));
        // Other clients are served meanwhile.
        for _ in 0..20 {
            assert_eq!(running.connect().get("/health").status, 200);
            std::thread::sleep(Duration::from_millis(20));
        }
        [slow_head.join().unwrap(), slow_body.join().unwrap(), idle.join().unwrap()]
    });
    for time in dawdlers {
        assert!((Duration::from_secs(5)..Duration::from_secs(40)).contains(&time), "{time:?}");
    }
    running.signal("-TERM");
    assert_eq!(running.end().0, Some(0));
}

#[test]
fn heads_that_are_none() {
    let running = Running::start(&[]);
    let field = format!("GET /health HTTP/1.1\r\nhost: x\r\na: {}\r\n\r\n", "x".repeat(20_000));
    let fields = format!("GET /health HTTP/1.1\r\nhost: x\r\n{}\r\n", "a: b\r\n".repeat(100));
    let path = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "x".repeat(20_000));
    for (request, status) in [
        (field.as_str(), 431),
        (&fields, 431),
        (&path, 431),
        ("\u{0}\u{1}\r\n\r\n", 400),
        ("GET / HTTP/9.9\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\ncontent-length: x\r\n\r\n", 400),
        ("POST /api/standard/probe HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", 400),
    ] {
        let mut client = running.connect();
        client.send(request.as_bytes()).unwrap();
        let answer = client.answer().unwrap();
        assert_eq!(answer.status, status, "{:?}", request.chars().take(60).collect::<String>());
    }
    assert_eq!(running.connect().get("/health").status, 200);
}

#[test]
fn who_says_it_twice_does_not_wait() {
    let running = Running::start(&["-v"]);
    let mut client = running.connect();
    client.send(b"POST /api/standard/probe HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n\r\n[").unwrap();
    // A later request that is answered shows that the first was accepted.
    running.connect().get("/health");
    let mut running = running;
    let mut line = String::new();
    running.stderr.read_line(&mut line).unwrap();
    running.signal("-TERM");
    line.clear();
    running.stderr.read_line(&mut line).unwrap();
    assert!(line.contains("stopping"), "{line}");
    std::thread::sleep(Duration::from_millis(200));
    running.signal("-TERM");
    assert_eq!(running.end().0, Some(130));
}

/// Every request sent on an open connection gets its complete response, however long it takes.
#[test]
fn nothing_is_lost_when_it_is_stopped_under_load() {
    let running = Running::start(&[]);
    let batch = format!("[{}]", vec![format!("\"{POSITION}\""); 300].join(","));
    let batch =
        format!("POST /api/standard/probe HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n{batch}", batch.len());
    let probe = format!("GET {PROBE} HTTP/1.1\r\nhost: x\r\n\r\n");
    let answered = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..12)
            .map(|n| {
                let (request, answered) = (if n % 3 == 0 { &batch } else { &probe }, &answered);
                let mut client = running.connect();
                scope.spawn(move || {
                    for sent in 1.. {
                        client.send(request.as_bytes()).unwrap();
                        let answer = client.answer().unwrap_or_else(|error| panic!("request {sent} of {n}: {error}"));
                        assert_eq!(answer.status, 200);
                        serde_json::from_slice::<Value>(&answer.body).unwrap();
                        answered.fetch_add(1, Ordering::Relaxed);
                        if answer.is_last {
                            return sent;
                        }
                    }
                    unreachable!()
                })
            })
            .collect();
        while answered.load(Ordering::Relaxed) < 2000 {
            std::thread::yield_now();
        }
        running.signal("-TERM");
        let sent: usize = clients.into_iter().map(|client| client.join().unwrap()).sum();
        assert_eq!(sent, answered.load(Ordering::Relaxed));
    });
    assert_eq!(running.end(), (Some(0), String::new()));
}
