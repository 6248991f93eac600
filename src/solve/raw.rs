//! Numbers as bytes, for checkpoints.

/// What has a form in bytes.
pub trait Raw: Copy + Send + Sync {
    /// Number of bytes.
    const SIZE: usize;
    /// Appends them.
    fn put(self, out: &mut Vec<u8>);
    /// Reads them.
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
