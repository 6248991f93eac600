//! Conversion of numbers to bytes, for checkpoints.

/// A type with a byte representation.
pub trait Raw: Copy + Send + Sync {
    /// Number of bytes.
    const SIZE: usize;
    /// Appends the bytes.
    fn put(self, out: &mut Vec<u8>);
    /// Reads the bytes.
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! raw_number {
    ($($number:ty),*) => { $(
        impl Raw for $number {
            const SIZE: usize = size_of::<Self>();
            fn put(self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
            fn get(bytes: &[u8]) -> Self {
                Self::from_le_bytes(bytes.try_into().expect("the chunk is of whole items"))
            }
        }
    )* };
}

raw_number!(u8, u16, u64);
