//! `serve`: the HTTP service.

use super::exit::BadArgument;
use super::{Common, exit, log, output};
use anyhow::Context;
use clap::Args;
use jungletb::game::{PRESETS, Rules};
use jungletb::serve::{Service, Settings, serve};
use jungletb::table::SearchPath;
use jungletb::text::quote;
use serde_json::json;
use std::net::IpAddr;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Builder;

/// Serve the tables over HTTP, with an explorer for browsers
///
/// Without --rules, serves every preset that has a folder of tables. --rules can be given several times.
#[derive(Args)]
pub struct Serve {
    /// Address or host name to listen on, with or without a port, such as 0.0.0.0:80 or localhost; `:80` means port 80
    /// of all addresses
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: Bind,
    /// Port to listen on, unless --bind has one; 0 takes a free one [default: 8080]
    #[arg(long)]
    port: Option<u16>,
    /// Requests per second and client address [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rate_limit: Option<u32>,
    /// Time limit of a search for a proof, such as 2s or 500ms
    #[arg(long, value_name = "TIME", value_parser = super::prove::parse_time, default_value = "5s")]
    prove_time: Duration,
}

/// The usual port.
const PORT: u16 = 8080;

/// Where to listen.
#[derive(Clone, Debug)]
struct Bind {
    host: String,
    port: Option<u16>,
}

impl FromStr for Bind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let whole = |host: &str, port| Ok(Self { host: host.to_owned(), port });
        // An IPv6 address has colons of its own, and is in brackets if a port follows.
        if let Ok(address) = text.trim_matches(['[', ']']).parse::<IpAddr>() {
            return whole(&address.to_string(), None);
        }
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) => (host, Some(port.parse().map_err(|_| format!("{port:?} is no port"))?)),
            None => (text, None),
        };
        match host {
            "" if port.is_some() => whole("::", port),
            "" => Err("give an address".to_owned()),
            _ if host.bytes().all(|byte| byte.is_ascii_digit()) => {
                Err(format!("{host:?} is no address; a port alone is --port {host}"))
            }
            _ => whole(host.trim_matches(['[', ']']), port),
        }
    }
}

impl Serve {
    /// Runs the subcommand.
    pub fn run(&self, common: &Common) -> anyhow::Result<u8> {
        let path = common.search_path();
        let rules = rules(common, &path)?;
        let settings = Settings { rate_limit: self.rate_limit, prove_time: self.prove_time, ..Settings::default() };
        start_log(common);
        survive_panics();
        let mut runtime = Builder::new_multi_thread();
        if let Some(threads) = common.threads {
            runtime.worker_threads(threads.into());
        }
        let runtime = runtime.max_blocking_threads(settings.jobs + settings.prove_jobs + 8).enable_all().build();
        let service = Arc::new(Service::new(&path, &rules, settings)?);
        runtime.context("cannot start threads; give a smaller --threads")?.block_on(self.listen(common, service))
    }

    /// The host and the port to listen on.
    fn address(&self) -> Result<(&str, u16), BadArgument> {
        let port = match (self.bind.port, self.port) {
            (Some(a), Some(b)) if a != b => {
                return Err(BadArgument(format!("--bind has port {a}, --port has {b}: give one of them")));
            }
            (a, b) => a.or(b).unwrap_or(PORT),
        };
        Ok((&self.bind.host, port))
    }

    async fn listen(&self, common: &Common, service: Arc<Service>) -> anyhow::Result<u8> {
        let (host, port) = self.address()?;
        let listener = TcpListener::bind((host, port)).await;
        let listener =
            listener.with_context(|| format!("cannot listen on {host}:{port}; give another --bind or --port"))?;
        // Before the address is printed, so that no signal is missed.
        let told = told_to_stop().context("cannot listen for signals")?;
        let address = format!("http://{}/", listener.local_addr()?);
        let names: Vec<&str> = service.rule_sets().map(Rules::name).collect();
        if common.json {
            output::json(&json!({"address": address, "rules": names}))?;
        }
        if !common.quiet {
            log::line(&format!("jungletb: {address} with the rules {}", names.join(", ")));
        }
        let stop = async {
            told.await;
            tracing::info!("stopping: no new connections; finishing open requests");
            // A second signal stops the service at once.
            if let Ok(told_again) = told_to_stop() {
                tokio::spawn(async {
                    told_again.await;
                    log::flush();
                    std::process::exit(exit::INTERRUPTED.into());
                });
            }
        };
        if !serve(service, listener, stop).await {
            tracing::warn!("some requests took too long and were cut off");
        }
        Ok(exit::GOOD)
    }
}

/// Completes on SIGINT or SIGTERM, from now on.
#[cfg(unix)]
fn told_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => (),
            _ = terminate.recv() => (),
        }
    })
}

/// Completes when Ctrl-C is pressed.
#[cfg(not(unix))]
fn told_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without a working signal handler, only the end of the process stops the service.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

/// The requested rules, or all presets that have a folder of tables.
fn rules(common: &Common, path: &SearchPath) -> anyhow::Result<Vec<Rules>> {
    let all = if common.rules.is_empty() {
        let has_tables = |name: &&str| {
            path.folders().iter().any(|folder| folder.join(name).is_dir())
                || path.stores().iter().any(|store| !store.list(name).is_empty())
        };
        PRESETS.into_iter().filter(has_tables).filter_map(Rules::preset).collect()
    } else {
        common.rules.iter().map(Rules::load).collect::<Result<Vec<_>, _>>()?
    };
    if all.is_empty() {
        let shown: Vec<String> = path.folders().iter().map(|folder| folder.display().to_string()).collect();
        let quoted = quote(path.written().unwrap_or(Path::new("tablebases")).as_ref());
        let shown = shown.join(", ");
        let what = format!("{shown}: no tables of any preset; `jungletb generate 3 --tables {quoted}` makes some");
        return Err(BadArgument(what).into());
    }
    for (n, rules) in all.iter().enumerate() {
        if all[..n].iter().any(|other| other.name() == rules.name()) {
            return Err(BadArgument(format!("--rules: two rule sets are called {:?}", rules.name())).into());
        }
    }
    Ok(all)
}

/// Log lines on standard error: failures only, with -v every request.
fn start_log(common: &Common) {
    let level = match (common.quiet, common.verbose) {
        (true, _) => tracing::Level::ERROR,
        (_, true) => tracing::Level::INFO,
        _ => tracing::Level::WARN,
    };
    let subscriber = tracing_subscriber::fmt().with_max_level(level).with_writer(|| log::Lines).with_target(false);
    let subscriber = subscriber.log_internal_errors(false);
    let is_terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
    // Fails only if a log is already installed.
    let _ = subscriber.with_ansi(is_terminal).try_init();
}

/// A request that triggers a panic is answered with an error; the service continues.
fn survive_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
        tracing::error!(place, "internal error: {}", info.payload_as_str().unwrap_or("unknown"));
    }));
}
