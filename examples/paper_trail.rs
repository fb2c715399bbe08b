//! Where is my order? The smallest tool that is worth calling.
//!
//! ```sh
//! cargo run --example paper_trail -- call order_status '{"order_id":"PT-1041"}'
//! ```
//!
//! As a server, without arguments, it answers lines such as
//!
//! ```json
//! {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"order_status","arguments":{"order_id":"PT-1041"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}
//! ```

use std::process::ExitCode;

use mcp_runtime::{Server, tool, tools};

/// Where an order is.
#[derive(serde::Serialize, schemars::JsonSchema)]
struct OrderStatus {
    /// `processing`, `shipped` or `delivered`.
    status: &'static str,
    carrier: Option<&'static str>,
    /// The day it should arrive, or did.
    eta: Option<&'static str>,
}

const ORDERS: &[(&str, OrderStatus)] = &[
    ("PT-1040", OrderStatus { status: "delivered", carrier: Some("DHL"), eta: Some("2026-07-30") }),
    ("PT-1041", OrderStatus { status: "shipped", carrier: Some("Delhivery"), eta: Some("2026-08-05") }),
    ("PT-1042", OrderStatus { status: "processing", carrier: None, eta: None }),
];

/// Look up where an order is.
#[tool(read_only)]
fn order_status(
    /// Order number, such as PT-1041.
    order_id: &str,
) -> Result<&'static OrderStatus, String> {
    let order = ORDERS.iter().find(|(id, _)| *id == order_id);
    order.map(|(_, status)| status).ok_or_else(|| format!("no such order: {order_id}"))
}

fn main() -> ExitCode {
    Server::new("paper-trail", env!("CARGO_PKG_VERSION")).tools(tools![order_status]).run()
}
