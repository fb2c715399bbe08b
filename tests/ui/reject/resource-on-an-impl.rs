use mcp_runtime::{resource, resources};

struct Desk;

#[resource("orders://recent")]
impl Desk {
    fn open(&self) {}
}

#[resource("orders://open")]
fn order() -> String {
    Desk.open();
    String::new()
}

fn main() {
    let _ = resources![order];
}
