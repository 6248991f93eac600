//! Numbers as people read them.

/// A number with groups of three digits: `645,676,671`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_three_digits() {
        let texts = [0, 999, 1000, 645_676_671].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "645,676,671"]);
    }
}
