//! The values of a game's positions, from the last to the first, several at a time.

use super::{Finding, FindingKind, Progress};
use crate::game::{Category, Position};
use crate::play::evidence::Evidence;
use crate::play::known::Known;
use crate::proof::ProofError;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{OnceLock, mpsc};
use std::thread;

/// The values of a game's positions, and the tables that could not be used. `None` if the searches were cancelled.
pub fn values(
    evidence: &Evidence,
    positions: &[Position],
    done: &mut dyn FnMut(Progress),
) -> Option<(Vec<Known>, Vec<Finding>)> {
    evidence.clear();
    // A repeated position is searched once: where it occurred last.
    let mut last: HashMap<Position, usize> = HashMap::new();
    for (at, position) in positions.iter().enumerate() {
        last.insert(*position, at);
    }
    let searched: Vec<usize> = (0..positions.len()).rev().filter(|at| last[&positions[*at]] == *at).collect();
    let found: Vec<OnceLock<Result<Known, ProofError>>> = positions.iter().map(|_| OnceLock::new()).collect();
    let found_at = |at: usize| positions.get(at).and_then(|position| found[last[position]].get());
    let next = AtomicUsize::new(0);
    let work = |ready: &mut dyn FnMut()| {
        while let Some(&at) = searched.get(next.fetch_add(1, Ordering::Relaxed)) {
            // Another thread may still be searching the position after this one.
            let after = found_at(at + 1).and_then(|known| known.as_ref().ok());
            let known = evidence.prove_before(&positions[at], after);
            if evidence.is_cancelled() || found[at].set(known).is_err() {
                return;
            }
            ready();
        }
    };
    let report = |count: usize| Progress { done: count * positions.len() / searched.len().max(1), of: positions.len() };
    done(report(0));
    let threads = evidence.threads().min(searched.len());
    if threads <= 1 {
        let mut count = 0;
        work(&mut || {
            count += 1;
            done(report(count));
        });
    } else {
        thread::scope(|scope| {
            let (send, ready) = mpsc::channel();
            for _ in 0..threads {
                let send = send.clone();
                scope.spawn(move || {
                    work(&mut || {
                        // The receiver outlives the threads.
                        let _ = send.send(());
                    });
                });
            }
            drop(send);
            for ((), count) in ready.iter().zip(1..) {
                done(report(count));
            }
        });
    }
    if evidence.is_cancelled() {
        return None;
    }
    let mut values: Vec<Known> = positions.iter().map(|position| Known::unknown(position.to_move())).collect();
    let mut findings = Vec::new();
    for at in (0..positions.len()).rev() {
        match found_at(at) {
            Some(Ok(known)) => values[at] = *known,
            // At the move after which the table is needed first.
            Some(Err(error)) => {
                findings.push(Finding { ply: at + 1, kind: FindingKind::Damaged, what: error.to_string() });
            }
            None => {}
        }
        if evidence.proves()
            && let Some(win) = values.get(at + 1).and_then(Known::win_before)
        {
            values[at] = values[at].with_proof(&win);
        }
    }
    findings.sort_by_key(|finding| finding.ply);
    let mut told = HashSet::new();
    findings.retain(|finding| told.insert(finding.what.clone()));
    for at in 1..values.len() {
        if evidence.proves() && values[at - 1].category == Some(Category::Loss) {
            // Every move from a lost position leads to one that the other side wins, one ply sooner.
            let most = values[at - 1].dtw.map(|plies| plies.saturating_sub(1));
            let win = Known::at_most(values[at].to_move, Category::Win, most);
            values[at] = values[at].with_proof(&win);
        }
    }
    Some((values, findings))
}
