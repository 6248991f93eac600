//! Certificates of proofs, for `prove` and `verify`.

use super::{Common, bars, exit, interrupt, output};
use anyhow::Context;
use indicatif::ProgressBar;
use jungletb::game::{Color, Rules};
use jungletb::probe::Tablebase;
use jungletb::proof::certificate::{Build, Certified, CheckError, Proven, Strategy, Written, check};
use jungletb::proof::{Basis, Proof, Prover};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Writes the certificate of a proof; writes nothing if there is no win to certify.
pub fn write(
    common: &Common,
    tables: &Tablebase,
    prover: &Prover<'_>,
    proof: &Proof,
    file: &Path,
    memory: u64,
) -> anyhow::Result<Option<Written>> {
    let Some((winner, plies)) = proof.winner().zip(proof.dtw).filter(|_| proof.basis != Some(Basis::Over)) else {
        return Ok(None);
    };
    let cancel = interrupt::cancel();
    let bar = bars::single(common, None, "{msg}, {elapsed}");
    let mut listener = |positions: usize| {
        bar.set_message(format!("certificate: {} positions", output::grouped(positions as u64)));
    };
    let mut source = Proven::new(prover, &cancel, &mut listener);
    let build = Build { tables, memory, cancel: &cancel };
    let strategy = Strategy::build(&build, &proof.position, winner, plies, &mut source);
    let written = strategy.and_then(|mut strategy| strategy.write_file(file, &cancel));
    bar.finish_and_clear();
    Ok(Some(written.with_context(|| file.display().to_string())?))
}

/// A description of the written certificate, for people.
pub fn written(file: &Path, written: &Written) -> String {
    format!(
        "certificate {}: at most {}, {} positions, {} bytes\n",
        file.display(),
        output::plies(written.plies),
        output::grouped(written.positions),
        output::grouped(written.bytes)
    )
}

/// Checks certificates with the move generator and the tables.
pub fn verify(common: &Common, tables: &Tablebase, files: &[PathBuf]) -> anyhow::Result<u8> {
    let cancel = interrupt::cancel();
    let mut code = exit::GOOD;
    let mut results = Vec::new();
    for file in files {
        let clock = Instant::now();
        let bar = bar(common, file);
        let checked = check(file, tables, &cancel, &mut |progress| {
            bar.set_length(progress.of);
            bar.set_position(progress.bytes);
        });
        bar.finish_and_clear();
        match &checked {
            Err(error @ CheckError::Interrupted) => {
                exit::print_error(&error.to_string());
                return Ok(exit::INTERRUPTED);
            }
            // The worst code counts: an invalid certificate before a missing table.
            Err(error) => code = if code == exit::DAMAGED { code } else { exit::certificate(error) },
            Ok(certified) if !common.json => {
                output::text(&text(file, certified, tables.rules(), clock.elapsed()))?;
            }
            Ok(_) => {}
        }
        if let Err(error) = &checked {
            exit::print_error(&error.to_string().split_whitespace().collect::<Vec<_>>().join(" "));
        }
        results.push(json_of(file, &checked, tables.rules(), clock.elapsed()));
    }
    if common.json {
        let rules = tables.rules().name();
        output::json(&json!({"rules": rules, "ok": code == exit::GOOD, "certificates": results}))?;
    }
    Ok(code)
}

fn bar(common: &Common, file: &Path) -> ProgressBar {
    let template = "{prefix} {bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
    let bar = bars::single(common, Some(0), template);
    bar.set_prefix(output::printable(&file.display().to_string()));
    bar
}

fn text(file: &Path, certified: &Certified, rules: &Rules, time: Duration) -> String {
    let tables = match certified.tables.len() {
        0 => "no table".to_owned(),
        1 => "1 table".to_owned(),
        count => format!("{count} tables"),
    };
    format!(
        "{}: {}: {} wins in at most {}: holds; {} positions, {} bytes, {tables} ({})\n",
        file.display(),
        certified.position.to_text(rules),
        certified.winner,
        output::plies(certified.plies),
        output::grouped(certified.positions),
        output::grouped(certified.bytes),
        output::duration(time.as_secs_f64()),
    )
}

fn json_of(file: &Path, checked: &Result<Certified, CheckError>, rules: &Rules, time: Duration) -> Value {
    let seconds = (time.as_secs_f64() * 1000.0).round() / 1000.0;
    match checked {
        Err(error) => json!({"certificate": file.to_string_lossy(), "ok": false, "error": error.to_string()}),
        Ok(certified) => {
            let table = |table: &jungletb::proof::certificate::TableUse| json!({"class": table.class, "metric": "dtw", "checksum": format!("{:016x}", table.checksum)});
            json!({
                "certificate": file.to_string_lossy(),
                "ok": true,
                "error": null,
                "position": certified.position.to_text(rules),
                "winner": if certified.winner == Color::White { "white" } else { "black" },
                "category": certified.category().name(),
                "plies": certified.plies,
                "tables": certified.tables.iter().map(table).collect::<Vec<_>>(),
                "positions": certified.positions,
                "bytes": certified.bytes,
                "seconds": seconds,
            })
        }
    }
}
