//! Texts of the format to UTF-8.

/// Appends 7-bit text; what is not becomes `?`: the code page is not in the file.
pub fn append_ansi(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend(bytes.iter().map(|&byte| if byte < 0x80 { byte } else { b'?' }));
}

/// The two digits of every byte.
const DIGITS: [[u8; 2]; 256] = {
    let (digits, mut all) = (b"0123456789ABCDEF", [[0; 2]; 256]);
    let mut byte = 0;
    while byte < 256 {
        all[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    all
};

/// Appends `0x` and 16 upper-case digits.
pub fn append_pointer(address: u64, out: &mut Vec<u8>) {
    let mut text = *b"0x0000000000000000";
    let (digits, _) = text[2..].as_chunks_mut::<2>();
    for (digits, byte) in digits.iter_mut().zip(address.to_be_bytes()) {
        *digits = DIGITS[usize::from(byte)];
    }
    out.extend_from_slice(&text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ansi_and_pointers() {
        let mut out = Vec::new();
        append_ansi(b"caf\xE9", &mut out);
        append_pointer(0x7FF8_CC8A_1B95, &mut out);
        assert_eq!(out, b"caf?0x00007FF8CC8A1B95");
    }
}
