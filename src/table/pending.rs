//! Reads that go together, some of whose bytes are not there yet.

use super::error::TableError;

/// Keeps the error of bytes that are on their way until the reads that go with them were tried too.
#[derive(Debug, Default)]
pub struct Pending(Option<TableError>);

impl Pending {
    /// The result of a read; `None` if its bytes are on their way.
    ///
    /// # Errors
    /// Returns any other error at once.
    #[inline]
    pub fn keep<T>(&mut self, result: Result<T, TableError>) -> Result<Option<T>, TableError> {
        match result {
            Ok(read) => Ok(Some(read)),
            Err(error) if error.is_pending() => {
                self.0.get_or_insert(error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Ends the reads.
    ///
    /// # Errors
    /// Returns an error if bytes of any read are on their way.
    #[inline]
    pub fn end(self) -> Result<(), TableError> {
        self.0.map_or(Ok(()), Err)
    }
}
