//! The examples, driven from outside: as programs on a command line, and as servers on stdin and stdout.

mod common;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use common::{Server, example, run, text};
use serde_json::{Value, json};

const SHIPPED: &str = r#"{"status":"shipped","carrier":"Delhivery","eta":"2026-08-05"}"#;

/// Runs an example; returns its exit code, stdout and stderr.
fn ran(name: &str, args: &[&str]) -> (i32, String, String) {
    let output = run(name, args);
    (output.status.code().expect("no signal"), text(&output.stdout), text(&output.stderr))
}

#[test]
fn paper_trail_prints_the_result_of_a_call() {
    let args = ["call", "order_status", r#"{"order_id":"PT-1041"}"#];
    assert_eq!(ran("paper_trail", &args), (0, format!("{SHIPPED}\n"), String::new()));
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"] {
        let args = ["--revision", revision, args[0], args[1], args[2]];
        assert_eq!(ran("paper_trail", &args), (0, format!("{SHIPPED}\n"), String::new()), "{revision}");
    }
}

#[test]
fn paper_trail_prints_the_failure_of_a_call() {
    let args = ["call", "order_status", r#"{"order_id":"PT-9999"}"#];
    assert_eq!(ran("paper_trail", &args), (1, String::new(), "error: no such order: PT-9999\n".into()));
    let (code, _, stderr) = ran("paper_trail", &["call", "order_status"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("`order_id` is required and missing"), "{stderr}");
    let (code, _, stderr) = ran("paper_trail", &["call", "lost_orders"]);
    assert_eq!((code, stderr.as_str()), (1, "error: unknown tool: lost_orders; `list` shows them\n"));
    let (code, _, stderr) = ran("paper_trail", &["call", "order-statu"]);
    assert_eq!(
        (code, stderr.as_str()),
        (1, "error: unknown tool: order-statu; did you mean `order_status`? `list` shows them\n")
    );
}

#[test]
fn paper_trail_lists_its_tools() {
    let expected = "order_status order_id  Look up where an order is.\n";
    assert_eq!(ran("paper_trail", &["list"]), (0, expected.into(), String::new()));
}

#[test]
fn a_command_line_that_makes_no_sense_is_told_what_does() {
    for (args, problem) in [
        (&["frobnicate"][..], "unknown command `frobnicate`\n"),
        (&["lits"], "unknown command `lits`; did you mean `list`?\n"),
        (&["--frobnicate"], "unknown option `--frobnicate`"),
        (&["list", "more"], "unexpected argument `more`"),
        (&["call"], "`call` needs the name of a tool"),
        (&["call", "order_status", "{}", "more"], "unexpected argument `more`"),
        (&["call", "order_status", "[1]"], "the arguments must be a JSON object"),
        (&["call", "order_status", "{order_id"], "the arguments are not JSON"),
        (&["list", "--revision", "2023-01-01"], "`--revision` takes one of 2024-11-05, "),
        (&["list", "--revision=1"], "`--revision` takes one of 2024-11-05, "),
        (&["list", "--revision"], "`--revision` takes one of 2024-11-05, "),
        (&["--http"], "`--http` takes an address, such as 127.0.0.1:8080"),
        (&["--http", "127.0.0.1:0", "list"], "`--http` is for serving only"),
    ] {
        let (code, stdout, stderr) = ran("paper_trail", args);
        assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}");
        assert!(stderr.starts_with(&format!("error: {problem}")), "{stderr}");
        assert!(stderr.ends_with("\n`--help` shows what can be written\n"), "{stderr}");
    }
}

#[test]
fn says_what_a_server_has_nothing_of() {
    for (example, args, kind) in [
        ("paper_trail", ["get", "review"], "prompts"),
        ("paper_trail", ["read", "shop://orders"], "resources"),
        ("reviewer", ["call", "review"], "tools"),
    ] {
        let problem = format!("error: this server has no {kind}: add them with `.{kind}({kind}![…])`\n");
        assert_eq!(ran(example, &args), (1, String::new(), problem));
    }
}

#[test]
fn help_and_version_go_to_stdout() {
    let (code, stdout, stderr) = ran("paper_trail", &["--help"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("paper_trail call TOOL [JSON]"), "{stdout}");
    assert_eq!(ran("paper_trail", &["help"]).1, stdout);
    assert_eq!(ran("slow", &["--version"]), (0, format!("slow {}\n", env!("CARGO_PKG_VERSION")), String::new()));
}

/// The messages in a trace: the direction, and what tells it from others.
fn trace(stderr: &str) -> Vec<(&str, String)> {
    let frames = stderr.lines().filter_map(|line| line.split_once(' ').map(|(_, rest)| rest));
    let frames = frames.filter(|rest| rest.starts_with("-> ") || rest.starts_with("<- "));
    frames
        .map(|rest| {
            let message: Value = serde_json::from_str(&rest[3..]).expect("a frame is a message");
            let what = message.get("method").or_else(|| message.get("id")).expect("a method or an id");
            (&rest[..2], what.to_string())
        })
        .collect()
}

#[test]
fn a_trace_shows_the_seven_messages_of_a_session_in_order() {
    let args = ["call", "order_status", r#"{"order_id":"PT-1041"}"#, "--trace", "--revision", "2025-06-18"];
    let (code, stdout, stderr) = ran("paper_trail", &args);
    assert_eq!((code, stdout), (0, format!("{SHIPPED}\n")));
    let expected = [
        ("->", r#""initialize""#),
        ("<-", "1"),
        ("->", r#""notifications/initialized""#),
        ("->", r#""tools/list""#),
        ("<-", "2"),
        ("->", r#""tools/call""#),
        ("<-", "3"),
    ];
    assert_eq!(trace(&stderr), expected.map(|(direction, what)| (direction, what.to_owned())));
    // Each line begins with a time.
    assert!(stderr.lines().all(|line| line.starts_with("20") && line[..30].contains('T')), "{stderr}");
}

#[test]
fn a_server_shows_the_wire_when_the_environment_says_so() {
    let mut server = Server::start_with("paper_trail", &[], &[("MCP_LOG_LEVEL", "debug")]);
    server.initialize("2025-11-25");
    server.assert_silent();
    let (_, stderr) = server.finish();
    let methods: Vec<_> = trace(&stderr).into_iter().map(|(_, what)| what).collect();
    assert_eq!(
        methods,
        [r#""initialize""#, r#""initialize""#, r#""notifications/initialized""#, r#""ping""#, r#""silence""#]
    );
}

#[test]
fn paper_trail_answers_a_session() {
    let mut server = Server::initialized("paper_trail", "2025-11-25");
    let tools = server.request(1, "tools/list", json!({}))["result"]["tools"].take();
    assert_eq!(tools[0]["name"], "order_status");
    assert_eq!(tools[0]["inputSchema"]["properties"]["order_id"]["description"], "Order number, such as PT-1041.");
    let result = server.call("order_status", json!({ "order_id": "PT-1041" }));
    assert_eq!(result["structuredContent"], serde_json::from_str::<Value>(SHIPPED).unwrap());
    assert_eq!(result["content"], json!([{ "type": "text", "text": SHIPPED }]));
    let result = server.call("order_status", json!({ "order_id": "PT-9999" }));
    let failure = json!({ "content": [{ "type": "text", "text": "no such order: PT-9999" }], "isError": true });
    assert_eq!(result, failure);
    assert_eq!(server.finish(), (vec![], String::new()));
}

#[test]
fn adder_adds() {
    assert_eq!(ran("adder", &["call", "add", r#"{"a":2,"b":3}"#, "--revision", "2026-07-28"]).1, "5\n");
    let mut server = Server::initialized("adder", "2025-11-25");
    let max = i64::from(i32::MAX);
    assert_eq!(server.call("add", json!({ "a": max, "b": max }))["structuredContent"]["result"], 2 * max);
    assert_eq!(server.call("add", json!({ "a": max + 1, "b": 0 }))["isError"], true);
    server.finish();
}

#[test]
fn slow_answers_ping_and_other_calls_while_tools_block() {
    let mut server = Server::initialized("slow", "2025-11-25");
    for id in 0..4 {
        server.send_call(id, "spin", json!({ "seconds": 600 }));
    }
    // These would have to wait for ten minutes.
    server.assert_silent();
    assert_eq!(server.call("nap", json!({ "seconds": 0 }))["content"][0]["text"], "slept for 0 s");
    assert_eq!(server.call("spin", json!({ "seconds": 0 }))["content"][0]["text"], "spun for 0 s");
    for id in 0..4 {
        server.cancel(id);
    }
    server.assert_silent();
    assert_eq!(server.finish(), (vec![], String::new()));
}

#[test]
fn slow_reports_progress_and_stops_when_cancelled() {
    let mut server = Server::initialized("slow", "2025-11-25");
    let params = json!({ "name": "nap", "arguments": { "seconds": 600 }, "_meta": { "progressToken": "t" } });
    server.send_request(1, "tools/call", params);
    let progress = server.receive();
    assert_eq!(progress["method"], "notifications/progress");
    assert_eq!(progress["params"]["progressToken"], "t");
    assert_eq!(progress["params"]["total"], 600.0);
    server.cancel(1);
    server.send_request("after", "ping", json!({}));
    // A further report may have been on its way.
    while server.receive()["id"] != "after" {}
    // A call that still ran would be given up, which is said on stderr.
    assert_eq!(server.finish(), (vec![], String::new()));
}

#[test]
fn slow_ends_at_the_end_of_input_whatever_runs() {
    let mut server = Server::initialized("slow", "2025-11-25");
    server.send_call(1, "nap", json!({ "seconds": 600 }));
    server.send_call(2, "spin", json!({ "seconds": 600 }));
    server.assert_silent();
    let (rest, _) = server.finish();
    assert_eq!(rest, Vec::<Value>::new());
}

#[test]
fn slow_delivers_what_ends_after_the_end_of_input() {
    let mut server = Server::initialized("slow", "2025-11-25");
    server.send_call(1, "nap", json!({ "seconds": 0.05 }));
    server.send_call(2, "spin", json!({ "seconds": 0.05 }));
    let mut ids: Vec<_> = server.finish().0.iter().map(|response| response["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2]);
}

#[test]
fn a_client_may_write_megabytes_before_it_reads() {
    let mut input = String::new();
    for id in 0..20_000 {
        let params = json!({
            "name": "order_status",
            "arguments": { "order_id": "PT-1041" },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        });
        input += &json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string();
        input += "\n";
    }
    assert!(input.len() > 4_000_000);
    let mut server = Command::new(example("paper_trail"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the example starts");
    // All of it is written before any of the answers is read.
    server.stdin.take().expect("stdin is a pipe").write_all(input.as_bytes()).expect("the server reads");
    let output = server.wait_with_output().expect("the server ends");
    assert!(output.status.success());
    let answers = text(&output.stdout);
    let answers = answers.lines().map(|line| serde_json::from_str::<Value>(line).expect("every line is a message"));
    let mut ids: Vec<_> = answers.map(|answer| answer["id"].as_i64().expect("an id")).collect();
    // A call that was interrupted is overtaken by the next.
    ids.sort_unstable();
    assert_eq!(ids, (0..20_000).collect::<Vec<_>>());
}

/// A folder with a file, another folder, and a link that leads out of it; removed in the end.
struct Files(PathBuf);

impl Files {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mcp-{name}-{}", std::process::id()));
        std::fs::create_dir_all(path.join("shared/inside")).expect("the folder can be made");
        for (file, text) in
            [("secret.txt", "secret"), ("shared/two words.txt", "two"), ("shared/inside/deep.txt", "deep")]
        {
            std::fs::write(path.join(file), text).expect("the file can be written");
        }
        std::fs::write(path.join("shared/pixel.bin"), [0xFF, 0xFE]).expect("the file can be written");
        #[cfg(unix)]
        std::os::unix::fs::symlink(path.join("secret.txt"), path.join("shared/link.txt")).expect("it can be linked");
        Self(path)
    }

    fn shared(&self) -> String {
        self.0.join("shared").to_str().expect("a path in Unicode").to_owned()
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        // Whatever is left is in a folder for such things.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn folder_lists_its_files_and_reads_them() {
    let files = Files::new("reads");
    let mut server = Server::start_with("folder", &[], &[("FOLDER", &files.shared())]);
    server.initialize("2025-11-25");
    let listed = server.request(1, "resources/list", json!({}))["result"]["resources"].take();
    let uris: Vec<_> = listed.as_array().expect("a list").iter().map(|resource| resource["uri"].clone()).collect();
    assert_eq!(uris, ["folder:///pixel.bin", "folder:///two%20words.txt"]);
    let mut read = |uri: &str| server.request(2, "resources/read", json!({ "uri": uri }))["result"]["contents"].take();
    for (uri, text) in [("folder:///two%20words.txt", "two"), ("folder:///inside/deep.txt", "deep")] {
        assert_eq!(read(uri), json!([{ "uri": uri, "mimeType": "text/plain", "text": text }]));
    }
    assert_eq!(read("folder:///pixel.bin")[0]["blob"], "//4=");
    server.finish();
}

#[test]
fn folder_reads_nothing_outside_of_it() {
    let files = Files::new("outside");
    let mut server = Server::start_with("folder", &[], &[("FOLDER", &files.shared())]);
    server.initialize("2025-11-25");
    let secret = files.0.join("secret.txt");
    let absolute = format!("folder:///{}", secret.display());
    for uri in [
        "folder:///../secret.txt",
        "folder:///inside/../../secret.txt",
        "folder:///%2e%2e/secret.txt",
        "folder:///..%2fsecret.txt",
        "folder:///link.txt",
        "folder:///inside",
        "folder:///missing.txt",
        &absolute,
    ] {
        let error = server.request(1, "resources/read", json!({ "uri": uri }))["error"].take();
        assert_eq!((&error["code"], &error["data"]), (&json!(-32002), &json!({ "uri": uri })), "{uri}");
    }
    server.finish();
}

#[test]
fn folder_says_that_there_is_none() {
    let output = Command::new(example("folder")).env("FOLDER", "/no/such/folder").output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    let stderr = text(&output.stderr);
    assert!(stderr.starts_with("error: cannot open the folder /no/such/folder: "), "{stderr}");
}

#[test]
fn reviewer_fills_in_its_prompts() {
    let (code, stdout, _) = ran("reviewer", &["get", "review", r#"{"code":"fn f() {}","language":"rust"}"#]);
    let expected = "user: Review this rust code. Be kind.\n\n```rust\nfn f() {}\n```\n\
                    assistant: I begin with the gravest fault.\n";
    assert_eq!((code, stdout.as_str()), (0, expected));
    let (code, _, stderr) = ran("reviewer", &["get", "review", r#"{"code":"","tone":"nice"}"#]);
    let expected = "error: the arguments of `review` do not fit: `code`: expected string of at least 1 character, got 0 \
                    characters; `language` is required and missing; `tone`: expected one of \"kind\", \"strict\", got \"nice\" (-32602)\n";
    assert_eq!((code, stderr.as_str()), (1, expected));
}

#[test]
fn reviewer_completes_what_is_typed() {
    let mut server = Server::initialized("reviewer", "2025-11-25");
    let mut complete = |argument: &str, typed: &str, others: Value| {
        let params = json!({
            "ref": { "type": "ref/prompt", "name": "review" },
            "argument": { "name": argument, "value": typed },
            "context": { "arguments": others },
        });
        server.request(1, "completion/complete", params)["result"]["completion"]["values"].take()
    };
    assert_eq!(complete("language", "r", json!({})), json!(["rust"]));
    assert_eq!(complete("topic", "", json!({ "language": "rust" })), json!(["errors", "lifetimes", "unsafe"]));
    assert_eq!(complete("topic", "", json!({})), json!([]));
    assert_eq!(complete("tone", "S", json!({})), json!(["strict"]));
    server.finish();
}

#[test]
fn read_and_get_say_what_they_need() {
    for (args, problem) in [
        (&["read"][..], "`read` needs the URI of a resource"),
        (&["read", "x://y", "more"], "unexpected argument `more`"),
        (&["get"], "`get` needs the name of a prompt"),
        (&["get", "review", "{}", "more"], "unexpected argument `more`"),
        (&["get", "review", "[]"], "the arguments must be a JSON object"),
    ] {
        let (code, stdout, stderr) = ran("reviewer", args);
        assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}");
        assert!(stderr.starts_with(&format!("error: {problem}")), "{stderr}");
    }
}
