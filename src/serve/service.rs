//! What all requests share: the rule sets with their tables, the answers in memory, the bounds.

use super::assets::Assets;
use super::error::ApiError;
use super::kept::{self, Kept, Listing, MaterialKey, PositionKey};
use super::metrics::{Metrics, SetMetrics};
use super::payload::{Freshness, JSON, Payload};
use super::rate::RateLimit;
use super::rule_sets;
use super::workers::Workers;
use crate::game::Rules;
use crate::probe::{Options, ProbeError, Tablebase};
use crate::system::Cancel;
use crate::text::excerpt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The bounds of a service.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Jobs that ask the tables at a time.
    pub jobs: usize,
    /// Jobs that may wait for their turn; more are refused with 503.
    pub queue: usize,
    /// Bytes of unpacked blocks of tables to keep, at most, all rule sets together.
    pub block_bytes: u64,
    /// Bytes of answers to keep, at most.
    pub answer_bytes: u64,
    /// Stored positions that a material may have for heat maps to be made: by default all of five pieces, of which the
    /// largest takes two seconds of a processor.
    pub heat_positions: u64,
    /// Positions in the body of a request, at most.
    pub positions: usize,
    /// Bytes of a body, at most.
    pub body_bytes: usize,
    /// How long a body may take to come.
    pub body_time: Duration,
    /// How long the head of a request may take to come; an idle connection is closed after the same time.
    pub head_time: Duration,
    /// How long a client may take nothing of its answer.
    pub write_time: Duration,
    /// Connections at a time; more wait to be accepted.
    pub connections: u32,
    /// How long requests may go on after the service was stopped.
    pub stop_time: Duration,
    /// How long a search for a proof may take.
    pub prove_time: Duration,
    /// Bytes that a search for a proof may take for its table of proofs.
    pub prove_memory: usize,
    /// Searches for proofs at a time, each on one thread.
    pub prove_jobs: usize,
    /// Searches that may wait for their turn; more are refused with 503.
    pub prove_queue: usize,
    /// Requests a second that an address may make; `None` for no limit.
    pub rate_limit: Option<u32>,
}

impl Default for Settings {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            jobs: 2 * processors,
            queue: 1024,
            block_bytes: 256 << 20,
            answer_bytes: 64 << 20,
            heat_positions: 500_000_000,
            positions: 1000,
            body_bytes: 128 << 10,
            body_time: Duration::from_secs(10),
            head_time: Duration::from_secs(10),
            write_time: Duration::from_secs(30),
            connections: 1024,
            stop_time: Duration::from_secs(20),
            prove_time: Duration::from_secs(5),
            prove_memory: 64 << 20,
            prove_jobs: processors.div_ceil(2),
            prove_queue: 64,
            rate_limit: None,
        }
    }
}

/// Counts of whole tables that may wait for their turn.
const COUNTS_WAITING: usize = 16;

/// How long what is known of the tables' files is good.
const REFRESHED_FOR: Duration = Duration::from_secs(1);

/// One rule set with its tables.
pub struct RuleSet {
    /// Which of the service's it is.
    pub number: usize,
    /// Its tables.
    pub tables: Tablebase,
    /// The list of them.
    pub(super) listing: Listing,
    /// When they were last compared with their files.
    refreshed: Mutex<Instant>,
    /// Its counters.
    pub(super) metrics: SetMetrics,
}

impl RuleSet {
    /// The tables as they are now: compared with their files if a folder was written to, and otherwise once a second.
    /// Tables may be made, replaced or mended while the service runs. Waits for the disk.
    pub(super) fn current(&self) -> &Tablebase {
        let is_stale = self.tables.registry().is_stale();
        let mut refreshed = self.refreshed.lock().unwrap_or_else(PoisonError::into_inner);
        if refreshed.elapsed() >= REFRESHED_FOR || is_stale && self.tables.registry().is_stale() {
            self.tables.refresh();
            *refreshed = Instant::now();
        }
        &self.tables
    }
}

/// All that requests share.
pub struct Service {
    pub(super) sets: Vec<Arc<RuleSet>>,
    pub(super) metrics: Metrics,
    pub(super) rate_limit: Option<RateLimit>,
    pub(super) settings: Settings,
    pub(super) rules: Payload,
    pub(super) openapi: Payload,
    pub(super) assets: Assets,
    pub(super) kept: Kept<PositionKey>,
    pub(super) kept_materials: Kept<MaterialKey>,
    pub(super) workers: Workers,
    /// For proofs, which take long.
    pub(super) provers: Workers,
    /// For whole tables, which take all threads: one at a time.
    pub(super) counters: Workers,
    closing: Cancel,
}

impl Service {
    /// A service over the tables of some rule sets in a folder, and in more that are looked in after it.
    ///
    /// # Errors
    /// A path at which there is something else than a folder.
    ///
    /// # Panics
    /// Never: the names of all counters are fixed.
    pub fn new(tables: &Path, others: &[PathBuf], rules: &[Rules], settings: Settings) -> Result<Self, ProbeError> {
        let cache_bytes = settings.block_bytes / rules.len().max(1) as u64;
        let options = Options::default().cache_bytes(cache_bytes);
        let metrics = Metrics::new().expect("names and labels are fixed");
        let open = |(number, rules): (usize, &Rules)| {
            let tables = Tablebase::open_all(tables, others, rules, options)?;
            let metrics = metrics.of_set(rules.name());
            let refreshed = Mutex::new(Instant::now());
            Ok(Arc::new(RuleSet { number, tables, listing: Listing::default(), refreshed, metrics }))
        };
        let sets = rules.iter().enumerate().map(open).collect::<Result<Vec<_>, ProbeError>>()?;
        Ok(Self {
            rules: rule_sets::answer(rules),
            openapi: Payload::new(
                JSON,
                include_str!("openapi.json").replace("@VERSION@", env!("CARGO_PKG_VERSION")),
                Freshness::Checked,
            ),
            assets: Assets::new(),
            kept: kept::keep(settings.answer_bytes, kept::POSITION_BYTES),
            kept_materials: kept::keep(settings.answer_bytes / 4, kept::MATERIAL_BYTES),
            workers: Workers::new(settings.jobs, settings.queue, metrics.shed.clone()),
            provers: Workers::new(settings.prove_jobs, settings.prove_queue, metrics.shed.clone()),
            counters: Workers::new(1, settings.queue.min(COUNTS_WAITING), metrics.shed.clone()),
            closing: Cancel::new(),
            sets,
            metrics,
            rate_limit: settings.rate_limit.map(RateLimit::new),
            settings,
        })
    }

    /// The rules that are served.
    pub fn rule_sets(&self) -> impl Iterator<Item = &Rules> {
        self.sets.iter().map(|set| set.tables.rules())
    }

    /// From now on every answer is the last of its connection.
    pub fn close(&self) {
        self.closing.cancel();
    }

    /// Whether answers are the last of their connections.
    pub fn is_closing(&self) -> bool {
        self.closing.is_cancelled()
    }

    /// The rule set of this name, in any case unless two differ in nothing else.
    ///
    /// # Errors
    /// There is none.
    pub fn rule_set(&self, name: &str) -> Result<Arc<RuleSet>, ApiError> {
        let named = |set: &&Arc<RuleSet>| set.tables.rules().name() == name;
        let mut alike = self.sets.iter().filter(|set| set.tables.rules().name().eq_ignore_ascii_case(name));
        let found = self.sets.iter().find(named).or_else(|| alike.next().filter(|_| alike.next().is_none()));
        found.map(Arc::clone).ok_or_else(|| ApiError::UnknownRules {
            found: excerpt(name),
            known: self.sets.iter().map(|set| set.tables.rules().name()).collect::<Vec<_>>().join(", "),
        })
    }
}
