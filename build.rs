//! Says when the embedded page or the embedded migrations have changed; builds nothing.

fn main() {
    // A folder that is missing counts as changed each time, so what it will appear in is watched instead.
    let page = if std::path::Path::new("playground/dist").exists() { "playground/dist" } else { "playground" };
    println!("cargo:rerun-if-changed={page}");
    // `sqlx::migrate!` reads them when it is compiled.
    println!("cargo:rerun-if-changed=migrations");
}
