use mcp_runtime::{resource, resources};

struct Handle(*const u8);

async fn wait() {}


#[resource("orders://{id}")]
async fn order(id: u32) -> String {
    let handle = Handle(&0);
    wait().await;
    let _ = handle.0;
    id.to_string()
}

fn main() {
    let _ = resources![order];
}
