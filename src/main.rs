//! The program: prints the schema until it can do more.

fn main() {
    println!("{}", pumphouse::graph::sdl(&pumphouse::graph::schema()));
}
