//! Three small tools: one that looks something up, one that computes, one that gives back what it gets; and as many more as
//! `BENCH_TOOLS` says, which are registered at run time.

#![expect(clippy::unused_async, reason = "a tool that waits for something is what most servers have")]

use std::convert::Infallible;

use mcp_runtime::{Server, Tool, tool, tools};

#[derive(serde::Serialize, schemars::JsonSchema)]
struct OrderStatus {
    status: &'static str,
    carrier: &'static str,
    eta: &'static str,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Sum {
    sum: i64,
}

/// The arguments of a tool that is registered at run time: those of `order_status`.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Order {
    /// Order number, such as A-1001
    #[expect(dead_code, reason = "it is there for the schema")]
    order_id: String,
}

const ORDERS: &[(&str, OrderStatus)] = &[
    ("A-1001", OrderStatus { status: "shipped", carrier: "northline", eta: "2026-12-01" }),
    ("A-1002", OrderStatus { status: "processing", carrier: "seaway", eta: "2026-12-04" }),
    ("A-1003", OrderStatus { status: "delivered", carrier: "northline", eta: "2026-11-20" }),
    ("A-1004", OrderStatus { status: "shipped", carrier: "overland", eta: "2026-12-02" }),
    ("A-1005", OrderStatus { status: "delayed", carrier: "seaway", eta: "2026-12-11" }),
    ("A-1006", OrderStatus { status: "shipped", carrier: "skyhop", eta: "2026-11-30" }),
    ("A-1007", OrderStatus { status: "returned", carrier: "overland", eta: "2026-11-18" }),
    ("A-1008", OrderStatus { status: "processing", carrier: "skyhop", eta: "2026-12-06" }),
];

/// Look up the status of an order
#[tool]
async fn order_status(
    /// Order number, such as A-1001
    order_id: &str,
) -> Result<&'static OrderStatus, String> {
    let order = ORDERS.iter().find(|(id, _)| *id == order_id);
    order.map(|(_, status)| status).ok_or_else(|| format!("unknown order: {order_id}"))
}

/// Add two integers
#[tool]
async fn add(a: i64, b: i64) -> Result<Sum, &'static str> {
    let sum = a.checked_add(b).ok_or("the sum is too large")?;
    Ok(Sum { sum })
}

/// Return the text unchanged
#[tool]
async fn echo(text: String) -> String {
    text
}

/// One of the tools that are there to be many.
fn extra(number: usize) -> Tool {
    Tool::builder(format!("extra_{number:04}"))
        .description(format!("Extra tool number {number}"))
        .handler(|_: Order, _| async { Ok::<_, Infallible>("ok") })
}

/// The server, as its environment wants it.
pub(crate) fn server() -> Server {
    let extras = std::env::var("BENCH_TOOLS").map_or(0, |count| count.parse().expect("`BENCH_TOOLS` is a number"));
    server_with(extras)
}

fn server_with(extras: usize) -> Server {
    Server::new("mcp-bench-server", env!("CARGO_PKG_VERSION"))
        .tools(tools![order_status, add, echo])
        .tools((0..extras).map(extra))
}

#[cfg(test)]
mod tests {
    use std::future::Future;

    use serde_json::{Value, json};
    use tokio::runtime::Builder;

    use super::server_with;

    fn block_on<F: Future>(future: F) -> F::Output {
        Builder::new_current_thread().enable_time().build().expect("a runtime starts").block_on(future)
    }

    #[test]
    fn answers_calls_of_every_tool() {
        block_on(async {
            let mut client = server_with(1).connect().await.expect("the server starts");
            let mut call =
                async |tool: &str, arguments: Value| client.call_tool(tool, arguments).await.expect("it answers");

            let order = call("order_status", json!({ "order_id": "A-1005" })).await;
            let expected = json!({ "status": "delayed", "carrier": "seaway", "eta": "2026-12-11" });
            assert_eq!(order["structuredContent"], expected);
            let unknown = call("order_status", json!({ "order_id": "A-9999" })).await;
            assert_eq!(
                (&unknown["isError"], &unknown["content"][0]["text"]),
                (&json!(true), &json!("unknown order: A-9999"))
            );
            assert_eq!(call("add", json!({ "a": 40, "b": -2 })).await["structuredContent"], json!({ "sum": 38 }));
            assert_eq!(call("add", json!({ "a": i64::MAX, "b": 1 })).await["isError"], json!(true));
            assert_eq!(call("echo", json!({ "text": "é\n" })).await["content"][0]["text"], json!("é\n"));
            assert_eq!(call("extra_0000", json!({ "order_id": "A-1001" })).await["content"][0]["text"], json!("ok"));
        });
    }

    #[test]
    fn lists_as_many_more_tools_as_it_is_asked_for() {
        block_on(async {
            let mut client = server_with(1000).connect().await.expect("the server starts");
            let tools = client.list_tools().await.expect("it lists");
            assert_eq!(tools.len(), 1003);
            let last = &tools[1002];
            assert_eq!((&last["name"], &last["description"]), (&json!("extra_0999"), &json!("Extra tool number 999")));
            assert_eq!(last["inputSchema"], tools[0]["inputSchema"]);
        });
    }
}
