fn main() {
    println!("{}", pumphouse::graph::sdl(&pumphouse::graph::schema()));
}
