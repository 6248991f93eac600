//! Rule files: what is read prints and reads back the same.
#![no_main]

use jungletb::game::RuleKeys;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(keys) = RuleKeys::from_toml(text) {
        assert_eq!(RuleKeys::from_toml(&keys.to_toml()).unwrap(), keys);
    }
});
