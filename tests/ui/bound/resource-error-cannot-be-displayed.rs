use mcp_runtime::{resource, resources};

struct Missing;

#[resource("orders://{id}")]
async fn order(id: u32) -> Result<String, Missing> {
    if id == 0 { Err(Missing) } else { Ok(id.to_string()) }
}

fn main() {
    let _ = resources![order];
}
