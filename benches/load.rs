//! Load test of `jungletb serve` over loopback: requests per second, latencies and CPU time per request; also checks
//! that no request is lost when the service stops meanwhile.
//!
//! `load PROGRAM [SECONDS]` starts PROGRAM with the shipped tables and runs four loads, one after the other.

use jungletb::game::{Color, Position, Rules};
use jungletb::material::{Material, graph};
use jungletb::probe::Tablebase;
use jungletb_bench::TABLES;
use std::error::Error;
use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

type Failure = Box<dyn Error + Send + Sync>;

/// Number of connections, each with one request at a time.
const CONNECTIONS: usize = 32;
/// Number of different positions in the load answered from the cache.
const CACHED: usize = 1000;
/// Number of different positions in the uncached load: more than are requested.
const RANDOM: usize = 400_000;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().ok_or("usage: load PROGRAM [SECONDS]")?;
    let seconds = arguments.next().map_or(Ok(4.0), |text| text.parse())?;
    let time = Duration::from_secs_f64(seconds);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let positions = positions(RANDOM)?;
    let requests: Vec<Vec<u8>> = positions.iter().map(|position| get(position)).collect();
    let batches: Vec<Vec<u8>> = positions.chunks(1000).take(50).map(post).collect();
    let server = Server::start(&program)?;
    println!("{CONNECTIONS} connections, {seconds} s each; client and server share the machine\n");
    println!("load                 requests     a second   p50 ms   p99 ms   max ms   server µs   client µs   failed");
    let load = |name: &str, requests: &[Vec<u8>], start: usize| {
        let until = Until::Time(time);
        let (server_before, client_before) = (server.cpu(), cpu("self"));
        let began = Instant::now();
        let mut outcome = runtime.block_on(run(&server.address, requests, start, until))?;
        let took = began.elapsed().as_secs_f64();
        let spent = [server.cpu() - server_before, cpu("self") - client_before];
        outcome.print(name, took, Some(spent));
        Ok::<_, Failure>(outcome)
    };
    let cached = &requests[..CACHED];
    // Once to fill the cache, then from the cache.
    runtime.block_on(run(&server.address, cached, 0, Until::Requests(2 * CACHED)))?;
    load("one, from memory", cached, 0)?;
    load("one, random", &requests, CACHED)?;
    load("1000 at once", &batches, 0)?;

    let stopped = Arc::new(AtomicBool::new(false));
    let until = Until::Closed(Arc::clone(&stopped));
    let stop = {
        let id = server.child.id().to_string();
        std::thread::spawn(move || {
            std::thread::sleep(time / 2);
            stopped.store(true, Ordering::Relaxed);
            Command::new("kill").args(["-TERM", &id]).status()
        })
    };
    let began = Instant::now();
    let mixed: Vec<Vec<u8>> = requests.iter().take(5000).chain(&batches[..5]).cloned().collect();
    let mut outcome = runtime.block_on(run(&server.address, &mixed, 0, until))?;
    outcome.print("until it is stopped", began.elapsed().as_secs_f64(), None);
    stop.join().map_err(|_| "the thread that stops the server failed")??;
    let code = server.end()?;
    println!("\nstopped under load: {} requests sent, {} lost; exit code {code:?}", outcome.sent, outcome.failed);
    if outcome.failed > 0 || code != Some(0) {
        return Err("a request was lost".into());
    }
    Ok(())
}

/// Random positions of random three-piece classes, the same in every run.
fn positions(count: usize) -> Result<Vec<String>, Failure> {
    let rules = Rules::standard();
    let tables = Tablebase::open(TABLES, &rules)?;
    let classes = graph::up_to(tables.classes(), &rules, 3);
    let places = classes.iter().filter(|class| class.pieces() == 3).map(|class| tables.place(class.representative));
    let places = places.collect::<Result<Vec<_>, _>>()?;
    let mut state = 1_u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((u128::from(state) * u128::from(below)) >> 64) as u64
    };
    let position = |_| -> Position {
        let place = places[random(places.len() as u64) as usize];
        let number = random(place.class.index().len());
        place.position(&rules, &place.class.index().decode(number), Color::BOTH[random(2) as usize])
    };
    let positions: Vec<Position> = (0..count).map(position).collect();
    debug_assert!(positions.iter().all(|position| Material::of(position).len() == 3));
    Ok(positions.iter().map(|position| position.to_text(&rules)).collect())
}

fn get(position: &str) -> Vec<u8> {
    let position = position.replace(' ', "+");
    format!("GET /api/standard/probe?position={position} HTTP/1.1\r\nhost: localhost\r\n\r\n").into_bytes()
}

fn post(positions: &[String]) -> Vec<u8> {
    let body = serde_json::json!(positions).to_string();
    let head = "POST /api/standard/probe HTTP/1.1\r\nhost: localhost\r\ncontent-length: ";
    format!("{head}{}\r\n\r\n{body}", body.len()).into_bytes()
}

/// A running server.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(program: &str) -> Result<Self, Failure> {
        let mut command = Command::new(program);
        command.args(["serve", "--bind", "127.0.0.1:0", "--rules", "standard", "--tables", TABLES]);
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let mut line = String::new();
        let stderr = child.stderr.take().ok_or("no standard error")?;
        BufReader::new(stderr).read_line(&mut line)?;
        let address = line.strip_prefix("jungletb: http://").and_then(|rest| rest.split('/').next());
        let address = address.ok_or_else(|| format!("no address in {line:?}"))?.to_owned();
        Ok(Self { child, address })
    }

    /// CPU seconds used so far.
    fn cpu(&self) -> f64 {
        cpu(&self.child.id().to_string())
    }

    fn end(mut self) -> io::Result<Option<i32>> {
        Ok(self.child.wait()?.code())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails if the process has ended already.
        let _ = self.child.kill();
    }
}

/// CPU seconds of a process, where the system reports them under `/proc`.
fn cpu(process: &str) -> f64 {
    const TICKS: f64 = 100.0;
    let Ok(text) = std::fs::read_to_string(format!("/proc/{process}/stat")) else { return f64::NAN };
    // The program name may contain spaces; user and system time are the 12th and 13th field after it.
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = fields.iter().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>();
    ticks / TICKS
}

/// End condition of a load.
#[derive(Clone)]
enum Until {
    Time(Duration),
    Requests(usize),
    /// Until the server has closed each connection; the flag is set when it is told to stop.
    Closed(Arc<AtomicBool>),
}

/// The result of a load.
#[derive(Default)]
struct Outcome {
    sent: usize,
    failed: usize,
    micros: Vec<u32>,
}

impl Outcome {
    /// Prints a row, with CPU seconds of server and client if they were measured.
    fn print(&mut self, name: &str, took: f64, spent: Option<[f64; 2]>) {
        self.micros.sort_unstable();
        let answered = self.micros.len();
        let at = |share: f64| {
            let micros = self.micros.get(((answered as f64 * share) as usize).min(answered.saturating_sub(1)));
            micros.map_or(f64::NAN, |&micros| f64::from(micros) / 1000.0)
        };
        let each = |cpu: f64| format!("{:.1}", 1e6 * cpu / answered as f64);
        let [server, client] = spent.map_or_else(|| ["–", "–"].map(str::to_owned), |spent| spent.map(each));
        println!(
            "{name:<20} {answered:>8} {:>12.0} {:>8.2} {:>8.2} {:>8.2} {server:>11} {client:>11} {:>8}",
            answered as f64 / took,
            at(0.5),
            at(0.99),
            at(1.0),
            self.failed,
        );
    }
}

/// Sends the requests in order, from number `start` on, over all connections.
async fn run(address: &str, requests: &[Vec<u8>], start: usize, until: Until) -> Result<Outcome, Failure> {
    let next = Arc::new(AtomicUsize::new(start));
    let requests: Arc<[Vec<u8>]> = requests.into();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..CONNECTIONS {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        tasks.spawn(connection(stream, Arc::clone(&requests), Arc::clone(&next), start, until.clone()));
    }
    let mut all = Outcome::default();
    for outcome in tasks.join_all().await {
        all.sent += outcome.sent;
        all.failed += outcome.failed;
        all.micros.extend(outcome.micros);
    }
    Ok(all)
}

async fn connection(
    mut stream: TcpStream,
    requests: Arc<[Vec<u8>]>,
    next: Arc<AtomicUsize>,
    start: usize,
    until: Until,
) -> Outcome {
    let mut outcome = Outcome::default();
    let mut buffer = Vec::new();
    let began = Instant::now();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let is_over = match &until {
            Until::Time(time) => began.elapsed() > *time,
            Until::Requests(count) => number - start >= *count,
            Until::Closed(_) => false,
        };
        if is_over {
            return outcome;
        }
        let sent = Instant::now();
        outcome.sent += 1;
        match exchange(&mut stream, &requests[number % requests.len()], &mut buffer).await {
            Ok(is_last) => {
                outcome.micros.push(sent.elapsed().as_micros() as u32);
                let expected = matches!(&until, Until::Closed(stopped) if stopped.load(Ordering::Relaxed));
                if is_last {
                    outcome.failed += usize::from(!expected);
                    return outcome;
                }
            }
            Err(error) => {
                eprintln!("load: {error}");
                outcome.failed += 1;
                return outcome;
            }
        }
    }
}

/// Sends a request and reads the whole response; returns whether it was the last on this connection.
async fn exchange(stream: &mut TcpStream, request: &[u8], buffer: &mut Vec<u8>) -> Result<bool, Failure> {
    stream.write_all(request).await?;
    buffer.clear();
    let head_len = loop {
        if stream.read_buf(buffer).await? == 0 {
            return Err("the connection ended before the answer".into());
        }
        if let Some(at) = buffer.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            break at + 4;
        }
    };
    let head = std::str::from_utf8(&buffer[..head_len])?;
    if !head.starts_with("HTTP/1.1 200 ") {
        return Err(head.lines().next().unwrap_or_default().into());
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).ok_or("no length")?;
    let (length, is_last) = (length.parse::<usize>()?, head.contains("\r\nconnection: close\r\n"));
    while buffer.len() < head_len + length {
        if stream.read_buf(buffer).await? == 0 {
            return Err("the connection ended within the answer".into());
        }
    }
    Ok(is_last)
}
