//! Game records in all formats: read, reviewed, written and read again.
#![no_main]

use jungletb::game::Rules;
use jungletb::play::record::Records;
use jungletb::play::review::Review;
use jungletb::probe::Tablebase;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static TABLES: LazyLock<Tablebase> = LazyLock::new(|| {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tablebases");
    Tablebase::open(folder, &Rules::standard()).unwrap()
});

fuzz_target!(|bytes: &[u8]| {
    for record in Records::new(bytes).flatten() {
        let review = Review::new(&TABLES, &record);
        let annotated = review.annotated(TABLES.rules(), &record);
        let again = Records::new(annotated.as_bytes()).next().unwrap().unwrap();
        assert_eq!(again.moves.len(), review.plies);
    }
});
