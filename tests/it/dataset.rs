//! Data sets in Parquet, read back by another reader than the one that wrote them.

use crate::common::{run, tables, text};
use jungletb::analysis::rows::{Chunk, Rows};
use jungletb::game::{Color, Rules};
use jungletb::material::Material;
use jungletb::probe::Tablebase;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::collections::BTreeMap;
use std::fs::File;

/// A row: squares, side to move, category, distance.
type Row = (Vec<u8>, String, String, Option<u16>);

fn read(reader: &SerializedFileReader<File>) -> Vec<Row> {
    let row = |row: parquet::errors::Result<parquet::record::Row>| {
        let mut read = (Vec::new(), String::new(), String::new(), None);
        for (name, field) in row.unwrap().get_column_iter() {
            match (name.as_str(), field) {
                ("to_move", Field::Str(side)) => read.1.clone_from(side),
                ("category", Field::Str(category)) => read.2.clone_from(category),
                ("dtw", Field::UShort(plies)) => read.3 = Some(*plies),
                ("dtw", Field::Null) => {}
                (_, Field::UByte(square)) => read.0.push(*square),
                (name, field) => panic!("{name}: {field}"),
            }
        }
        read
    };
    reader.get_row_iter(None).unwrap().map(row).collect()
}

#[test]
fn a_data_set_has_every_row_and_says_where_it_is_from() {
    let made = tables("standard", "3");
    let rules = Rules::standard();
    let base = Tablebase::open(made.path(), &rules).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, squares, extra) in [
        ("LvR", ["white_lion", "black_rat", ""], &[][..]),
        ("PvWC", ["white_leopard", "black_wolf", "black_cat"], &["--to-move", "black"]),
        ("ERvL", ["white_elephant", "white_rat", "black_lion"], &["--to-move", "both"]),
    ] {
        let file = folder.path().join(format!("{name}.parquet"));
        let mut arguments = vec!["export", name, "--format", "parquet", "--tables", made.text(), "--out", text(&file)];
        arguments.extend(extra);
        run(&arguments).good();
        let reader = SerializedFileReader::new(File::open(&file).unwrap()).unwrap();
        let metadata = reader.metadata().file_metadata();
        let columns: Vec<&str> = metadata.schema_descr().columns().iter().map(|column| column.name()).collect();
        let squares: Vec<&str> = squares.into_iter().filter(|name| !name.is_empty()).collect();
        assert_eq!(columns, [&squares[..], &["to_move", "category", "dtw"]].concat());

        let material = Material::parse(&rules, name).unwrap();
        let class = &base.place(material).unwrap().class;
        let origin: BTreeMap<&str, &str> = metadata
            .key_value_metadata()
            .unwrap()
            .iter()
            .map(|pair| (pair.key.as_str(), pair.value.as_deref().unwrap()))
            .collect();
        let checksum = format!("{:016x}", base.table(material).unwrap().checksum());
        let expected = [
            ("jungletb.material", name),
            ("jungletb.class", &class.name()),
            ("jungletb.rules", "standard"),
            ("jungletb.version", env!("CARGO_PKG_VERSION")),
            ("jungletb.checksum.dtw", &checksum),
        ];
        for (key, value) in expected {
            assert_eq!(origin[key], value, "{key}");
        }
        assert_eq!(Rules::from_toml("copy", origin["jungletb.rules.toml"]).unwrap().keys(), rules.keys());

        let sides = if name == "PvWC" { &Color::BOTH[1..] } else { &Color::BOTH[..] };
        let mut expected = Vec::new();
        for &color in sides {
            let rows = Rows::new(&base, material, color).unwrap();
            let mut chunk = Chunk::default();
            rows.read(0..rows.placements(), &mut chunk).unwrap();
            expected.extend(chunk.values.iter().enumerate().map(|(n, value)| {
                let squares = chunk.squares.iter().map(|column| column[n]).collect();
                (squares, color.to_string().to_lowercase(), value.category().name().to_owned(), value.plies())
            }));
        }
        assert!(read(&reader) == expected, "{name}");
    }
}

/// A WDL table has no distances: the column is there, without a value.
#[test]
fn unknown_distances_are_null() {
    let made = tables("standard", "2");
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("standard")).unwrap();
    std::fs::copy(made.path().join("standard/LvR.wdl"), folder.path().join("standard/LvR.wdl")).unwrap();
    let file = folder.path().join("LvR.parquet");
    let tables = text(folder.path());
    run(&["export", "LvR", "--format", "parquet", "--tables", tables, "--out", text(&file)]).good();
    let rows = read(&SerializedFileReader::new(File::open(&file).unwrap()).unwrap());
    assert_eq!(rows.len(), 5880);
    assert!(rows.iter().all(|row| row.3.is_none()) && rows.iter().any(|row| row.2 == "win"));
}
