//! Counters in the Prometheus text format.

use super::payload::{Freshness, Payload};
use crate::probe::Tablebase;
use axum::extract::MatchedPath;
use prometheus::core::Collector;
use prometheus::{HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry};
use std::time::Duration;

/// The counters.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    seconds: HistogramVec,
    in_flight: IntGauge,
    /// Requests refused because the service was overloaded.
    pub shed: IntCounter,
    /// Requests refused by the rate limit.
    pub rate_limited: IntCounter,
    probes: IntCounterVec,
    answers: IntCounterVec,
    answer_bytes: IntGauge,
    proofs: IntCounterVec,
    proof_positions: IntCounterVec,
    blocks: IntCounterVec,
    unpacked: IntCounterVec,
    block_bytes: IntGaugeVec,
}

/// Upper bounds of the latency buckets, in seconds.
const SECONDS: [f64; 13] = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0];

/// Label of requests that match no route.
const OTHER: &str = "other";

/// The counters of one rule set.
#[derive(Clone, Debug)]
pub struct SetMetrics {
    /// Probed positions.
    pub probes: IntCounter,
    /// Responses found in the cache.
    pub hits: IntCounter,
    /// Responses that had to be computed.
    pub misses: IntCounter,
    /// Searches that proved a value.
    pub proven: IntCounter,
    /// Searches that reached a limit.
    pub not_proven: IntCounter,
    /// Searches whose client disconnected.
    pub proofs_cancelled: IntCounter,
    /// Positions searched.
    pub proof_positions: IntCounter,
}

impl Metrics {
    /// All counters at zero.
    ///
    /// # Errors
    /// Never returns an error: names and labels are fixed and valid.
    pub fn new() -> prometheus::Result<Self> {
        let counters = |name: &str, help: &str, labels: &[&str]| IntCounterVec::new(Opts::new(name, help), labels);
        let metrics = Self {
            registry: Registry::new(),
            requests: counters("jungletb_requests_total", "Requests by route and status.", &["route", "status"])?,
            seconds: HistogramVec::new(
                HistogramOpts::new(
                    "jungletb_request_seconds",
                    "Seconds from the head of a request to the head of its answer.",
                )
                .buckets(SECONDS.to_vec()),
                &["route"],
            )?,
            in_flight: IntGauge::new("jungletb_requests_in_flight", "Requests in progress.")?,
            shed: IntCounter::new("jungletb_shed_total", "Requests refused because of overload.")?,
            rate_limited: IntCounter::new("jungletb_rate_limited_total", "Requests refused by the rate limit.")?,
            probes: counters("jungletb_probes_total", "Positions probed.", &["rules"])?,
            answers: counters(
                "jungletb_answers_total",
                "Answers from memory (hit) or computed.",
                &["rules", "result"],
            )?,
            answer_bytes: IntGauge::new("jungletb_answer_bytes", "Bytes of the answers kept in memory.")?,
            proofs: counters(
                "jungletb_proofs_total",
                "Searches for proofs by result: proven, unknown, cancelled.",
                &["rules", "result"],
            )?,
            proof_positions: counters("jungletb_proof_positions_total", "Positions searched by proofs.", &["rules"])?,
            blocks: counters(
                "jungletb_block_lookups_total",
                "Look-ups in tables by cache result.",
                &["rules", "result"],
            )?,
            unpacked: counters("jungletb_unpacked_bytes_total", "Bytes of blocks unpacked.", &["rules"])?,
            block_bytes: IntGaugeVec::new(
                Opts::new("jungletb_block_bytes", "Bytes of the unpacked blocks kept in memory."),
                &["rules"],
            )?,
        };
        metrics.register()?;
        Ok(metrics)
    }

    fn register(&self) -> prometheus::Result<()> {
        let version = Opts::new("jungletb_build_info", "The running version.");
        let version = IntGauge::with_opts(version.const_label("version", env!("CARGO_PKG_VERSION")))?;
        version.set(1);
        let all: [Box<dyn Collector>; 14] = [
            Box::new(version),
            Box::new(self.requests.clone()),
            Box::new(self.seconds.clone()),
            Box::new(self.in_flight.clone()),
            Box::new(self.shed.clone()),
            Box::new(self.rate_limited.clone()),
            Box::new(self.probes.clone()),
            Box::new(self.answers.clone()),
            Box::new(self.answer_bytes.clone()),
            Box::new(self.proofs.clone()),
            Box::new(self.proof_positions.clone()),
            Box::new(self.blocks.clone()),
            Box::new(self.unpacked.clone()),
            Box::new(self.block_bytes.clone()),
        ];
        all.into_iter().try_for_each(|collector| self.registry.register(collector))
    }

    /// The counters of a rule set.
    pub fn of_set(&self, rules: &str) -> SetMetrics {
        SetMetrics {
            probes: self.probes.with_label_values(&[rules]),
            hits: self.answers.with_label_values(&[rules, "hit"]),
            misses: self.answers.with_label_values(&[rules, "miss"]),
            proven: self.proofs.with_label_values(&[rules, "proven"]),
            not_proven: self.proofs.with_label_values(&[rules, "unknown"]),
            proofs_cancelled: self.proofs.with_label_values(&[rules, "cancelled"]),
            proof_positions: self.proof_positions.with_label_values(&[rules]),
        }
    }

    /// Counts a request as in flight until the returned guard is dropped.
    pub fn enter(&self) -> InFlight {
        self.in_flight.inc();
        InFlight(self.in_flight.clone())
    }

    /// Counts an answered request.
    pub fn answered(&self, route: Option<&MatchedPath>, status: u16, time: Duration) {
        let route = route.map_or(OTHER, MatchedPath::as_str);
        // A path that matches no route of a nested router is reported with the pattern of the nest.
        let route = if route.contains('*') { OTHER } else { route };
        let mut digits = [0; 3];
        for (digit, value) in digits.iter_mut().zip([status / 100, status / 10 % 10, status % 10]) {
            *digit = b'0' + value as u8;
        }
        let status = std::str::from_utf8(&digits).unwrap_or(OTHER);
        self.requests.with_label_values(&[route, status]).inc();
        self.seconds.with_label_values(&[route]).observe(time.as_secs_f64());
    }

    /// All counters as text.
    pub fn answer<'a>(&self, tables: impl Iterator<Item = &'a Tablebase>, answer_bytes: u64) -> Payload {
        self.answer_bytes.set(answer_bytes.cast_signed());
        for tables in tables {
            let (rules, statistics) = (tables.rules().name(), tables.statistics());
            let advance = |counter: IntCounter, to: u64| counter.inc_by(to.saturating_sub(counter.get()));
            advance(self.blocks.with_label_values(&[rules, "hit"]), statistics.hits);
            advance(self.blocks.with_label_values(&[rules, "miss"]), statistics.misses);
            advance(self.unpacked.with_label_values(&[rules]), statistics.bytes_unpacked);
            self.block_bytes.with_label_values(&[rules]).set(statistics.bytes_kept.cast_signed());
        }
        let text = prometheus::TextEncoder::new().encode_to_string(&self.registry.gather());
        Payload::new(prometheus::TEXT_FORMAT, text.unwrap_or_default(), Freshness::Checked)
    }
}

/// A request in flight.
#[derive(Debug)]
pub struct InFlight(IntGauge);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}
