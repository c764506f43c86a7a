//! What the records of a chunk may cost.

/// Steps of a chunk: one for every token, and for every eight bytes of a value or name that is
/// read. Real chunks take some 20,000; templates in templates could ask for any number.
const STEPS: usize = 1 << 18;
const BYTES: usize = 8;

#[derive(Debug)]
pub struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(STEPS)
    }
}

impl Budget {
    /// Takes a step with so many bytes; `None` where nothing is left for it.
    pub fn spend(&mut self, bytes: usize) -> Option<()> {
        self.0 = self.0.checked_sub(1 + bytes / BYTES)?;
        Some(())
    }
}
