//! Validation of JSON against a schema, with the keywords used by the API description. An unknown keyword panics, so
//! that none is ignored. A complete validator would take longer to build than the library.

use regex_lite::Regex;
use serde_json::{Map, Value};

/// The violations in a value, each with its place; empty if the value matches the schema. References are resolved in
/// `document`.
pub fn faults(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut all = Vec::new();
    Check { document, faults: &mut all }.check(schema, value, "$");
    all
}

struct Check<'a> {
    document: &'a Value,
    faults: &'a mut Vec<String>,
}

impl Check<'_> {
    fn check(&mut self, schema: &Value, value: &Value, at: &str) {
        let schema = schema.as_object().unwrap_or_else(|| panic!("{at}: not a schema: {schema}"));
        for (keyword, rule) in schema {
            match keyword.as_str() {
                "description" | "title" | "example" | "examples" | "format" | "default" => {}
                "$ref" => {
                    let target = rule.as_str().unwrap().strip_prefix('#').and_then(|at| self.document.pointer(at));
                    self.check(target.unwrap_or_else(|| panic!("{at}: no {rule}")), value, at);
                }
                "oneOf" => {
                    let fits = rule.as_array().unwrap().iter();
                    let fits = fits.filter(|schema| faults(self.document, schema, value).is_empty()).count();
                    self.expect(fits == 1, at, &format!("fits {fits} of oneOf"));
                }
                "properties" => {
                    for (name, schema) in rule.as_object().unwrap() {
                        if let Some(member) = value.get(name) {
                            self.check(schema, member, &format!("{at}.{name}"));
                        }
                    }
                }
                "additionalProperties" => self.additional(schema, rule, value, at),
                "items" => {
                    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(rule, item, &format!("{at}[{number}]"));
                    }
                }
                _ => {
                    let is_good = is_as(keyword, rule, value);
                    self.expect(is_good, at, &format!("not as {keyword} {rule} says: {value}"));
                }
            }
        }
    }

    fn additional(&mut self, schema: &Map<String, Value>, rule: &Value, value: &Value, at: &str) {
        let is_named =
            |name: &String| schema.get("properties").is_some_and(|properties| properties.get(name).is_some());
        for (name, member) in value.as_object().into_iter().flatten().filter(|(name, _)| !is_named(name)) {
            match rule.as_bool() {
                Some(is_allowed) => self.expect(is_allowed, at, &format!("{name} is not described")),
                None => self.check(rule, member, &format!("{at}.{name}")),
            }
        }
    }

    fn expect(&mut self, is_good: bool, at: &str, fault: &str) {
        if !is_good {
            self.faults.push(format!("{at}: {fault}"));
        }
    }
}

/// Keywords about the value itself. Those for one type of value hold for all other types.
fn is_as(keyword: &str, rule: &Value, value: &Value) -> bool {
    let limit = || rule.as_f64().unwrap();
    match keyword {
        "type" => match rule {
            Value::Array(types) => types.iter().any(|name| is_of_type(name, value)),
            name => is_of_type(name, value),
        },
        "const" => value == rule,
        "enum" => rule.as_array().unwrap().contains(value),
        "required" => {
            let names = rule.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
            value.as_object().is_none_or(|object| names.into_iter().all(|name| object.contains_key(name)))
        }
        "pattern" => value.as_str().is_none_or(|text| Regex::new(rule.as_str().unwrap()).unwrap().is_match(text)),
        "minimum" => value.as_f64().is_none_or(|number| number >= limit()),
        "maximum" => value.as_f64().is_none_or(|number| number <= limit()),
        "minItems" => value.as_array().is_none_or(|items| items.len() as f64 >= limit()),
        "maxItems" => value.as_array().is_none_or(|items| items.len() as f64 <= limit()),
        _ => panic!("add the keyword {keyword} to tests/it/serve/schema.rs"),
    }
}

fn is_of_type(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no type: {other}"),
    }
}

#[test]
fn faults_are_found() {
    use serde_json::json;
    let document = json!({"schemas": {"Name": {"type": "string", "pattern": "^[a-z]+$"}}});
    let schema = json!({
        "type": "object", "required": ["name"], "additionalProperties": false,
        "properties": {
            "name": {"$ref": "#/schemas/Name"},
            "plies": {"type": ["integer", "null"], "minimum": 0, "maximum": 9},
            "kind": {"enum": ["a", "b"]},
            "list": {"type": "array", "items": {"oneOf": [{"type": "string"}, {"const": 1}]}, "minItems": 1, "maxItems": 2},
        },
    });
    for (value, number) in [
        (json!({"name": "x"}), 0),
        (json!({"name": "x", "plies": null, "kind": "b", "list": ["y", 1]}), 0),
        (json!([]), 1),
        (json!({}), 1),
        (json!({"name": "X"}), 1),
        (json!({"name": 1, "other": 2}), 2),
        (json!({"name": "x", "plies": 1.5}), 1),
        (json!({"name": "x", "plies": 10, "kind": "c"}), 2),
        (json!({"name": "x", "plies": -1, "list": []}), 2),
        (json!({"name": "x", "list": [1, 2, 3]}), 3),
    ] {
        let found = faults(&document, &schema, &value);
        assert_eq!(found.len(), number, "{value}: {found:?}");
    }
}
