//! What the keys of `#[tool]` do, and what a function brings along by itself.

#![allow(
    clippy::needless_pass_by_value,
    clippy::unused_async,
    clippy::unused_self,
    reason = "the tools have the shapes that are tested"
)]

mod common;

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

use common::PATIENCE;
use common::memory::{block_on, listed, session, start_error};
use mcp_runtime::{Context, Revision, Server, State, tool, tools};
use serde_json::{Value, json};

mod descriptions {
    use super::*;

    const ABOUT: &str = "Looks a word up.";

    #[tool(description = ABOUT)]
    fn constant() {}

    #[tool(description = concat!("Looks ", "a word up."))]
    fn pieces() {}

    #[doc = include_str!("../LICENSE-MIT")]
    #[tool]
    fn file() {}

    #[tool(description = include_str!("../LICENSE-MIT"))]
    fn file_by_key() {}

    /// Not this.
    #[tool(description = "This.")]
    fn both() {}

    /// First
    /// and second.
    ///
    /// * A list,
    ///   indented.
    #[tool]
    fn lines() {}

    #[tool]
    fn none() {}

    #[test]
    fn takes_descriptions_from_constants_macros_and_files() {
        block_on(async {
            let tools = listed(Server::new("t", "1").tools(tools![constant, pieces, file, file_by_key])).await;
            let text = |index: usize| tools[index]["description"].as_str().unwrap();
            assert_eq!((text(0), text(1)), (ABOUT, ABOUT));
            assert_eq!(text(2).trim(), include_str!("../LICENSE-MIT").trim());
            assert_eq!(text(3).trim(), include_str!("../LICENSE-MIT").trim());
        });
    }

    #[test]
    fn prefers_the_key_to_the_docs() {
        block_on(async {
            assert_eq!(listed(Server::new("t", "1").tools(tools![both])).await[0]["description"], "This.");
        });
    }

    #[test]
    fn keeps_the_lines_of_the_docs() {
        block_on(async {
            let text = "First\nand second.\n\n* A list,\n  indented.";
            assert_eq!(listed(Server::new("t", "1").tools(tools![lines])).await[0]["description"], text);
        });
    }

    #[test]
    fn sends_no_description_where_there_is_none() {
        block_on(async {
            assert_eq!(listed(Server::new("t", "1").tools(tools![none])).await[0].get("description"), None);
        });
    }
}

mod names {
    use super::*;

    #[tool(name = "x.y")]
    fn dotted() {}

    #[tool(name = "x_y")]
    fn underscored() {}

    #[tool(
        name = "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggghhhhhhhhhhiiiiiiiiiijjjjjjjjjjkkkkkkkkkkllllllllll12345678"
    )]
    fn longest() {}

    mod inner {
        use mcp_runtime::tool;

        #[tool(name = "inner-dotted")]
        pub(super) fn dotted() -> &'static str {
            "inner"
        }
    }

    #[test]
    fn takes_every_name_that_the_protocol_allows() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").tools(tools![dotted, underscored, longest])).await;
            let name = "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffff\
                        gggggggggghhhhhhhhhhiiiiiiiiiijjjjjjjjjjkkkkkkkkkkllllllllll12345678";
            assert_eq!(name.len(), 128);
            for name in ["x.y", "x_y", name] {
                assert_eq!(wire.call(name, json!({})).await, json!({ "content": [] }));
            }
        });
    }

    #[test]
    fn serves_two_functions_of_one_name_under_two_names() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").tools(tools![dotted, inner::dotted])).await;
            assert_eq!(wire.text("inner-dotted", json!({})).await, "inner");
            assert_eq!(wire.call("x.y", json!({})).await, json!({ "content": [] }));
        });
    }
}

mod injected {
    use super::*;

    #[tool]
    fn alone(ctx: &Context) -> String {
        ctx.request_id().to_string()
    }

    #[tool]
    async fn between(first: u8, ctx: &Context, last: Option<u8>, again: &Context) -> String {
        format!("{first} {} {last:?} {}", ctx.revision(), again.is_cancelled())
    }

    #[test]
    fn keeps_the_context_out_of_the_schema() {
        block_on(async {
            let tools = listed(Server::new("t", "1").tools(tools![alone, between])).await;
            let empty = json!({ "type": "object", "properties": {}, "additionalProperties": false });
            assert_eq!(tools[0]["inputSchema"], empty);
            let names: Vec<&String> = tools[1]["inputSchema"]["properties"].as_object().unwrap().keys().collect();
            assert_eq!(names, ["first", "last"]);
        });
    }

    #[test]
    fn leaves_the_name_of_what_is_injected_to_an_argument() {
        #[tool]
        fn within(#[arg(rename = "ctx")] context: u8, ctx: &Context) -> String {
            format!("{context} {}", ctx.is_cancelled())
        }

        block_on(async {
            let mut wire = session(Server::new("t", "1").tools(tools![within])).await;
            assert_eq!(wire.text("within", json!({ "ctx": 1 })).await, "1 false");
        });
    }

    #[test]
    fn refuses_to_start_where_an_argument_is_only_named_like_what_is_injected() {
        mod of_the_user {
            pub(super) type Context = String;
        }

        #[tool]
        fn both(#[arg(rename = "context")] a: u8, context: of_the_user::Context) -> String {
            format!("{a} {context}")
        }

        block_on(async {
            let text = start_error(Server::new("t", "1").tools(tools![both])).await;
            assert_eq!(text, "tool `both`: two arguments have the name `context`");
        });
    }

    #[test]
    fn gives_the_context_in_every_position() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").tools(tools![alone, between])).await;
            for params in [
                json!({ "name": "alone" }),
                json!({ "name": "alone", "arguments": null }),
                json!({ "name": "alone", "arguments": {} }),
            ] {
                let response = wire.request("tools/call", params).await;
                assert_eq!(response["result"]["content"][0]["text"], "\"tools/call\"", "{response}");
            }
            let text = wire.text("between", json!({ "first": 1 })).await;
            assert_eq!(text, "1 2025-11-25 None false");
        });
    }
}

mod looks {
    use super::*;

    const LOGO: &str = "https://example.com/logo.svg";

    #[tool(
        icon(src = "https://example.com/a.png", mime_type = "image/png", sizes = "48x48 96x96", theme = "dark"),
        icon(src = LOGO),
        meta = json!({ "com.example/cost": 3 })
    )]
    fn pretty() {}

    #[tool(meta = json!([1]))]
    fn plain() {}

    /// The entries of both tools in a revision.
    async fn entries(revision: Revision) -> Vec<Value> {
        let mut client = Server::new("t", "1").tools(tools![pretty, plain]).connect_as(revision).await.unwrap();
        client.list_tools().await.unwrap()
    }

    #[test]
    fn lists_icons_in_the_revisions_that_have_them() {
        block_on(async {
            let icons = json!([
                {
                    "src": "https://example.com/a.png",
                    "mimeType": "image/png",
                    "sizes": ["48x48", "96x96"],
                    "theme": "dark",
                },
                { "src": "https://example.com/logo.svg" },
            ]);
            for &revision in Revision::ALL {
                let expected = (revision >= Revision::V2025_11_25).then_some(&icons);
                assert_eq!(entries(revision).await[0].get("icons"), expected, "{revision}");
            }
        });
    }

    #[test]
    fn lists_meta_in_the_revisions_that_have_it() {
        block_on(async {
            let meta = json!({ "com.example/cost": 3 });
            for &revision in Revision::ALL {
                let expected = (revision >= Revision::V2025_06_18).then_some(&meta);
                assert_eq!(entries(revision).await[0].get("_meta"), expected, "{revision}");
            }
        });
    }

    #[test]
    fn lists_neither_where_none_is_given() {
        block_on(async {
            let entry = entries(Revision::LATEST).await.remove(1);
            assert_eq!((entry.get("icons"), entry.get("_meta")), (None, None));
        });
    }
}

mod times {
    use super::*;

    #[tool(timeout = 0.001)]
    async fn endless() {
        std::future::pending::<()>().await;
    }

    #[tool(timeout = 3600)]
    async fn quick() -> &'static str {
        tokio::task::yield_now().await;
        "in time"
    }

    #[test]
    fn ends_a_call_that_takes_longer_than_its_timeout() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").tools(tools![endless])).await;
            let text = wire.failure("endless", json!({})).await;
            assert_eq!(text, "the tool did not end within 0.001 s and was stopped");
            wire.assert_silent().await;
        });
    }

    #[test]
    fn leaves_a_call_alone_that_ends_within_its_timeout() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").tools(tools![quick])).await;
            assert_eq!(wire.text("quick", json!({})).await, "in time");
        });
    }

    #[test]
    fn tells_what_does_not_fit_to_a_tool_with_a_timeout() {
        #[tool(timeout = 1)]
        async fn never(n: u8) -> u8 {
            std::future::pending::<()>().await;
            n
        }

        block_on(async {
            let text = session(Server::new("t", "1").tools(tools![never])).await.failure("never", json!({})).await;
            assert!(text.contains("`n` is required and missing"), "{text}");
        });
    }
}

mod blocking {
    use super::*;

    /// A gate that one call waits at, with its thread, until another opens it.
    struct Gate {
        open: SyncSender<()>,
        opened: Mutex<Receiver<()>>,
    }

    impl Gate {
        fn new() -> Self {
            let (open, opened) = sync_channel(1);
            Self { open, opened: Mutex::new(opened) }
        }

        fn wait(&self) -> bool {
            self.opened.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(PATIENCE).is_ok()
        }
    }

    #[tool(blocking)]
    fn wait(gate: State<Gate>) -> String {
        gate.wait().to_string()
    }

    #[tool(blocking)]
    async fn wait_later(gate: State<Gate>) -> String {
        tokio::task::yield_now().await;
        gate.wait().to_string()
    }

    #[tool]
    async fn open(gate: State<Gate>) -> bool {
        gate.open.send(()).is_ok()
    }

    #[test]
    fn serves_other_calls_while_a_blocking_tool_blocks() {
        block_on(async {
            for tool in ["wait", "wait_later"] {
                let server = Server::new("t", "1").state(Gate::new()).tools(tools![wait, wait_later, open]);
                let mut wire = session(server).await;
                wire.send_call("blocked", tool, json!({})).await;
                wire.assert_silent().await;
                wire.send_call("opens", "open", json!({})).await;
                let mut answered = vec![wire.receive().await, wire.receive().await];
                answered.sort_by_key(|response| response["id"].to_string());
                assert_eq!(answered[0]["result"]["content"][0]["text"], "true", "{tool}: {answered:?}");
                assert_eq!(answered[1]["id"], "opens", "{tool}: {answered:?}");
            }
        });
    }
}

mod paths {
    use super::*;

    mod facade {
        pub(super) mod mcp {
            pub(crate) use mcp_runtime::*;
        }
    }

    #[facade::mcp::tool(crate = facade::mcp)]
    fn renamed(n: u8, ctx: &Context) -> Result<u8, String> {
        if ctx.is_cancelled() { Err(String::new()) } else { Ok(n) }
    }

    struct Desk;

    #[facade::mcp::toolset(crate = facade::mcp)]
    impl Desk {
        #[facade::mcp::tool]
        fn twice(&self, n: u8) -> u8 {
            n * 2
        }
    }

    #[test]
    fn finds_the_crate_under_another_path() {
        block_on(async {
            let server = Server::new("t", "1").toolset(Desk).tools(tools![renamed]);
            let mut wire = session(server).await;
            assert_eq!(wire.call("renamed", json!({ "n": 3 })).await["structuredContent"]["result"], 3);
            assert_eq!(wire.call("twice", json!({ "n": 3 })).await["structuredContent"]["result"], 6);
        });
    }
}

mod orders {
    use super::*;

    macro_rules! many {
        ($($name:ident)*) => {
            $(
                #[tool]
                fn $name(zebra: u8, apple: Option<u8>, middle: u8) -> u8 {
                    zebra + apple.unwrap_or(middle)
                }
            )*

            fn server() -> Server {
                Server::new("t", "1").tools(tools![$($name),*])
            }
        };
    }

    many!(t30 t01 t29 t02 t28 t03 t27 t04 t26 t05 t25 t06 t24 t07 t23 t08 t22 t09 t21 t10 t20 t11 t19 t12 t18 t13 t17 t14 t16 t15);

    #[test]
    fn lists_tools_and_their_arguments_in_the_order_of_the_source_at_each_start() {
        block_on(async {
            let mut lines = Vec::new();
            for _ in 0..10 {
                let mut wire = session(server()).await;
                wire.send_line(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).await;
                lines.push(wire.receive_line().await);
            }
            lines.dedup();
            assert_eq!(lines.len(), 1);
            let place = |text: &str| lines[0].find(text).unwrap_or_else(|| panic!("{text}"));
            assert!(place("\"t30\"") < place("\"t01\"") && place("\"t14\"") < place("\"t16\""));
            assert!(place("\"zebra\"") < place("\"apple\"") && place("\"apple\"") < place("\"middle\""));
        });
    }
}
