//! `man`: manual pages, one for the program and one for each subcommand.

use super::{Cli, exit, output};
use crate::cli::exit::BadArgument;
use anyhow::Context;
use clap::{Args, Command, CommandFactory};
use clap_mangen::roff::{Roff, bold, roman};
use jungletb::text::quoted;
use std::path::{Path, PathBuf};

/// Print a manual page, or write all of them to a folder
///
/// `jungletb man | man -l -` shows the page of the program, `jungletb man probe` prints that of a subcommand.
#[derive(Args)]
pub struct Man {
    /// The subcommand, as in `probe` or `check games` [default: the program]
    #[arg(conflicts_with = "out")]
    subcommand: Vec<String>,
    /// Write the pages of the program and of all subcommands to this folder, such as ~/.local/share/man/man1
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// A page: the command and its name with dashes, `jungletb-check-games`.
struct Page {
    name: String,
    command: Command,
}

impl Man {
    /// Runs the subcommand.
    pub fn run(&self) -> anyhow::Result<u8> {
        let pages = pages();
        let names: Vec<&str> = pages.iter().map(|page| page.name.as_str()).collect();
        if let Some(folder) = &self.out {
            return write_all(folder, &pages, &names);
        }
        let wanted = [&["jungletb".to_owned()], &self.subcommand[..]].concat().join("-");
        let page = pages.iter().find(|page| page.name == wanted);
        let page = page.ok_or_else(|| {
            let name = quoted(&self.subcommand.join(" "));
            BadArgument(format!("no subcommand {name}: see `jungletb --help`"))
        })?;
        output::text(&String::from_utf8_lossy(&page.render(&names)?))?;
        Ok(exit::GOOD)
    }
}

fn write_all(folder: &Path, pages: &[Page], names: &[&str]) -> anyhow::Result<u8> {
    let failed = |path: &Path| format!("{}: cannot write it", path.display());
    std::fs::create_dir_all(folder).with_context(|| failed(folder))?;
    for page in pages {
        let path = folder.join(format!("{}.1", page.name));
        std::fs::write(&path, page.render(names)?).with_context(|| failed(&path))?;
    }
    Ok(exit::GOOD)
}

/// The pages of the program, its subcommands and their subcommands.
fn pages() -> Vec<Page> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let mut pages = Vec::new();
    add("jungletb", &program, &mut pages);
    pages
}

fn add(name: &str, command: &Command, pages: &mut Vec<Page>) {
    let subcommands: Vec<Command> = command.get_subcommands().filter(|sub| !sub.is_hide_set()).cloned().collect();
    let named = command.clone().display_name(name.to_owned());
    pages.push(Page { name: name.to_owned(), command: named });
    for subcommand in subcommands {
        add(&format!("{name}-{}", subcommand.get_name()), &subcommand, pages);
    }
}

const EXIT_STATUS: [(&str, &str); 6] = [
    ("0", "Success."),
    ("1", "I/O and other failures; for check, a finding named by --fail-on."),
    ("2", "Bad arguments, a bad position or a bad material."),
    ("3", "A damaged table or a failed verification."),
    ("4", "A missing table."),
    ("130", "Interrupted."),
];

const ENVIRONMENT: [(&str, &str); 1] = [(
    "JUNGLETB_TABLES",
    "Folders of tables, separated as in PATH, used if --tables is not given. The first folder is written to.",
)];

impl Page {
    fn render(&self, names: &[&str]) -> anyhow::Result<Vec<u8>> {
        let source = concat!("jungletb ", env!("CARGO_PKG_VERSION"));
        let man = clap_mangen::Man::new(self.command.clone()).title(&self.name).source(source);
        let mut text = Vec::new();
        man.render_title(&mut text)?;
        man.render_name_section(&mut text)?;
        man.render_synopsis_section(&mut text)?;
        man.render_description_section(&mut text)?;
        man.render_options_section(&mut text)?;
        if self.command.has_subcommands() {
            man.render_subcommands_section(&mut text)?;
        }
        list("EXIT STATUS", &EXIT_STATUS).to_writer(&mut text)?;
        list("ENVIRONMENT", &ENVIRONMENT).to_writer(&mut text)?;
        self.see_also(names).to_writer(&mut text)?;
        Ok(text)
    }

    /// The parent page and the child pages; for a subcommand of the program also its siblings.
    fn see_also(&self, names: &[&str]) -> Roff {
        let parent = self.name.rsplit_once('-').map_or("", |(parent, _)| parent);
        let is_near = |name: &&&str| {
            let is_child = name.starts_with(&self.name) || name.starts_with(parent);
            **name != self.name && (is_child || **name == "jungletb")
        };
        let mut line = Vec::new();
        for name in names.iter().filter(is_near) {
            if !line.is_empty() {
                line.push(roman(", "));
            }
            line.extend([bold(*name), roman("(1)")]);
        }
        let mut roff = Roff::new();
        roff.control("SH", ["SEE ALSO"]).text(line);
        roff
    }
}

fn list(title: &str, entries: &[(&str, &str)]) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", [title]);
    for (name, what) in entries {
        roff.control("TP", []).text([bold(*name)]).text([roman(*what)]);
    }
    roff
}
