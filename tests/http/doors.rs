//! The checks of `Host` and `Origin`.

use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_runtime::http::Http;
use mcp_runtime::{Server, tool, tools};
use serde_json::json;

use crate::support::{Request, Served, block_on, initialize, modern, modern_call, serve, serve_with};

/// A request that needs nothing of the server.
fn ask() -> Request {
    modern(1, "tools/list", json!({}))
}

/// The statuses that the server answers each value of a header with.
async fn statuses(served: &Served, name: &str, values: &[&str]) -> Vec<u16> {
    let mut statuses = Vec::new();
    for value in values {
        statuses.push(served.send(&ask().with(name, value)).await.status);
    }
    statuses
}

fn server() -> Server {
    #[tool]
    async fn nothing() {}
    Server::new("t", "1").tools(tools![nothing])
}

#[test]
fn lets_the_names_of_the_machine_in_with_any_port() {
    block_on(async {
        let served = serve(server()).await;
        let own = served.address().to_string();
        let hosts = [&own, "localhost:38123", "[::1]:38123", "[::1]", "LOCALHOST", "127.0.0.1:9999", "localhost."];
        assert_eq!(statuses(&served, "Host", &hosts).await, [200; 7]);
    });
}

#[test]
fn refuses_foreign_hosts() {
    block_on(async {
        let served = serve(server()).await;
        let hosts = ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8080", "192.168.0.1", "0.0.0.0"];
        assert_eq!(statuses(&served, "Host", &hosts).await, [403; 5]);
    });
}

#[test]
fn refuses_what_is_no_host() {
    block_on(async {
        let served = serve(server()).await;
        let hosts = [
            "",
            "user@localhost",
            "localhost:+80",
            "localhost:http",
            "localhost:99999",
            "::1",
            "local host",
            "h\u{f6}st",
        ];
        assert_eq!(statuses(&served, "Host", &hosts).await, [400; 8]);
        assert_eq!(served.send(&ask().header("Host", "localhost")).await.status, 400);
        assert_eq!(served.send(&ask().without("Host")).await.status, 400);
    });
}

#[test]
fn takes_the_host_of_a_whole_address_for_that_of_the_request() {
    block_on(async {
        let served = serve(server()).await;
        let at = |address: &str| ask().path(address);
        assert_eq!(served.send(&at("http://localhost/mcp").without("Host")).await.status, 200);
        assert_eq!(served.send(&at("http://evil.example/mcp").without("Host")).await.status, 403);
        assert_eq!(served.send(&at("http://localhost/mcp").with("Host", "evil.example")).await.status, 403);
        assert_eq!(served.send(&at("http://evil.example/mcp").with("Host", "localhost")).await.status, 403);
    });
}

#[test]
fn names_the_setting_where_it_refuses_a_host_or_an_origin() {
    block_on(async {
        let served = serve(server()).await;
        for (name, value, setting) in
            [("Host", "evil.example", "Http::allow_hosts"), ("Origin", "https://evil.example", "Http::allow_origins")]
        {
            let body = served.send(&ask().with(name, value)).await.json().await;
            assert_eq!((&body["id"], &body["error"]["code"]), (&json!(null), &json!(-32600)));
            assert!(body["error"]["message"].as_str().is_some_and(|text| text.contains(setting)), "{body}");
        }
    });
}

#[test]
fn lets_the_hosts_of_a_list_in_and_no_others() {
    block_on(async {
        let http = Http::new().allow_hosts(["mcp.internal.example", "Api.Example:8080", "2001:db8::1"]);
        let served = serve_with(server(), http).await;
        let allowed = ["mcp.internal.example", "MCP.internal.example:9", "api.example:8080", "[2001:db8::1]:80"];
        assert_eq!(statuses(&served, "Host", &allowed).await, [200; 4]);
        let refused = ["api.example", "api.example:8081", "x.mcp.internal.example", "localhost", "127.0.0.1", "[::1]"];
        assert_eq!(statuses(&served, "Host", &refused).await, [403; 6]);
    });
}

#[test]
fn lets_requests_for_every_host_of_a_domain_in() {
    block_on(async {
        let served = serve_with(server(), Http::new().allow_hosts(["*.svc.example:8080"])).await;
        let allowed = ["a.svc.example:8080", "a.b.SVC.example:8080"];
        assert_eq!(statuses(&served, "Host", &allowed).await, [200; 2]);
        let refused =
            ["svc.example:8080", "a.svc.example", "asvc.example:8080", "a.svc.example.evil:8080", "localhost"];
        assert_eq!(statuses(&served, "Host", &refused).await, [403; 5]);
    });
}

#[test]
fn does_not_look_at_hosts_if_it_is_told_so() {
    block_on(async {
        let served = serve_with(server(), Http::new().allow_any_host()).await;
        assert_eq!(statuses(&served, "Host", &["evil.example", "user@localhost", ""]).await, [200; 3]);
    });
}

#[test]
fn does_not_start_with_what_is_no_host_or_no_origin() {
    block_on(async {
        let http =
            Http::new().allow_hosts(["svc.*.example:8080"]).allow_origins(["app.example", "https://app.example/"]);
        let error = server().http(http).into_service().await.expect_err("the server does not start").to_string();
        for entry in
            ["svc.*.example:8080 is no host", ": app.example is no origin", "https://app.example/ is no origin"]
        {
            assert!(error.contains(entry), "{error}");
        }
    });
}

#[test]
fn lets_programs_and_pages_of_the_machine_in() {
    block_on(async {
        let served = serve(server()).await;
        assert_eq!(served.send(&ask()).await.status, 200);
        let origins = ["http://localhost:6274", "http://127.0.0.1", "https://[::1]:8443", "HTTP://LOCALHOST:6274"];
        assert_eq!(statuses(&served, "Origin", &origins).await, [200; 4]);
    });
}

#[test]
fn refuses_foreign_origins() {
    block_on(async {
        let served = serve(server()).await;
        let origins = [
            "https://evil.example",
            "http://localhost.evil.example",
            "http://evil.example/http://localhost",
            "http://localhost@evil.example",
            "null",
            "file://",
            "vscode-webview://abc",
            "localhost",
            "",
        ];
        assert_eq!(statuses(&served, "Origin", &origins).await, [403; 9]);
        let twice = ask().header("Origin", "http://localhost").header("Origin", "http://localhost");
        assert_eq!(served.send(&twice).await.status, 403);
    });
}

#[test]
fn checks_the_origin_of_every_method() {
    block_on(async {
        let served = serve(server()).await;
        let session = served.session("2025-11-25").await;
        for request in [session.get(), session.delete(), Request::new("OPTIONS"), Request::new("PUT")] {
            assert_eq!(served.send(&request.header("Origin", "https://evil.example")).await.status, 403);
        }
        session.assert_alive().await;
    });
}

#[test]
fn checks_the_origin_before_the_body_is_read() {
    block_on(async {
        let served = serve(server()).await;
        let foreign = |request: Request| request.header("Origin", "https://evil.example");
        assert_eq!(served.send(&foreign(Request::post("{oops"))).await.status, 403);
        let refused = served.send(&foreign(initialize("2025-11-25"))).await;
        assert_eq!((refused.status, refused.header("mcp-session-id")), (403, None));
    });
}

#[test]
fn compares_the_origins_of_a_list_by_scheme_host_and_port() {
    block_on(async {
        let http = Http::new().allow_origins([
            "https://App.example",
            "http://dev.example:3000",
            "null",
            "vscode-webview://abc",
        ]);
        let served = serve_with(server(), http).await;
        let allowed = [
            "https://app.example",
            "https://app.example:443",
            "http://dev.example:3000",
            "null",
            "vscode-webview://abc",
        ];
        assert_eq!(statuses(&served, "Origin", &allowed).await, [200; 5]);
        let refused = [
            "http://app.example",
            "https://app.example:8443",
            "https://app.example.evil.example",
            "https://evil-app.example",
            "http://dev.example",
            "http://dev.example:30000",
            "http://localhost:6274",
            "vscode-webview://abcd",
        ];
        assert_eq!(statuses(&served, "Origin", &refused).await, [403; 8]);
        assert_eq!(served.send(&ask()).await.status, 200);
    });
}

#[test]
fn does_not_look_at_origins_if_it_is_told_so() {
    block_on(async {
        let served = serve_with(server(), Http::new().allow_any_origin()).await;
        assert_eq!(statuses(&served, "Origin", &["https://evil.example", "null", "nonsense"]).await, [200; 3]);
    });
}

static RUNS: AtomicUsize = AtomicUsize::new(0);

#[tool]
async fn count_runs() {
    RUNS.fetch_add(1, Ordering::Relaxed);
}

#[test]
fn runs_nothing_for_those_who_may_not_come_in() {
    block_on(async {
        let served = serve(Server::new("t", "1").tools(tools![count_runs])).await;
        let call = modern_call(1, "count_runs", json!({}));
        assert_eq!(served.send(&call.clone().with("Host", "evil.example")).await.status, 403);
        assert_eq!(served.send(&call.clone().header("Origin", "https://evil.example")).await.status, 403);
        assert_eq!(RUNS.load(Ordering::Relaxed), 0);
        assert_eq!(served.send(&call).await.status, 200);
        assert_eq!(RUNS.load(Ordering::Relaxed), 1);
    });
}
