//! Shared state of all requests: the rule sets with their tables, the caches, the limits.

use super::assets::Assets;
use super::error::ApiError;
use super::kept::{self, Kept, Listing, MaterialKey, PositionKey};
use super::metrics::{Metrics, SetMetrics};
use super::payload::{Freshness, JSON, Payload};
use super::rate::RateLimit;
use super::routes::Peer;
use super::rule_sets;
use super::workers::Workers;
use crate::game::Rules;
use crate::probe::{Options, ProbeError, Tablebase};
use crate::system::Cancel;
use crate::table::SearchPath;
use crate::text::excerpt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Limits of a service.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Parallel jobs that probe the tables.
    pub jobs: usize,
    /// Maximum number of waiting jobs; further ones get 503.
    pub queue: usize,
    /// Maximum bytes of cached unpacked blocks, for all rule sets together.
    pub block_bytes: u64,
    /// Maximum bytes of cached responses.
    pub answer_bytes: u64,
    /// Maximum number of stored positions of a material for heat maps: by default all of five pieces, of which the
    /// largest takes two CPU seconds.
    pub heat_positions: u64,
    /// Maximum number of positions in a request body.
    pub positions: usize,
    /// Maximum length of a body in bytes.
    pub body_bytes: usize,
    /// Maximum length of a file of games in bytes.
    pub games_bytes: usize,
    /// Maximum number of games read from a file; further ones are left out.
    pub games: usize,
    /// Time limit for receiving a body.
    pub body_time: Duration,
    /// Time limit for receiving the head of a request; an idle connection is closed after the same time.
    pub head_time: Duration,
    /// Time after which a client that reads nothing of its response is disconnected.
    pub write_time: Duration,
    /// Maximum number of connections; more wait to be accepted.
    pub connections: u32,
    /// Maximum number of connections of one client address; more are refused with 503.
    pub address_connections: u32,
    /// Time limit for open requests after shutdown starts.
    pub stop_time: Duration,
    /// Time limit of a search for a proof.
    pub prove_time: Duration,
    /// Time limit of all proofs for the review of a game.
    pub review_time: Duration,
    /// Bytes of the proof table of a search.
    pub prove_memory: usize,
    /// Parallel searches for proofs, each on one thread.
    pub prove_jobs: usize,
    /// Maximum number of waiting searches; further ones get 503.
    pub prove_queue: usize,
    /// Requests per second and address; `None` for no limit.
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
            games_bytes: 4 << 20,
            games: 1000,
            body_time: Duration::from_secs(10),
            head_time: Duration::from_secs(10),
            write_time: Duration::from_secs(30),
            connections: 1024,
            address_connections: 512,
            stop_time: Duration::from_secs(20),
            prove_time: Duration::from_secs(5),
            review_time: Duration::from_mins(1),
            prove_memory: 64 << 20,
            prove_jobs: processors.div_ceil(2),
            prove_queue: 64,
            rate_limit: None,
        }
    }
}

/// Maximum number of waiting jobs that count whole tables.
const COUNTS_WAITING: usize = 16;

/// How long the comparison of the tables with their files stays valid.
const REFRESHED_FOR: Duration = Duration::from_secs(1);

/// One rule set with its tables.
pub struct RuleSet {
    /// Its index within the service.
    pub number: usize,
    /// The tables.
    pub tables: Tablebase,
    /// The cached list of tables.
    pub(super) listing: Listing,
    /// Time of the last comparison with the files.
    refreshed: Mutex<Instant>,
    /// The counters.
    pub(super) metrics: SetMetrics,
}

impl RuleSet {
    /// The current tables: compared with their files if a folder was written to, and otherwise once a second. Tables
    /// may be added, replaced or repaired while the service runs. Blocks on disk access.
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

/// Shared state of all requests.
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
    /// For jobs on whole tables, which use all threads: one at a time.
    pub(super) counters: Workers,
    closing: Cancel,
}

impl Service {
    /// A service over the tables of some rule sets.
    ///
    /// # Errors
    /// Returns an error if a path exists and is not a folder.
    ///
    /// # Panics
    /// Never panics: the names of all counters and the files of the page are fixed and valid.
    pub fn new(path: &SearchPath, rules: &[Rules], settings: Settings) -> Result<Self, ProbeError> {
        let cache_bytes = settings.block_bytes / rules.len().max(1) as u64;
        let options = Options::default().cache_bytes(cache_bytes);
        let metrics = Metrics::new().expect("names and labels are fixed");
        let open = |(number, rules): (usize, &Rules)| {
            let tables = Tablebase::open_path(path, rules, options)?;
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
            assets: Assets::new().expect("a test shows that the page follows the style"),
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

    /// The served rules.
    pub fn rule_sets(&self) -> impl Iterator<Item = &Rules> {
        self.sets.iter().map(|set| set.tables.rules())
    }

    /// From now on every response closes its connection.
    pub fn close(&self) {
        self.closing.cancel();
    }

    /// Counts a request for several positions as that many, if the rate is limited. It is counted as one already.
    pub(super) fn charge(&self, peer: Option<Peer>, positions: usize) {
        if let Some((limit, peer)) = self.rate_limit.as_ref().zip(peer) {
            limit.charge(peer.0, u32::try_from(positions.saturating_sub(1)).unwrap_or(u32::MAX));
        }
    }

    /// Whether responses close their connections.
    pub fn is_closing(&self) -> bool {
        self.closing.is_cancelled()
    }

    /// The rule set with this name, ignoring case unless several names differ only in case.
    ///
    /// # Errors
    /// Returns an error if there is no such rule set.
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
