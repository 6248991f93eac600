//! Apache Parquet: typed columns, with the origin of the data in the file's metadata.
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `white_lion` …, one per piece | `UINT_8` | its square, 0 for a1 to 62 for g9, rank by rank |
//! | `to_move` | string | `white` or `black` |
//! | `category` | string | `win`, `draw` or `loss`, for the side to move |
//! | `dtw` | `UINT_16` or null | plies to the end of the game; null for a draw, and with a WDL table |
//!
//! Strings are encoded by a dictionary. The rows of a part are a row group, so memory does not grow with the table.

use super::super::rows::{Chunk, Rows};
use super::{ExportError, ROWS, for_each_chunk};
use crate::game::{Category, Color, Piece};
use crate::material::Material;
use crate::probe::Tablebase;
use crate::system::Cancel;
use crate::table::Metric;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type};
use std::io::{self, Write};
use std::sync::Arc;

impl From<ParquetError> for ExportError {
    fn from(error: ParquetError) -> Self {
        Self::Output(match error {
            ParquetError::External(cause) => match cause.downcast::<io::Error>() {
                Ok(cause) => *cause,
                Err(cause) => io::Error::other(cause),
            },
            error => io::Error::other(error),
        })
    }
}

/// Writes the positions with these sides to move.
pub fn export(
    tables: &Tablebase,
    material: Material,
    to_move: &[Color],
    out: &mut (dyn Write + Send),
    cancel: &Cancel,
) -> Result<(), ExportError> {
    let schema = Arc::new(schema(material)?);
    let properties = Arc::new(properties(tables, material)?);
    let mut writer = SerializedFileWriter::new(out, schema, properties)?;
    for &color in to_move {
        let rows = Rows::new(tables, material, color)?;
        let mut group = Group::new(&rows);
        for_each_chunk(&rows, cancel, |chunk| {
            let mut columns = writer.next_row_group()?;
            group.write(chunk, &mut columns)?;
            columns.close()?;
            Ok(())
        })?;
    }
    writer.close()?;
    Ok(())
}

fn schema(material: Material) -> Result<Type, ParquetError> {
    let number = |name: &str, bits: i8, repetition| {
        Type::primitive_type_builder(name, Physical::INT32)
            .with_repetition(repetition)
            .with_logical_type(Some(LogicalType::integer(bits, false)))
            .build()
    };
    let text = |name: &str| {
        Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
            .with_repetition(Repetition::REQUIRED)
            .with_logical_type(Some(LogicalType::String))
            .build()
    };
    let mut columns = Vec::new();
    for piece in material.pieces() {
        columns.push(Arc::new(number(&column(piece), 8, Repetition::REQUIRED)?));
    }
    columns.push(Arc::new(text("to_move")?));
    columns.push(Arc::new(text("category")?));
    columns.push(Arc::new(number("dtw", 16, Repetition::OPTIONAL)?));
    Type::group_type_builder("positions").with_fields(columns).build()
}

/// The name of a piece's column. Letters would differ in their case only, which some programs ignore.
fn column(piece: Piece) -> String {
    format!("{}_{}", piece.color.to_string().to_lowercase(), piece.animal.name())
}

fn properties(tables: &Tablebase, material: Material) -> Result<WriterProperties, ExportError> {
    let place = tables.place(material)?;
    let mut metadata = vec![
        ("jungletb.version", env!("CARGO_PKG_VERSION").to_owned()),
        ("jungletb.rules", tables.rules().name().to_owned()),
        ("jungletb.rules.toml", tables.rules().keys().to_toml()),
        ("jungletb.material", material.to_string()),
        ("jungletb.class", place.class.name()),
    ];
    for (metric, key) in [(Metric::Wdl, "jungletb.checksum.wdl"), (Metric::Dtw, "jungletb.checksum.dtw")] {
        if let Ok(table) = tables.registry().table(&place.class, metric) {
            metadata.push((key, format!("{:016x}", table.checksum())));
        }
    }
    let metadata = metadata.into_iter().map(|(key, value)| KeyValue::new(key.to_owned(), value)).collect();
    Ok(WriterProperties::builder()
        .set_created_by(concat!("jungletb version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_column_dictionary_enabled(ColumnPath::from("dtw"), true)
        .set_max_row_group_row_count(Some(ROWS))
        .set_key_value_metadata(Some(metadata))
        .build())
}

/// The columns of a row group, converted; their memory is used again for the next one.
struct Group {
    has_distances: bool,
    side: ByteArray,
    categories: [ByteArray; 3],
    numbers: Vec<i32>,
    texts: Vec<ByteArray>,
    levels: Vec<i16>,
}

impl Group {
    fn new(rows: &Rows) -> Self {
        let text = |text: &str| ByteArray::from(text.as_bytes().to_vec());
        Self {
            has_distances: rows.has_distances(),
            side: text(&rows.to_move().to_string().to_lowercase()),
            categories: [Category::Loss, Category::Draw, Category::Win].map(|category| text(category.name())),
            numbers: Vec::new(),
            texts: Vec::new(),
            levels: Vec::new(),
        }
    }

    fn write<W: Write + Send>(
        &mut self,
        chunk: &Chunk,
        columns: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        for squares in &chunk.squares {
            self.numbers.clear();
            self.numbers.extend(squares.iter().copied().map(i32::from));
            self.levels.clear();
            self.numbers(columns)?;
        }
        self.texts.clear();
        self.texts.resize(chunk.values.len(), self.side.clone());
        self.texts(columns)?;
        self.texts.clear();
        self.texts.extend(chunk.values.iter().map(|value| self.categories[value.category() as usize].clone()));
        self.texts(columns)?;
        self.numbers.clear();
        self.levels.clear();
        for value in &chunk.values {
            let plies = value.plies().filter(|_| self.has_distances);
            self.levels.push(i16::from(plies.is_some()));
            self.numbers.extend(plies.map(i32::from));
        }
        self.numbers(columns)
    }

    /// Writes the next column, which has numbers; those of level 0 are null.
    fn numbers<W: Write + Send>(&self, columns: &mut SerializedRowGroupWriter<'_, W>) -> Result<(), ParquetError> {
        let Some(mut column) = columns.next_column()? else { return Ok(()) };
        let levels = (!self.levels.is_empty()).then_some(&self.levels[..]);
        column.typed::<Int32Type>().write_batch(&self.numbers, levels, None)?;
        column.close()
    }

    /// Writes the next column, which has texts.
    fn texts<W: Write + Send>(&self, columns: &mut SerializedRowGroupWriter<'_, W>) -> Result<(), ParquetError> {
        let Some(mut column) = columns.next_column()? else { return Ok(()) };
        column.typed::<ByteArrayType>().write_batch(&self.texts, None, None)?;
        column.close()
    }
}
