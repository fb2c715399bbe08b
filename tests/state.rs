//! What a server shares with its tools: `State<T>`, the values of `#[toolset]`s, and what runs when it ends.

#![allow(
    clippy::needless_arbitrary_self_type,
    clippy::needless_lifetimes,
    clippy::needless_pass_by_value,
    clippy::non_minimal_cfg,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    clippy::unused_self,
    reason = "the tools have the shapes that are tested"
)]

mod common;

use std::borrow::Cow;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use common::memory::{Wire, block_on, listed, session, start_error};
use mcp_runtime::{Context, Server, State, Toolset, tool, tools, toolset};
use serde_json::{Value, json};

/// The names of the tools of a server, in order.
async fn names(server: Server) -> Vec<String> {
    listed(server).await.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

mod states {
    use super::*;

    #[derive(Debug, Default)]
    struct Counter(AtomicI64);

    struct Greeting(&'static str);

    #[tool]
    fn count_up(by: i64, counter: State<Counter>) -> i64 {
        counter.0.fetch_add(by, Ordering::Relaxed) + by
    }

    #[tool]
    async fn greet(greeting: State<Greeting>, name: &str, ctx: &Context, counter: State<Counter>) -> String {
        let kept = counter.clone().into_arc();
        format!("{}, {name} {} {}", greeting.0, kept.0.load(Ordering::Relaxed), ctx.is_cancelled())
    }

    fn server() -> Server {
        Server::new("t", "1").state(Counter::default()).state(Greeting("hello")).tools(tools![count_up, greet])
    }

    #[test]
    fn shares_a_state_among_calls_and_tools() {
        block_on(async {
            let mut wire = session(server()).await;
            assert_eq!(wire.call("count_up", json!({ "by": 2 })).await["structuredContent"]["result"], 2);
            assert_eq!(wire.call("count_up", json!({ "by": 3 })).await["structuredContent"]["result"], 5);
            assert_eq!(wire.text("greet", json!({ "name": "Ann" })).await, "hello, Ann 5 false");
        });
    }

    #[tool]
    fn peek(counter: &State<Counter>) -> String {
        counter.0.load(Ordering::Relaxed).to_string()
    }

    #[test]
    fn lends_a_state() {
        block_on(async {
            let mut wire = session(server().tools(tools![peek])).await;
            wire.call("count_up", json!({ "by": 2 })).await;
            assert_eq!(wire.text("peek", json!({})).await, "2");
        });
    }

    #[test]
    fn shares_a_state_among_connections() {
        block_on(async {
            let server = server().start().await.unwrap();
            for (connection, expected) in [1, 2].into_iter().zip([2, 4]) {
                let mut wire = Wire::connect(&server);
                wire.initialize("2025-11-25".into()).await;
                let result = wire.call("count_up", json!({ "by": 2 })).await;
                assert_eq!(result["structuredContent"]["result"], expected, "connection {connection}");
            }
        });
    }

    #[test]
    fn keeps_states_out_of_the_schema() {
        block_on(async {
            let properties = |tool: &Value| tool["inputSchema"]["properties"].as_object().unwrap().clone();
            let tools = listed(server()).await;
            assert!(properties(&tools[0]).keys().eq(["by"]), "{tools:?}");
            assert!(properties(&tools[1]).keys().eq(["name"]), "{tools:?}");
        });
    }

    #[test]
    fn takes_no_argument_for_a_state() {
        block_on(async {
            let text = session(server()).await.failure("count_up", json!({ "by": 1, "counter": 7 })).await;
            assert!(text.contains("`counter` is not an argument"), "{text}");
        });
    }

    #[test]
    fn refuses_to_start_without_a_state_and_names_every_tool_and_type() {
        block_on(async {
            let text = start_error(Server::new("t", "1").tools(tools![count_up, greet])).await;
            let line = |tool: &str, ty: &str| {
                format!(
                    "tool `{tool}`: needs a state of the type `state::states::{ty}`: give it to the server with `.state(…)`"
                )
            };
            let lines = [line("count_up", "Counter"), line("greet", "Greeting"), line("greet", "Counter")];
            assert_eq!(text, lines.join("\n"));
        });
    }

    #[test]
    fn refuses_to_start_with_a_state_that_is_given_in_an_arc() {
        block_on(async {
            let shared = std::sync::Arc::new(Counter::default());
            let text = start_error(Server::new("t", "1").tools(tools![count_up]).state(shared)).await;
            let expected = "tool `count_up`: needs a state of the type `state::states::Counter`, and there is an `Arc` of one: \
                            give the server the value itself, which all share";
            assert_eq!(text, expected);
        });
    }

    #[test]
    fn a_function_with_a_state_can_be_called_by_a_test() {
        assert_eq!(count_up(2, State::from(Counter::default())), 2);
    }

    #[test]
    fn refuses_to_start_with_two_states_of_one_type_and_names_what_else_is_wrong() {
        block_on(async {
            let text = start_error(server().state(Counter::default()).tools(tools![greet])).await;
            let (first, rest) = text.split_once('\n').unwrap();
            let expected = "two states have the type `state::states::Counter`; give one of them a type of its own";
            assert_eq!(first, expected);
            assert!(rest.contains("`greet`"), "{rest}");
        });
    }

    #[test]
    fn refuses_to_start_with_a_state_that_is_given_and_made() {
        block_on(async {
            let server = server().state_with(async || Ok::<_, String>(Greeting("again")));
            let text = start_error(server).await;
            assert!(text.contains("two states have the type `state::states::Greeting`"), "{text}");
        });
    }

    #[test]
    fn starts_with_a_state_that_no_tool_takes() {
        block_on(async {
            assert_eq!(names(server().state(7_u8)).await, ["count_up", "greet"]);
        });
    }

    #[derive(Debug)]
    struct Shared(Arc<Mutex<Vec<String>>>);

    #[tool]
    fn note(notes: State<Shared>, text: String) {
        notes.0.lock().unwrap().push(text);
    }

    #[test]
    fn shares_a_state_with_the_program_around_the_server() {
        block_on(async {
            let notes = Arc::default();
            let mut wire = session(Server::new("t", "1").state(Shared(Arc::clone(&notes))).tools(tools![note])).await;
            wire.call("note", json!({ "text": "a" })).await;
            assert_eq!(*notes.lock().unwrap(), ["a"]);
        });
    }
}

mod made {
    use super::*;

    struct Words(Vec<&'static str>);

    #[derive(Debug)]
    struct Broken;

    impl std::fmt::Display for Broken {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("the dictionary cannot be read")
        }
    }

    #[tool]
    fn count(words: State<Words>) -> usize {
        words.0.len()
    }

    #[test]
    fn makes_a_state_before_it_serves() {
        block_on(async {
            let server = Server::new("t", "1").tools(tools![count]).state_with(async || {
                tokio::task::yield_now().await;
                Ok::<_, Broken>(Words(vec!["a", "b"]))
            });
            let result = session(server).await.call("count", json!({})).await;
            assert_eq!(result["structuredContent"]["result"], 2);
        });
    }

    #[test]
    fn refuses_to_start_if_a_state_cannot_be_made() {
        block_on(async {
            let server = Server::new("t", "1").tools(tools![count]).state_with(async || Err::<Words, _>(Broken));
            assert_eq!(start_error(server).await, "the dictionary cannot be read");
        });
    }

    #[test]
    fn tells_every_state_that_cannot_be_made() {
        block_on(async {
            let server = Server::new("t", "1")
                .state_with(async || Err::<Words, _>(Broken))
                .state_with(async || Err::<u8, _>("no number"));
            assert_eq!(start_error(server).await, "the dictionary cannot be read\nno number");
        });
    }

    #[test]
    fn makes_no_state_of_a_server_that_is_not_started() {
        let made = Arc::new(AtomicUsize::new(0));
        let in_server = Arc::clone(&made);
        drop(Server::new("t", "1").state_with(async move || {
            in_server.fetch_add(1, Ordering::Relaxed);
            Ok::<_, String>(Words(Vec::new()))
        }));
        assert_eq!(made.load(Ordering::Relaxed), 0);
    }
}

mod shutdown {
    use super::*;

    type Log = Arc<Mutex<Vec<&'static str>>>;

    #[tool]
    fn work(log: State<Log>) {
        log.lock().unwrap().push("work");
    }

    fn server(log: &Log) -> Server {
        let (first, second) = (Arc::clone(log), Arc::clone(log));
        Server::new("t", "1")
            .state(Arc::clone(log))
            .tools(tools![work])
            .on_shutdown(async move || {
                tokio::task::yield_now().await;
                first.lock().unwrap().push("first");
            })
            .on_shutdown(async move || second.lock().unwrap().push("second"))
    }

    #[test]
    fn runs_its_hooks_in_order_when_it_has_served() {
        block_on(async {
            let log = Log::default();
            let mut wire = session(server(&log)).await;
            wire.call("work", json!({})).await;
            assert_eq!(*log.lock().unwrap(), ["work"]);
            wire.finish().await;
            assert_eq!(*log.lock().unwrap(), ["work", "first", "second"]);
        });
    }

    #[test]
    fn runs_its_hooks_once_however_often_it_is_shut_down() {
        block_on(async {
            let log = Log::default();
            let server = server(&log).start().await.unwrap();
            server.shut_down().await;
            server.clone().shut_down().await;
            assert_eq!(*log.lock().unwrap(), ["first", "second"]);
        });
    }

    #[test]
    fn runs_no_hooks_if_it_does_not_start() {
        block_on(async {
            let log = Log::default();
            start_error(server(&log).state_with(async || Err::<u8, _>("no"))).await;
            assert_eq!(*log.lock().unwrap(), [""; 0]);
        });
    }
}

mod toolsets {
    use super::*;

    struct Till {
        rate: f64,
        sales: AtomicUsize,
    }

    impl Till {
        fn new(rate: f64) -> Self {
            Self { rate, sales: AtomicUsize::new(0) }
        }
    }

    #[toolset]
    impl Till {
        /// The names of what is paid with.
        const CURRENCY: &'static str = "EUR";

        /// Convert.
        #[tool(read_only)]
        fn convert(&self, amount: f64) -> f64 {
            amount * self.rate
        }

        #[tool]
        async fn sell<'a>(&'a self, item: &str) -> String {
            tokio::task::yield_now().await;
            let sale = self.sales.fetch_add(1, Ordering::Relaxed) + 1;
            format!("{item} {sale}")
        }

        #[tool]
        fn count(self: &Self) -> usize {
            self.sales.load(Ordering::Relaxed)
        }

        #[tool]
        async fn close(self: Arc<Self>, force: Option<bool>) -> String {
            let till = Arc::clone(&self);
            tokio::task::yield_now().await;
            format!("{} {force:?}", till.sales.load(Ordering::Relaxed))
        }

        #[tool]
        fn currency() -> &'static str {
            Self::CURRENCY
        }

        #[tool]
        fn cow(&self, key: Cow<'_, str>) -> String {
            key.into_owned()
        }

        /// No tool.
        fn double(&self) -> f64 {
            self.rate * 2.0
        }
    }

    #[test]
    fn lists_the_tools_of_a_block_in_order() {
        block_on(async {
            assert!((Till::new(1.5).double() - 3.0).abs() < f64::EPSILON);
            let expected = ["convert", "sell", "count", "close", "currency", "cow"];
            assert_eq!(names(Server::new("t", "1").toolset(Till::new(1.0))).await, expected);
        });
    }

    #[test]
    fn keeps_the_receiver_out_of_the_schema() {
        block_on(async {
            let tools = listed(Server::new("t", "1").toolset(Till::new(1.0))).await;
            assert_eq!(tools[0]["description"], "Convert.");
            let schema = json!({
                "type": "object",
                "properties": { "amount": { "type": "number", "format": "double" } },
                "required": ["amount"],
                "additionalProperties": false,
            });
            assert_eq!(tools[0]["inputSchema"], schema);
        });
    }

    #[test]
    fn calls_methods_on_the_value() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").toolset(Till::new(1.5))).await;
            assert_eq!(wire.call("convert", json!({ "amount": 2 })).await["structuredContent"]["result"], 3.0);
            assert_eq!(wire.text("sell", json!({ "item": "tea" })).await, "tea 1");
            assert_eq!(wire.text("sell", json!({ "item": "milk" })).await, "milk 2");
            assert_eq!(wire.call("count", json!({})).await["structuredContent"]["result"], 2);
            assert_eq!(wire.text("close", json!({})).await, "2 None");
            assert_eq!(wire.text("currency", json!({})).await, "EUR");
            assert_eq!(wire.text("cow", json!({ "key": "a\nb" })).await, "a\nb");
        });
    }

    #[test]
    fn calls_methods_without_a_toolset() {
        block_on(async {
            let server = Server::new("t", "1").state(Till::new(2.0)).tools(tools![Till::convert, Till::currency]);
            let mut wire = session(server).await;
            assert_eq!(wire.call("convert", json!({ "amount": 2 })).await["structuredContent"]["result"], 4.0);
            assert_eq!(wire.text("currency", json!({})).await, "EUR");
        });
    }

    #[test]
    fn refuses_to_start_with_methods_and_no_value() {
        block_on(async {
            let text = start_error(Server::new("t", "1").tools(tools![Till::convert])).await;
            let expected = "tool `convert`: needs a state of the type `state::toolsets::Till`: \
                            give it to the server with `.state(…)`";
            assert_eq!(text, expected);
        });
    }

    #[test]
    fn refuses_to_start_with_one_toolset_twice() {
        block_on(async {
            let text = start_error(Server::new("t", "1").toolset(Till::new(1.0)).toolset(Till::new(2.0))).await;
            assert!(text.contains("two states have the type `state::toolsets::Till`"), "{text}");
        });
    }

    #[test]
    fn leaves_methods_what_they_are() {
        block_on(async {
            let till = Till::new(3.0);
            assert_eq!(till.sell("tea").await, "tea 1");
            assert_eq!(till.count(), 1);
            assert_eq!(Arc::new(till).close(Some(true)).await, "1 Some(true)");
        });
    }
}

mod generics {
    use super::*;

    trait Backend: Send + Sync + 'static {
        type Item: serde::de::DeserializeOwned + schemars::JsonSchema + std::fmt::Debug + Send + Sync;

        fn get(&self, key: &str) -> impl Future<Output = String> + Send;
    }

    struct Memory;

    struct Disk(u8);

    impl Backend for Memory {
        type Item = u8;

        async fn get(&self, key: &str) -> String {
            format!("memory {key}")
        }
    }

    impl Backend for Disk {
        type Item = Vec<String>;

        async fn get(&self, key: &str) -> String {
            format!("disk {} {key}", self.0)
        }
    }

    struct Desk<B, const N: usize> {
        backend: B,
    }

    #[toolset]
    impl<B, const N: usize> Desk<B, N>
    where
        B: Backend,
    {
        /// Reads a key.
        #[tool]
        async fn read(&self, key: String) -> String {
            format!("{} {N}", self.backend.get(&key).await)
        }

        #[tool]
        fn store(&self, item: B::Item) -> String {
            format!("{item:?}")
        }

        #[tool]
        fn lend(&self, item: &B::Item) -> String {
            format!("{item:?} {N}")
        }
    }

    #[test]
    fn serves_a_generic_type_for_each_of_its_parameters() {
        block_on(async {
            let mut memory = session(Server::new("m", "1").toolset(Desk::<_, 3> { backend: Memory })).await;
            let mut disk = session(Server::new("d", "1").toolset(Desk::<_, 4> { backend: Disk(7) })).await;
            assert_eq!(memory.text("read", json!({ "key": "a" })).await, "memory a 3");
            assert_eq!(disk.text("read", json!({ "key": "a" })).await, "disk 7 a 4");
            assert_eq!(memory.text("store", json!({ "item": 5 })).await, "5");
            assert_eq!(disk.text("store", json!({ "item": ["x"] })).await, r#"["x"]"#);
            assert_eq!(memory.text("lend", json!({ "item": 5 })).await, "5 3");
        });
    }

    #[test]
    fn derives_the_schema_from_the_associated_type() {
        block_on(async {
            let item = async |server: Server| listed(server).await[1]["inputSchema"]["properties"]["item"].take();
            let memory = item(Server::new("m", "1").toolset(Desk::<_, 3> { backend: Memory })).await;
            assert_eq!(memory, json!({ "type": "integer", "minimum": 0, "maximum": 255 }));
            let disk = item(Server::new("d", "1").toolset(Desk::<_, 3> { backend: Disk(1) })).await;
            assert_eq!(disk, json!({ "type": "array", "items": { "type": "string" } }));
        });
    }

    #[test]
    fn lists_a_method_of_a_generic_type_by_its_path() {
        block_on(async {
            let server =
                Server::new("d", "1").state(Desk::<_, 3> { backend: Disk(1) }).tools(tools![Desk::<Disk, 3>::read]);
            assert_eq!(session(server).await.text("read", json!({ "key": "a" })).await, "disk 1 a 3");
        });
    }

    struct Borrowed<'a>(&'a str);

    #[toolset]
    impl Borrowed<'static> {
        #[tool]
        fn word(&self) -> &'static str {
            self.0
        }
    }

    #[test]
    fn serves_a_type_with_a_lifetime() {
        block_on(async {
            let mut wire = session(Server::new("t", "1").toolset(Borrowed("x"))).await;
            assert_eq!(wire.text("word", json!({})).await, "x");
        });
    }
}

mod blocks {
    use super::*;

    #[derive(Default)]
    pub(super) struct Desk {
        opened: AtomicUsize,
    }

    pub(super) mod files {
        use super::*;

        #[toolset(files)]
        impl Desk {
            /// Opens.
            #[tool]
            pub(in super::super) fn open(&self, path: &str) -> String {
                format!("{path} {}", self.opened.fetch_add(1, Ordering::Relaxed))
            }
        }
    }

    pub(super) mod nets {
        use super::*;

        #[toolset(nets)]
        impl Desk {
            /// Gets.
            #[tool]
            pub(in super::super) fn get(&self, url: &str) -> String {
                format!("{url} {}", self.opened.load(Ordering::Relaxed))
            }

            #[tool(name = "open")]
            pub(in super::super) fn open_url(&self) -> String {
                String::new()
            }
        }
    }

    #[toolset]
    impl Desk {
        #[tool]
        fn opened(&self) -> usize {
            self.opened.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn combines_the_blocks_of_one_type() {
        block_on(async {
            let server = || Server::new("t", "1").toolset(Desk::default()).tools(Desk::files());
            assert_eq!(names(server()).await, ["opened", "open"]);
            let mut wire = session(server()).await;
            assert_eq!(wire.text("open", json!({ "path": "a" })).await, "a 0");
            assert_eq!(wire.call("opened", json!({})).await["structuredContent"]["result"], 1);
        });
    }

    #[test]
    fn serves_one_block_without_the_others() {
        block_on(async {
            let server = || Server::new("t", "1").state(Desk::default()).tools(Desk::nets());
            assert_eq!(names(server()).await, ["get", "open"]);
            assert_eq!(session(server()).await.text("get", json!({ "url": "u" })).await, "u 0");
        });
    }

    #[tool(name = "opened")]
    fn another() {}

    #[test]
    fn refuses_to_start_with_one_name_in_several_blocks_and_tells_all() {
        block_on(async {
            let server = Server::new("t", "1").toolset(Desk::default()).tools(Desk::files()).tools(Desk::nets());
            let text = start_error(server.tools(tools![another])).await;
            let [files, nets, opened, another] = ["fn open(", "open_url(", "fn opened(", "fn another("].map(made_at);
            let expected = format!(
                "2 tools have the name `opened`: those made at {opened}, at {another}\n\
                 2 tools have the name `open`: those made at {files}, at {nets}"
            );
            assert_eq!(text, expected);
        });
    }

    /// Where the `#[tool]` of the first function with that text stands: on the line before.
    fn made_at(func: &str) -> String {
        let lines: Vec<&str> = include_str!("state.rs").lines().collect();
        let module = lines.iter().position(|line| *line == "mod blocks {").expect("this module");
        let func = (module..lines.len()).find(|line| lines[*line].contains(func)).expect(func);
        let column = lines[func - 1].find("#[tool").expect("the attribute") + 1;
        format!("tests/state.rs:{func}:{column}")
    }

    #[test]
    fn starts_with_names_that_differ_in_case_alone() {
        #[tool(name = "OPENED")]
        fn loud() {}

        block_on(async {
            let server = Server::new("t", "1").toolset(Desk::default()).tools(tools![loud]);
            assert_eq!(names(server).await, ["opened", "OPENED"]);
        });
    }
}

mod conditions {
    use super::*;

    struct Desk;

    #[toolset]
    impl Desk {
        #[tool]
        fn always(&self) {}

        #[cfg(any())]
        #[tool]
        fn never(&self, page: Missing) -> Missing {
            page
        }

        #[cfg(all())]
        #[tool]
        fn there(&self, #[cfg(any())] missing: Missing, #[cfg(all())] there: u8) -> u8 {
            there
        }

        #[cfg_attr(any(), tool)]
        #[allow(dead_code)]
        fn no_tool(&self) {}

        #[cfg_attr(all(), tool(title = "Maybe"))]
        fn maybe(&self) {}
    }

    #[test]
    fn lists_exactly_the_methods_that_are_compiled() {
        block_on(async {
            let server = || Server::new("t", "1").toolset(Desk);
            assert_eq!(names(server()).await, ["always", "there", "maybe"]);
            assert_eq!(Desk::tools().len(), 3);
            let tools = listed(server()).await;
            assert!(tools[1]["inputSchema"]["properties"].as_object().unwrap().keys().eq(["there"]), "{tools:?}");
            assert_eq!(tools[2]["title"], "Maybe");
        });
    }

    macro_rules! desk {
        ($name:ident, $($getter:ident)*) => {
            struct $name;

            #[toolset]
            impl $name {
                $(
                    #[doc = concat!("Gets ", stringify!($getter), ".")]
                    #[tool]
                    async fn $getter(&self) -> String {
                        stringify!($getter).into()
                    }
                )*
            }
        };
    }

    desk!(Made, left right);

    #[test]
    fn lists_the_methods_of_a_block_that_a_macro_writes() {
        block_on(async {
            let tools = listed(Server::new("t", "1").toolset(Made)).await;
            let texts: Vec<&Value> = tools.iter().map(|tool| &tool["description"]).collect();
            assert_eq!(texts, ["Gets left.", "Gets right."]);
            let mut wire = session(Server::new("t", "1").toolset(Made)).await;
            assert_eq!(wire.text("right", json!({})).await, "right");
        });
    }
}
