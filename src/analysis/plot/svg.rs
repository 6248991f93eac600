//! SVG output with the few kinds of marks that a plot needs.

use std::fmt::Display;
use std::fmt::Write as _;

/// A drawing that grows downwards.
#[derive(Debug, Default)]
pub struct Svg {
    body: String,
}

/// Horizontal alignment of a text relative to its point.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// Width of every drawing, in pixels at its natural size.
pub const WIDTH: f64 = 760.0;

/// Colors for light and dark color schemes. Everything else is equal in both, so that nothing moves.
///
/// White's and Black's wins are orange and blue, which people with red-green color blindness can distinguish; wins and
/// losses of the side to move have other colors, because they mean something else.
const STYLE: &str = "\
svg{font-family:system-ui,'Segoe UI',Helvetica,Arial,sans-serif;font-size:12px}\
.page{fill:#fff}.ink{fill:#1f2328}.soft{fill:#59636e}.title{font-size:20px;font-weight:600}.head{font-weight:600}\
.small{font-size:10px}.tiny{font-size:9px}\
.grid{stroke:#d9dee3;stroke-width:1}.axis{stroke:#8b949e;stroke-width:1}\
.win{fill:#1a7f64}.loss{fill:#a4497a}.draw{fill:#b6bec7}\
.white{fill:#e08214}.black{fill:#3a74b8}\
.land{fill:#f3f1ea}.water{fill:#cfe2ee}.mark{fill:none;stroke:#8b949e;stroke-width:1}.frame{fill:none;stroke:#8b949e}\
@media(prefers-color-scheme:dark){\
.page{fill:#15181c}.ink{fill:#e6e9ec}.soft{fill:#9aa4ae}\
.grid{stroke:#2b3138}.axis{stroke:#6b7580}\
.win{fill:#2f9a7d}.loss{fill:#b8608f}.draw{fill:#5a646e}\
.white{fill:#b5651d}.black{fill:#3566a5}\
.land{fill:#24282d}.water{fill:#1f3444}.mark{stroke:#6b7580}.frame{stroke:#6b7580}}";

impl Svg {
    /// A filled rectangle; `hint` is shown as a tooltip.
    pub fn rect(&mut self, class: &str, [x, y, width, height]: [f64; 4], opacity: f64, hint: &str) {
        let opacity = if opacity < 1.0 { format!(" fill-opacity=\"{opacity:.3}\"") } else { String::new() };
        let (x, y, width, height) = (short(x), short(y), short(width), short(height));
        self.put(format_args!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{opacity}"
        ));
        if hint.is_empty() {
            self.put("/>\n");
        } else {
            self.put(format_args!("><title>{}</title></rect>\n", escape(hint)));
        }
    }

    /// A straight line.
    pub fn line(&mut self, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
        let (x1, y1, x2, y2) = (short(x1), short(y1), short(x2), short(y2));
        self.put(format_args!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>\n"));
    }

    /// A line of text, its baseline at `y`.
    pub fn text(&mut self, class: &str, x: f64, y: f64, anchor: Anchor, text: impl Display) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let text = escape(&text.to_string());
        self.put(format_args!("<text class=\"{class}\" x=\"{}\" y=\"{}\"{anchor}>{text}</text>\n", short(x), short(y)));
    }

    /// The complete file, with a text description for screen readers.
    pub fn finish(self, height: f64, title: &str) -> String {
        let (height, title) = (short(height), escape(title));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 \
             0 {WIDTH} {height}\">\n<title>{title}</title>\n<style>{STYLE}</style>\n<rect class=\"page\" \
             width=\"{WIDTH}\" height=\"{height}\"/>\n{}</svg>\n",
            self.body
        )
    }

    fn put(&mut self, text: impl Display) {
        // Writing to a string cannot fail.
        let _ = write!(self.body, "{text}");
    }
}

/// A coordinate rounded to a tenth of a pixel, without unnecessary digits.
fn short(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
