//! `#[arg(pattern = "…")]`, which needs the feature `pattern`.

#![allow(
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::unwrap_used,
    reason = "the tools have the shapes that are tested"
)]

use mcp_runtime::{Server, ToolDef, tool, tools};
use serde_json::{Value, json};

const ORDER: &str = "^PT-[0-9]+$";

#[tool]
fn find(#[arg(pattern = ORDER)] order_id: &str, #[arg(pattern = "[a-z]", len = 1..=3)] word: Option<String>) -> String {
    format!("{order_id} {word:?}")
}

fn block_on<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
}

async fn call(arguments: Value) -> Value {
    let mut client = Server::new("t", "1").tools(tools![find]).connect().await.unwrap();
    client.call_tool("find", arguments).await.unwrap()
}

#[test]
fn shows_a_pattern_in_the_schema() {
    block_on(async {
        let mut client = Server::new("t", "1").tools(tools![find]).connect().await.unwrap();
        let expected = json!({
            "order_id": { "type": "string", "pattern": "^PT-[0-9]+$" },
            "word": { "type": "string", "pattern": "[a-z]", "minLength": 1, "maxLength": 3 },
        });
        assert_eq!(client.list_tools().await.unwrap()[0]["inputSchema"]["properties"], expected);
    });
}

#[test]
fn takes_strings_that_match_anywhere() {
    block_on(async {
        let result = call(json!({ "order_id": "PT-1041", "word": "ÉaÉ" })).await;
        assert_eq!(result["content"][0]["text"], "PT-1041 Some(\"ÉaÉ\")", "{result}");
        assert_eq!(call(json!({ "order_id": "PT-1", "word": null })).await.get("isError"), None);
    });
}

#[test]
fn refuses_strings_that_do_not_match() {
    block_on(async {
        let text = call(json!({ "order_id": "PT-1041x", "word": "ÉÉ" })).await["content"][0]["text"].take();
        let expected = "the arguments of `find` do not fit:
- `order_id`: expected a string that matches ^PT-[0-9]+$, got PT-1041x
- `word`: expected a string that matches [a-z], got ÉÉ";
        assert_eq!(text, expected);
    });
}

#[tool]
fn broken(#[arg(pattern = "[a-")] word: String) -> String {
    word
}

#[tool]
fn contrary(#[arg(pattern = "^[a-z]+$", default = "A")] word: String) -> String {
    word
}

async fn refusal(tool: ToolDef) -> String {
    Server::new("t", "1").tools([tool]).start().await.unwrap_err().to_string()
}

#[test]
fn refuses_to_start_with_a_pattern_that_is_none() {
    block_on(async {
        let text = refusal(tools![broken][0]).await;
        assert!(text.starts_with("tool `broken`: `[a-` is no regular expression: "), "{text}");
    });
}

#[test]
fn refuses_to_start_with_a_default_that_does_not_match() {
    block_on(async {
        let expected = "tool `contrary`: the default of `word`: expected a string that matches ^[a-z]+$, got A";
        assert_eq!(refusal(tools![contrary][0]).await, expected);
    });
}
