//! A file that is added to the page's assets is compiled in, without `cargo clean`.

fn main() {
    println!("cargo:rerun-if-changed=src/serve/assets");
}
