//! Tools whose errors are those of `anyhow`. Here and not in the root package, whose dev-dependencies are built for
//! `cargo run --example`.

#![allow(
    clippy::indexing_slicing,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    clippy::unwrap_used,
    reason = "the tools have the shapes that are tested"
)]

use anyhow::{Context as _, bail};
use mcp_runtime::{Client, ClientError, Server, ToolError, tool, tools};
use serde_json::{Value, json};

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Row {
    id: u32,
}

#[tool]
async fn read(how: &str) -> anyhow::Result<Row> {
    match how {
        "text" => bail!("no"),
        "chain" => {
            let id = "x".parse().context("cannot read the id").context("cannot find the row")?;
            Ok(Row { id })
        }
        "tool" => Err(ToolError::failure("again").with_data(json!({ "retry": 5 })).into()),
        "context" => Err(anyhow::Error::from(ToolError::protocol(7, "not here")).context("cannot find the row")),
        _ => Ok(Row { id: 1 }),
    }
}

#[tool]
fn nothing() -> anyhow::Result<()> {
    Ok(())
}

fn with_client<T>(test: impl AsyncFnOnce(Client) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { test(Server::new("t", "1").tools(tools![read, nothing]).connect().await.unwrap()).await })
}

async fn failure(client: &mut Client, how: &str) -> Value {
    let mut result = client.call_tool("read", json!({ "how": how })).await.unwrap();
    assert_eq!(result["isError"], true, "{result}");
    result["content"][0]["text"].take()
}

#[test]
fn tells_the_text_of_an_error_and_of_its_context() {
    with_client(async |mut client| {
        assert_eq!(failure(&mut client, "text").await, "no");
        let text = "cannot find the row: cannot read the id: invalid digit found in string";
        assert_eq!(failure(&mut client, "chain").await, text);
    });
}

#[test]
fn finds_a_tool_error_inside() {
    with_client(async |mut client| {
        let result = client.call_tool("read", json!({ "how": "tool" })).await.unwrap();
        assert_eq!(result["structuredContent"], json!({ "retry": 5 }));
        assert_eq!(result["content"], json!([{ "type": "text", "text": "again" }]));
    });
}

#[test]
fn finds_a_tool_error_below_a_context() {
    with_client(async |mut client| {
        let error = client.call_tool("read", json!({ "how": "context" })).await.unwrap_err();
        assert!(matches!(error, ClientError::Rpc(ref error) if error.code == 7), "{error}");
    });
}

#[test]
fn keeps_the_output_schema_of_the_value() {
    with_client(async |mut client| {
        let tools = client.list_tools().await.unwrap();
        assert_eq!(tools[0]["outputSchema"]["properties"]["id"]["type"], "integer");
        assert_eq!(tools[1].get("outputSchema"), None);
    });
}
