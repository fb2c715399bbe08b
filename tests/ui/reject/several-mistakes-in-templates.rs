use mcp_runtime::{resource, resources};

#[resource("orders://{id}/{item}{?page,sort}")]
fn order(ident: u32) -> String {
    ident.to_string()
}

#[resource("orders/{}", title = 3)]
fn orders(page: u32) -> String {
    page.to_string()
}

#[resource(name = "items")]
fn items(page: u32) -> String {
    page.to_string()
}

#[resource("orders://{id}/notes")]
fn notes(Id(id): Id) -> String {
    id.to_string()
}

struct Id(u32);

fn main() {
    let _ = resources![order, orders, items, notes];
}
