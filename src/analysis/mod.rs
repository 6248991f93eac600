//! Analysis of tables: verification, statistics, plots, inventory, export.
//!
//! | module | does |
//! |---|---|
//! | [`mod@verify`] | checks a table: every position against its successors |
//! | [`inventory`] | lists tables that are present, missing or damaged |
//! | [`report`] | collects everything the tables give for one position |
//! | [`stats`] | counts a material: wins, draws, losses, longest win, histogram |
//! | [`heat`] | counts a material with each piece on each square |
//! | [`plot`] | draws both as SVG |
//! | [`rows`] | lists all positions of a material, in parts |
//! | [`mod@export`] | writes a material as a data set |

pub mod export;
pub mod heat;
pub mod inventory;
pub mod plot;
pub mod report;
pub mod rows;
pub mod stats;
pub mod verify;
