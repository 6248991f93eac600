//! Little-endian conversion between bytes and numbers. Nothing here panics on any input.

/// Reads fields in sequence; a read past the end gives `None`.
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    pub fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(len)?;
        self.0 = tail;
        Some(head)
    }

    pub fn u8(&mut self) -> Option<u8> {
        self.bytes(1)?.first().copied()
    }

    pub fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.bytes(2)?.try_into().ok()?))
    }

    pub fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.bytes(4)?.try_into().ok()?))
    }

    pub fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.bytes(8)?.try_into().ok()?))
    }

    /// A text preceded by its length in one byte.
    pub fn text(&mut self) -> Option<String> {
        let len = self.u8()?;
        String::from_utf8(self.bytes(len.into())?.to_vec()).ok()
    }
}

/// Appends fields in sequence.
#[derive(Default)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    pub fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub fn u16(&mut self, value: u16) {
        self.0.extend(value.to_le_bytes());
    }

    pub fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    pub fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    /// A text of up to 255 bytes, preceded by its length in one byte.
    pub fn text(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let bytes = bytes.get(..255).unwrap_or(bytes);
        self.u8(bytes.len() as u8);
        self.0.extend(bytes);
    }
}
