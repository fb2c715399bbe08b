fn show(#[arg(default = 3)] number: u8) -> u8 {
    number
}

fn main() {
    show(3);
}
