//! What is done with tables: checked, counted, drawn, listed, written out as data.
//!
//! | module | does |
//! |---|---|
//! | [`mod@verify`] | proves a table: every position against its successors |
//! | [`inventory`] | lists tables that are present, missing or damaged |
//! | [`report`] | gathers all that tables say of one position |
//! | [`stats`] | counts a material: wins, draws, losses, longest win, histogram |
//! | [`heat`] | counts a material with each piece on each square |
//! | [`plot`] | draws both as SVG |
//! | [`mod@export`] | writes a material as a data set |

pub mod export;
pub mod heat;
pub mod inventory;
pub mod plot;
pub mod report;
pub mod stats;
pub mod verify;
