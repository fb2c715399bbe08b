//! What tools and clients may do to a server on stdin and stdout without stopping it.

mod common;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};

use common::{Server, example, peak_kib};
use serde_json::{Value, json};

fn nasty(variables: &[(&str, &str)]) -> Server {
    let mut server = Server::start_with("nasty", &[], variables);
    server.initialize("2025-11-25");
    server
}

#[test]
fn goes_on_while_tools_block_in_every_way() {
    let mut server = nasty(&[]);
    let tools = ["block", "block_at_once", "block_later", "block_honestly"];
    for round in 0..3 {
        for tool in tools {
            server.send_call(format!("{tool} {round}"), tool, json!({}));
        }
        server.assert_silent();
    }
    assert_eq!(server.call("nested", json!({}))["structuredContent"]["result"], 7);
    server.cancel("block_later 0");
    server.send_call("open", "open", json!({}));
    let mut went_on: Vec<_> = (0..12).map(|_| server.receive()).collect();
    went_on.retain(|response| response["id"] != "open");
    assert_eq!(went_on.len(), 11);
    for response in went_on {
        assert_eq!(response["result"]["content"][0]["text"], "went on");
        assert_ne!(response["id"], "block_later 0");
    }
    server.assert_silent();
    assert_eq!(server.finish().0, Vec::<Value>::new());
}

#[test]
fn runs_what_a_tool_has_spawned_though_no_call_waits() {
    let mut server = nasty(&[]);
    assert_eq!(server.call("open_later", json!({})), json!({ "content": [] }));
    // It needs a thread of its own, and none of the runtime's.
    assert_eq!(server.call("block", json!({}))["content"][0]["text"], "went on");
    server.finish();
}

#[test]
fn drives_the_runtime_for_a_first_call_that_blocks() {
    let mut server = nasty(&[]);
    assert_eq!(server.call("sleep_in_runtime", json!({}))["content"][0]["text"], "slept");
    server.finish();
}

#[test]
fn contains_panics_of_every_kind() {
    let mut server = nasty(&[]);
    for tool in ["boom", "boom_in_sync", "boom_honestly"] {
        for how in ["early", "late", "payload", "locked", "dropped", "written"] {
            let response = server.request(how, "tools/call", json!({ "name": tool, "arguments": { "how": how } }));
            let error = json!({ "code": -32603, "message": "the tool failed unexpectedly" });
            assert_eq!(response["error"], error, "{tool} {how}");
            server.assert_silent();
        }
    }
    // A lock that was held is poisoned, for those who care about that.
    let response = server.request(1, "tools/call", json!({ "name": "use_lock" }));
    assert_eq!(response["error"]["code"], -32603);
    // In the deserializer, and in the destructor of an argument whose neighbour is refused.
    for (trap, number) in [("panic when read", json!(1)), ("panic when dropped", json!(300))] {
        let arguments = json!({ "trap": trap, "number": number });
        let response = server.request(trap, "tools/call", json!({ "name": "spring", "arguments": arguments }));
        assert_eq!(response["error"]["code"], -32603, "{trap}");
    }
    let arguments = json!({ "trap": "panic when dropped", "number": 1, "wait": true });
    server.send_call("cancelled", "spring", arguments);
    server.assert_silent();
    server.cancel("cancelled");
    assert_eq!(server.call("spring", json!({ "trap": "none", "number": 1 }))["content"][0]["text"], "none 1");
    let (rest, stderr) = server.finish();
    assert_eq!(rest, Vec::<Value>::new());
    assert!(stderr.contains("secret"), "{stderr}");
}

#[test]
#[cfg(target_os = "linux")]
fn frees_the_texts_of_panics() {
    let mut server = nasty(&[]);
    for id in 0..100 {
        let response = server.request(id, "tools/call", json!({ "name": "boom", "arguments": { "how": "text" } }));
        assert_eq!(response["error"]["code"], -32603);
    }
    assert!(server.peak_kib().is_none_or(|peak| peak < 40_000), "{:?} KiB", server.peak_kib());
    server.finish();
}

#[test]
fn goes_on_while_an_argument_blocks_when_it_is_read_or_dropped() {
    let mut server = nasty(&[]);
    server.send_call(1, "spring", json!({ "trap": "block when read", "number": 1 }));
    server.assert_silent();
    server.send_call(2, "spring", json!({ "trap": "block when dropped", "number": 2 }));
    server.assert_silent();
    server.send_call("open", "open", json!({}));
    let mut went_on: Vec<_> = (0..3).map(|_| server.receive()).collect();
    went_on.retain(|response| response["id"] != "open");
    went_on.sort_by_key(|response| response["id"].as_i64());
    let text = |response: &Value| response["result"]["content"][0]["text"].clone();
    assert_eq!(went_on.iter().map(text).collect::<Vec<_>>(), ["block when read 1", "block when dropped 2"]);
    server.finish();
}

#[test]
fn forgets_waiting_calls_that_are_cancelled() {
    let mut server = nasty(&[("MAX_CALLS", "1"), ("MAX_WAITING_BYTES", "2000")]);
    server.send_call("first", "block", json!({}));
    for id in 0..1000 {
        server.send_call(id, "spring", json!({ "trap": "panic when dropped", "number": 1 }));
        server.cancel(id);
    }
    server.send_call("last", "blob", json!({ "bytes": 3 }));
    server.assert_silent();
    // There is one place, and the opener has to wait for it too.
    server.cancel("first");
    server.assert_silent();
    assert_eq!(server.finish().0, Vec::<Value>::new());
}

#[test]
fn answers_ten_thousand_calls_at_once_each_id_once() {
    const CALLS: i64 = 10_000;
    let call = |id: Value, tool: &str, arguments: Value| {
        let params = json!({ "name": tool, "arguments": arguments });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string() + "\n"
    };
    let cancellation = |id: Value| {
        let params = json!({ "requestId": id });
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }).to_string() + "\n"
    };
    let mut server = nasty(&[]);
    server.call("open", json!({}));
    // They have every place, so that all that follow wait, and a cancelled one has not begun.
    let places: Vec<_> = (0..256).map(|place| json!(format!("place {place}"))).collect();
    let mut input: String = places.iter().map(|id| call(id.clone(), "hang", json!({}))).collect();
    for id in 0..CALLS {
        input += &match id % 4 {
            0 => call(id.into(), "blob", json!({ "bytes": 3 })),
            1 => call(id.into(), "block_later", json!({})),
            2 => call(id.into(), "spring", json!({ "trap": "a", "number": 300 })),
            _ => call(id.into(), "spring", json!({ "trap": "a", "number": id % 256 })),
        };
    }
    input.extend((0..CALLS).step_by(10).map(|id| cancellation(id.into())));
    server.send_bytes(input.as_bytes());
    server.assert_silent();
    let release: String = places.into_iter().map(cancellation).collect();
    server.send_bytes(release.as_bytes());
    let mut ids: Vec<_> = (0..CALLS - CALLS / 10)
        .map(|_| {
            let response = server.receive();
            let id = response["id"].as_i64().expect("a call is answered");
            let text = response["result"]["content"][0]["text"].as_str().expect("with a text");
            let is_right = match id % 4 {
                0 => text == "xxx",
                1 => text == "went on",
                2 => text.ends_with("expected integer from 0 to 255, got 300"),
                _ => text == format!("a {}", id % 256),
            };
            assert!(is_right, "{response}");
            id
        })
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..CALLS).filter(|id| id % 10 != 0).collect::<Vec<_>>());
    server.assert_silent();
    assert_eq!(server.finish().0, Vec::<Value>::new());
}

#[test]
fn keeps_what_is_printed_out_of_the_protocol() {
    let mut server = nasty(&[]);
    assert_eq!(server.call("chatter", json!({}))["content"][0]["text"], "read 0 bytes");
    let (rest, stderr) = server.finish();
    assert_eq!(rest, Vec::<Value>::new());
    for said in ["printed by the tool", "said by the tool", "printed by a child"] {
        assert!(stderr.contains(said), "{stderr}");
    }
}

#[test]
fn answers_many_wrong_arguments_briefly() {
    let mut server = nasty(&[]);
    let arguments: serde_json::Map<_, _> = (0..200_000).map(|at| (format!("wrong_{at}"), Value::Null)).collect();
    let result = server.call("spring", Value::Object(arguments));
    assert_eq!(result["isError"], true);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.len() < 4000, "{} bytes", text.len());
    assert!(text.contains("`trap`, `number`, `wait`"), "{text}");
    let result = server.call("spring", json!({ "trap": "a", "number": "9".repeat(1_000_000) }));
    assert!(result["content"][0]["text"].as_str().unwrap().len() < 1000);
    server.finish();
}

#[test]
fn ends_when_the_client_is_gone_though_a_bound_is_full() {
    let mut server = nasty(&[("MAX_CALLS", "1"), ("MAX_WAITING_BYTES", "1")]);
    for id in 0..5 {
        server.send_call(id, "hang", json!({}));
    }
    assert_eq!(server.finish().0, Vec::<Value>::new());
}

#[test]
fn holds_no_more_output_than_its_bound() {
    let mut server = Command::new(example("nasty"))
        .env("MAX_OUTPUT_BYTES", "100000")
        // What the calls in flight answer comes on top of the bound.
        .env("MAX_CALLS", "4")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the server starts");
    let mut input = String::new();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": "t",
    });
    for id in 0..50 {
        let params = json!({ "name": "blob", "arguments": { "bytes": 1_000_000 }, "_meta": meta });
        input += &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string();
        input += "\n";
    }
    let params = json!({ "name": "report", "arguments": { "times": 20_000 }, "_meta": meta });
    input += &json!({ "jsonrpc": "2.0", "id": 50, "method": "tools/call", "params": params }).to_string();
    input += "\n";
    let mut stdin = server.stdin.take().expect("stdin is a pipe");
    stdin.write_all(input.as_bytes()).expect("the server reads");
    let mut stdout = server.stdout.take().expect("stdout is a pipe");
    let mut first = [0; 1];
    stdout.read_exact(&mut first).expect("the server answers");
    let first = std::io::Cursor::new(first);
    let messages = BufReader::new(first.chain(stdout)).lines();
    let messages =
        messages.map(|line| serde_json::from_str::<Value>(&line.expect("UTF-8")).expect("every line is a message"));
    let ids = messages.filter_map(|message| message.get("id").and_then(Value::as_i64));
    let mut ids: Vec<_> = ids.take(51).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..=50).collect::<Vec<_>>());
    // Everything has been sent, and what was held at any time was bounded.
    assert!(peak_kib(server.id()).is_none_or(|peak| peak < 60_000), "{:?} KiB", peak_kib(server.id()));
    drop(stdin);
    assert!(server.wait().expect("the server ends").success());
}

#[test]
fn answers_initialize_before_anything_else() {
    let info = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
    let opening = json!({ "jsonrpc": "2.0", "id": "opening", "method": "initialize", "params": params });
    let meta = json!({ "progressToken": "t" });
    let params = json!({ "name": "report", "arguments": { "times": 3 }, "_meta": meta });
    let reporting = json!({ "jsonrpc": "2.0", "id": "reporting", "method": "tools/call", "params": params });
    let params = json!({ "name": "block_later" });
    let waiting = json!({ "jsonrpc": "2.0", "id": "waiting", "method": "tools/call", "params": params });
    let params = json!({ "name": "open" });
    let releasing = json!({ "jsonrpc": "2.0", "id": "releasing", "method": "tools/call", "params": params });
    for _ in 0..20 {
        let mut server = Server::start("nasty");
        server.send_line(&format!("{opening}\n{reporting}\n{waiting}\n{releasing}"));
        assert_eq!(server.receive()["id"], "opening");
        for _ in 0..6 {
            server.receive();
        }
        assert_eq!(server.finish().0, Vec::<Value>::new());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn tells_that_it_cannot_write() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let mut server = Command::new(example("paper_trail"))
        .stdin(Stdio::piped())
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut stdin = server.stdin.take().expect("stdin is a pipe");
    stdin.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n").expect("the server reads");
    drop(stdin);
    let output = server.wait_with_output().expect("the server ends");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: the connection failed"));
}

#[test]
fn warns_of_names_that_some_clients_mix_up_and_serves_them() {
    let mut server = nasty(&[("DOUBTFUL_NAMES", "1")]);
    assert_eq!(server.call("block-later", json!({})), json!({ "content": [] }));
    let (_, stderr) = server.finish();
    let warning = ": the tool names `block_later`, `block-later` are one for clients that replace `.` and `-`";
    assert_eq!(stderr.matches(warning).count(), 1, "{stderr}");
    assert_eq!(nasty(&[]).finish().1, "");
}

#[test]
fn tells_of_a_tool_that_a_call_has_added_and_serves_it() {
    let mut server = nasty(&[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "notifications": { "toolsListChanged": true }, "_meta": meta });
    server.send_request("L", "subscriptions/listen", params);
    assert_eq!(server.receive()["method"], "notifications/subscriptions/acknowledged");
    server.send_call("teach", "teach", json!({ "name": "new" }));
    let mut messages: Vec<_> = (0..3).map(|_| server.receive()).collect();
    messages.sort_by_key(|message| (message.get("id").is_none(), message.get("params").is_some()));
    let subscription = json!({ "_meta": { "io.modelcontextprotocol/subscriptionId": "L" } });
    let expected = [
        json!({ "jsonrpc": "2.0", "id": "teach", "result": { "content": [] } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": subscription }),
    ];
    assert_eq!(messages, expected);
    assert_eq!(server.call("new", json!({}))["content"][0]["text"], "new");
    let (rest, _) = server.finish();
    assert_eq!((&rest[0]["id"], &rest[1]["method"]), (&json!("L"), &json!("notifications/cancelled")));
}

#[test]
fn reads_lines_up_to_its_limit_and_skips_an_endless_one_in_bounded_memory() {
    const LIMIT: usize = 8 * 1024 * 1024;
    let line_of = |bytes: usize| {
        let params = |name: &str| format!(r#"{{"name":"log_much","arguments":{{"lines":0,"name":"{name}"}}}}"#);
        let line =
            |name: &str| format!(r#"{{"jsonrpc":"2.0","id":{bytes},"method":"tools/call","params":{}}}"#, params(name));
        line(&"x".repeat(bytes - line("").len()))
    };
    let too_long = json!({ "code": -32600, "message": format!("the message is longer than {LIMIT} bytes") });
    let mut server = nasty(&[("MAX_LINE_BYTES", &LIMIT.to_string())]);
    for bytes in [100 * 1024, 5 * 1024 * 1024, LIMIT - 1, LIMIT] {
        server.send_line(&line_of(bytes));
        assert_eq!(server.receive(), json!({ "jsonrpc": "2.0", "id": bytes, "result": { "content": [] } }));
    }
    server.send_line(&line_of(LIMIT + 1));
    assert_eq!(server.receive(), json!({ "jsonrpc": "2.0", "error": too_long }));
    server.assert_silent();
    let piece = "a".repeat(1024 * 1024);
    for _ in 0..300 {
        server.send_bytes(piece.as_bytes());
    }
    // Before its end.
    assert_eq!(server.receive(), json!({ "jsonrpc": "2.0", "error": too_long }));
    server.send_bytes(b"\n");
    server.assert_silent();
    assert!(server.peak_kib().is_none_or(|peak| peak < 60_000), "{:?} KiB", server.peak_kib());
    let (rest, stderr) = server.finish();
    assert_eq!(rest, Vec::<Value>::new());
    assert_eq!(stderr.matches("the message is longer than").count(), 2, "{stderr}");
}

#[test]
fn says_on_stderr_what_it_cannot_read() {
    let mut server = Server::start("nasty");
    let utf_16: Vec<u8> = "\u{feff}{\"jsonrpc\":\"2.0\"}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for line in [&utf_16[..], b"hello\n", b"{\"id\":5}\n"] {
        server.send_bytes(line);
        assert!(server.receive()["error"]["code"].is_i64());
    }
    let (rest, stderr) = server.finish();
    assert_eq!(rest, Vec::<Value>::new());
    let hints = ["it seems to be UTF-16, and has to be UTF-8", "the message is not JSON", "`jsonrpc` must be"];
    assert_eq!(stderr.lines().count(), hints.len(), "{stderr}");
    for (line, hint) in stderr.lines().zip(hints) {
        assert!(line.contains(" WARN ") && line.contains(hint), "{line}");
    }
}

#[test]
fn answers_one_line_between_blank_ones() {
    let mut server = Server::start("nasty");
    server.send_bytes(b"\n\n  \n\r\n\t\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n\n");
    assert_eq!(server.finish(), (vec![json!({ "jsonrpc": "2.0", "id": 1, "result": {} })], String::new()));
}

#[test]
fn writes_at_once_what_nobody_waits_for() {
    let mut server = nasty(&[]);
    // After the answer, and without any further input.
    server.send_call("teach", "teach_later", json!({ "name": "new" }));
    let mut messages = [server.receive(), server.receive()];
    messages.sort_by_key(|message| message.get("id").is_none());
    let changed = json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" });
    assert_eq!(messages, [json!({ "jsonrpc": "2.0", "id": "teach", "result": { "content": [] } }), changed]);
    let burst: Vec<_> = (0..10).map(|id| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }).to_string()).collect();
    server.send_line(&burst.join("\n"));
    for id in 0..10 {
        assert_eq!(server.receive(), json!({ "jsonrpc": "2.0", "id": id, "result": {} }));
    }
    server.finish();
}

#[test]
fn loses_no_call_of_a_torn_stream_while_progress_goes_on() {
    const CALLS: usize = 2000;
    let mut server = nasty(&[("GRACE_SECONDS", "60")]);
    let mut input = String::new();
    for id in 0..CALLS {
        // One that ends where it is read, one that waits, and one that blocks elsewhere.
        let (tool, arguments) = match id % 3 {
            0 => ("report", json!({ "times": 3 })),
            1 => ("end_by_itself", json!({})),
            _ => ("report_honestly", json!({ "times": 3 })),
        };
        let params = json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": id } });
        input += &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string();
        input += "\n";
    }
    for piece in input.as_bytes().chunks(251) {
        server.send_bytes(piece);
    }
    let mut reports = vec![0; CALLS];
    let mut answered = vec![false; CALLS];
    let index = |value: &Value| usize::try_from(value.as_u64().expect("a number")).expect("a small one");
    while answered.contains(&false) {
        let message = server.receive();
        if let Some(id) = message.get("id") {
            assert!(message["result"].is_object(), "{message}");
            assert!(!std::mem::replace(&mut answered[index(id)], true), "{message} came twice");
        } else {
            let token = index(&message["params"]["progressToken"]);
            assert!(!answered[token], "{message} came after the response");
            reports[token] += 1;
        }
    }
    assert!(reports.iter().enumerate().all(|(id, reports)| *reports == if id % 3 == 1 { 1 } else { 3 }));
    assert_eq!(server.finish().0, Vec::<Value>::new());
}

#[test]
fn answers_pings_and_cancellations_though_no_further_call_may_run() {
    let mut server = nasty(&[("MAX_CALLS", "8")]);
    for id in 0..200 {
        server.send_call(id, if id % 2 == 0 { "hang" } else { "block_later" }, json!({}));
    }
    server.send_call("last", "blob", json!({ "bytes": 3 }));
    server.assert_silent();
    // From the last one, so that none gets the place of another.
    for id in (0..200).rev() {
        server.cancel(id);
    }
    // Those that block keep their places until they end; the others have given theirs back.
    assert_eq!(server.receive()["id"], "last");
    server.assert_silent();
    assert_eq!(server.call("open", json!({})), json!({ "content": [] }));
    assert_eq!(server.finish().0, Vec::<Value>::new());
}

#[test]
fn refuses_an_id_that_is_in_flight_and_takes_it_again_afterwards() {
    for tool in ["hang", "block", "block_at_once", "block_later", "block_honestly"] {
        let mut server = nasty(&[]);
        server.send_call(7, tool, json!({}));
        server.send_call(7, "blob", json!({ "bytes": 3 }));
        let refused = server.receive();
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(7), &json!(-32600)), "{tool}: {refused}");
        if tool == "hang" {
            server.cancel(7);
        } else {
            server.send_call("open", "open", json!({}));
            let mut ended = [server.receive(), server.receive()];
            ended.sort_by_key(|response| response["id"].is_string());
            assert_eq!((&ended[0]["id"], &ended[0]["result"]["content"][0]["text"]), (&json!(7), &json!("went on")));
        }
        let again = server.request(7, "tools/call", json!({ "name": "blob", "arguments": { "bytes": 3 } }));
        assert_eq!(again["result"]["content"][0]["text"], "xxx", "{tool}: {again}");
        server.finish();
    }
}
