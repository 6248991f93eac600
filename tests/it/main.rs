//! Integration tests, in one program: linking one per file would take minutes.

mod bad_input;
mod certificate;
mod check_engine;
mod check_games;
mod check_proofs;
mod classes;
mod common;
mod damage;
#[cfg(feature = "parquet")]
mod dataset;
mod encoding;
mod engine;
mod engine_play;
#[cfg(unix)]
mod files;
mod folders;
mod generate;
mod links;
mod output;
mod own_tables;
mod parsers;
mod perft;
mod plan;
mod plot;
mod positions;
mod probing;
mod proof;
mod puzzles;
mod reference;
mod registry;
mod rows;
#[cfg(unix)]
mod samples;
mod search_path;
mod second_reader;
#[cfg(feature = "serve")]
mod serve;
mod stores;
#[cfg(unix)]
mod system;
mod text_in;
mod truth;
mod verify;
mod version_1;
mod version_2;
