//! Says when the embedded page has changed; builds nothing.

fn main() {
    // A folder that is missing counts as changed each time, so what it will appear in is watched instead.
    let page = if std::path::Path::new("playground/dist").exists() { "playground/dist" } else { "playground" };
    println!("cargo:rerun-if-changed={page}");
}
