//! The page's many small files as few large ones: a first visit then takes few requests.
//!
//! The modules become one script. Each is a function that returns its exports, called once, after the modules that it
//! imports. The files are our own and follow one style, which [`script`] relies on and checks: named imports and exports
//! at the start of a line, no circles, and dynamic imports only of paths that are relative in a template.

use std::collections::BTreeMap;
use std::fmt::Write;

/// The text files of the page by path.
pub type Texts<'a> = BTreeMap<&'a str, &'a str>;

/// A place in the page's files that does not follow their style.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {what}")]
pub struct StyleError {
    path: String,
    what: String,
}

/// All modules that the module `entry` needs, as one script at the root of the page's folder.
///
/// # Errors
/// Returns an error if a module does not follow the style.
pub fn script(files: &Texts<'_>, entry: &str) -> Result<String, StyleError> {
    let mut bundle = Bundle { files, numbers: BTreeMap::new(), text: "\"use strict\";\n".to_owned() };
    bundle.add(entry)?;
    Ok(bundle.text)
}

/// The style sheets that the page links to, as one, and the page with links to the two large files in a folder.
///
/// # Errors
/// Returns an error if a style sheet does not exist.
pub fn page(files: &Texts<'_>, index: &str, folder: &str) -> Result<(String, String), StyleError> {
    let (mut page, mut styles) = (String::new(), String::new());
    for line in index.split_inclusive('\n') {
        if let Some(path) = between(line, "<link rel=\"stylesheet\" href=\"", "\"") {
            if styles.is_empty() {
                let _ = writeln!(page, "<link rel=\"stylesheet\" href=\"{folder}/{STYLE}\">");
            }
            styles += files.get(path).ok_or_else(|| error("index.html", format!("no file {path}")))?;
        } else if let Some(path) = between(line, "<script src=\"", "\"") {
            let _ = writeln!(page, "<script src=\"{folder}/{path}\"></script>");
        } else if line.starts_with("<script type=\"module\"") {
            let _ = writeln!(page, "<script defer src=\"{folder}/{SCRIPT}\"></script>");
        } else if !line.starts_with("<link rel=\"modulepreload\"") {
            page += line;
        }
    }
    Ok((page, styles))
}

/// Name of the script with all modules.
pub const SCRIPT: &str = "page.js";
/// Name of the style sheet with all styles.
pub const STYLE: &str = "page.css";

/// The module that the page starts.
pub fn entry(index: &str) -> Option<&str> {
    between(index, "<script type=\"module\" src=\"", "\"")
}

struct Bundle<'a> {
    files: &'a Texts<'a>,
    /// The place of each module in the script; `None` while its imports are added.
    numbers: BTreeMap<String, Option<usize>>,
    text: String,
}

impl Bundle<'_> {
    /// Adds a module after those that it imports. Returns its number.
    fn add(&mut self, path: &str) -> Result<usize, StyleError> {
        match self.numbers.get(path) {
            Some(Some(number)) => return Ok(*number),
            Some(None) => return Err(error(path, "imports itself through other modules".to_owned())),
            None => {}
        }
        self.numbers.insert(path.to_owned(), None);
        let source = self.files.get(path).ok_or_else(|| error(path, "no such module".to_owned()))?;
        let (mut body, mut exports) = (String::new(), Vec::new());
        let mut lines = source.lines();
        while let Some(line) = lines.next() {
            if line.starts_with("import ") {
                let mut statement = line.to_owned();
                while !statement.ends_with(';') {
                    statement += lines.next().ok_or_else(|| error(path, format!("{line:?} has no end")))?.trim();
                }
                body += &self.import(path, &statement)?;
            } else if let Some(declaration) = line.strip_prefix("export ") {
                exports.push(declared(declaration).ok_or_else(|| error(path, format!("cannot export {line:?}")))?);
                body += declaration;
            } else {
                body += &dynamic(path, line)?;
            }
            body.push('\n');
        }
        let number = self.numbers.values().flatten().count();
        let _ = writeln!(self.text, "// {path}\nconst $m{number} = (() => {{");
        self.text += &body;
        let _ = writeln!(self.text, "return {{ {} }};\n}})();", exports.join(", "));
        self.numbers.insert(path.to_owned(), Some(number));
        Ok(number)
    }

    /// An import statement as the assignment of another module's exports.
    fn import(&mut self, path: &str, statement: &str) -> Result<String, StyleError> {
        let from = between(statement, " from \"", "\"").or_else(|| between(statement, "import \"", "\""));
        let from = from.ok_or_else(|| error(path, format!("cannot import {statement:?}")))?;
        let number = self.add(&resolve(path, from))?;
        if statement.starts_with("import \"") {
            return Ok(String::new());
        }
        if let Some(name) = between(statement, "import * as ", " from ") {
            return Ok(format!("const {name} = $m{number};"));
        }
        let names = between(statement, "import {", "} from ");
        let names = names.ok_or_else(|| error(path, format!("cannot import {statement:?}")))?;
        Ok(format!("const {{{}}} = $m{number};", names.replace(" as ", ": ")))
    }
}

/// The name that an exported declaration defines.
fn declared(declaration: &str) -> Option<&str> {
    let kinds = ["const ", "async function ", "function ", "class "];
    let rest = kinds.iter().find_map(|kind| declaration.strip_prefix(kind))?;
    rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().filter(|name| !name.is_empty())
}

/// A line with the paths of dynamic imports as they are from the root.
fn dynamic(path: &str, line: &str) -> Result<String, StyleError> {
    let Some((before, after)) = line.split_once("import(") else { return Ok(line.to_owned()) };
    let relative = after.strip_prefix('`').filter(|after| after.starts_with('.'));
    let relative = relative.ok_or_else(|| error(path, format!("cannot import {:?}", line.trim())))?;
    Ok(format!("{before}import(`./{}", resolve(path, relative)))
}

/// The path from the root of a path that is relative to a file.
fn resolve(file: &str, relative: &str) -> String {
    let mut folders: Vec<&str> = file.split('/').collect();
    folders.pop();
    let mut rest = relative;
    loop {
        if let Some(after) = rest.strip_prefix("./") {
            rest = after;
        } else if let Some(after) = rest.strip_prefix("../") {
            folders.pop();
            rest = after;
        } else {
            folders.push(rest);
            return folders.join("/");
        }
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(found, _)| found)
}

fn error(path: &str, what: String) -> StyleError {
    StyleError { path: path.to_owned(), what }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_come_after_those_they_import() {
        let files = Texts::from([
            ("js/main.js", "import { a as b, c } from \"./base/a.js\";\nimport \"./x.js\";\nb(c);\n"),
            ("js/base/a.js", "import * as x from \"../x.js\";\nexport const a = x.f;\nexport class c {\n}\n"),
            ("js/x.js", "export async function f(n) {\n  return (await import(`../lang/${n}.js`)).default;\n}\n"),
        ]);
        let text = script(&files, "js/main.js").unwrap();
        let expected = "\"use strict\";\n// js/x.js\nconst $m0 = (() => {\nasync function f(n) {\n  \
                        return (await import(`./lang/${n}.js`)).default;\n}\nreturn { f };\n})();\n\
                        // js/base/a.js\nconst $m1 = (() => {\nconst x = $m0;\nconst a = x.f;\nclass c {\n}\n\
                        return { a, c };\n})();\n\
                        // js/main.js\nconst $m2 = (() => {\nconst { a: b, c } = $m1;\n\nb(c);\nreturn {  };\n})();\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn other_styles_are_refused() {
        for (source, what) in [
            ("import x from \"./b.js\";", "cannot import"),
            ("import { x }", "has no end"),
            ("export default 3;", "cannot export"),
            ("export { a };", "cannot export"),
            ("const b = import(\"./b.js\");", "cannot import"),
            ("import { a } from \"./none.js\";", "no such module"),
            ("import { a } from \"./a.js\";", "imports itself"),
        ] {
            let files = Texts::from([("a.js", source), ("b.js", "")]);
            let error = script(&files, "a.js").unwrap_err().to_string();
            assert!(error.contains(what), "{source}: {error}");
        }
    }

    #[test]
    fn the_page_links_to_two_large_files() {
        let index = "<link rel=\"icon\" href=\"i.svg\">\n<link rel=\"stylesheet\" href=\"a.css\">\n\
                     <link rel=\"stylesheet\" href=\"b.css\">\n<script src=\"early.js\"></script>\n\
                     <link rel=\"modulepreload\" href=\"m.js\">\n<script type=\"module\" src=\"m.js\"></script>\n";
        let files = Texts::from([("a.css", "a {}\n"), ("b.css", "b {}\n")]);
        let (page, styles) = page(&files, index, "0a").unwrap();
        assert_eq!(styles, "a {}\nb {}\n");
        assert_eq!(
            page,
            "<link rel=\"icon\" href=\"i.svg\">\n<link rel=\"stylesheet\" href=\"0a/page.css\">\n\
             <script src=\"0a/early.js\"></script>\n<script defer src=\"0a/page.js\"></script>\n"
        );
        assert_eq!(entry(index), Some("m.js"));
    }
}
