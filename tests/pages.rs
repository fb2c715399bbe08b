//! Lists in pages: cursors are opaque, name where a page begins, and outlive the server.

mod common;

use std::convert::Infallible;
use std::time::Duration;

use common::memory::{Wire, block_on, modern, session};
use mcp_runtime::{CacheScope, Prompt, Server, ServerResource, Tool};
use serde_json::{Value, json};

/// The method of each list, and its member with the entries.
const LISTS: [(&str, &str); 4] = [
    ("tools/list", "tools"),
    ("prompts/list", "prompts"),
    ("resources/list", "resources"),
    ("resources/templates/list", "resourceTemplates"),
];

const ENTRIES: usize = 7;

fn tool(name: String) -> Tool {
    let tool = Tool::builder(name).input_schema(json!({ "type": "object" }));
    tool.handler(|_: Value, _| async { Ok::<_, Infallible>(()) })
}

/// A server with so many of each.
fn server() -> Server {
    let numbers = || 0..ENTRIES;
    Server::new("t", "1")
        .tools(numbers().map(|number| tool(format!("tool-{number}"))))
        .prompts(numbers().map(|number| Prompt::builder(format!("Prompt {number} ü")).text("")))
        .resources(numbers().map(|number| ServerResource::builder(format!("r://{number}")).text("")))
        .resources(numbers().map(|number| ServerResource::builder(format!("t://{number}/{{page}}")).text("")))
        .page_size(3)
}

async fn page(wire: &mut Wire, method: &str, cursor: Option<&Value>) -> Value {
    let params = cursor.map_or_else(|| json!({}), |cursor| json!({ "cursor": cursor }));
    let mut response = wire.request(method, params).await;
    assert_eq!(response.get("error"), None, "{response}");
    response["result"].take()
}

/// All pages of a list, each asked for with the cursor of the one before.
async fn pages(wire: &mut Wire, method: &str) -> Vec<Value> {
    let mut pages = vec![page(wire, method, None).await];
    while let Some(cursor) = pages.last().and_then(|page| page.get("nextCursor")).cloned() {
        pages.push(page(wire, method, Some(&cursor)).await);
    }
    pages
}

#[test]
fn lists_every_entry_once_and_in_order() {
    block_on(async {
        let mut whole = session(server().page_size(1000)).await;
        let mut wire = session(server()).await;
        for (method, member) in LISTS {
            let pages = pages(&mut wire, method).await;
            let sizes: Vec<_> = pages.iter().map(|page| page[member].as_array().unwrap().len()).collect();
            assert_eq!(sizes, [3, 3, 1], "{method}");
            let entries: Vec<Value> = pages.iter().flat_map(|page| page[member].as_array().unwrap().clone()).collect();
            assert_eq!(page(&mut whole, method, None).await, json!({ member: entries }));
        }
    });
}

#[test]
fn has_no_next_cursor_where_the_last_page_is_full() {
    block_on(async {
        let mut wire = session(server().page_size(ENTRIES)).await;
        for (method, member) in LISTS {
            let page = page(&mut wire, method, None).await;
            assert_eq!((page[member].as_array().unwrap().len(), page.get("nextCursor")), (ENTRIES, None));
        }
    });
}

#[test]
fn says_what_a_cursor_is() {
    block_on(async {
        let mut wire = session(server()).await;
        for cursor in [json!(1), json!(["a"]), json!({})] {
            let response = wire.request("tools/list", json!({ "cursor": cursor })).await;
            assert_eq!(response["error"], json!({ "code": -32602, "message": "`cursor` must be a string" }));
        }
        assert!(wire.request("tools/list", json!({ "cursor": null })).await["result"].is_object());
    });
}

#[test]
fn takes_cursors_of_a_server_before_it() {
    block_on(async {
        for (method, _) in LISTS {
            let mut before = session(server()).await;
            let first = page(&mut before, method, None).await;
            let second = page(&mut before, method, Some(&first["nextCursor"])).await;
            before.finish().await;
            let mut after = session(server()).await;
            // Nothing was listed there yet.
            assert_eq!(page(&mut after, method, Some(&first["nextCursor"])).await, second);
        }
    });
}

#[test]
fn takes_cursors_of_another_revision() {
    block_on(async {
        let mut old = Wire::initialized(server(), "2024-11-05").await;
        let mut new = Wire::open(server());
        for (method, member) in LISTS {
            let cursor = page(&mut old, method, None).await["nextCursor"].take();
            let second = page(&mut old, method, Some(&cursor)).await;
            let page = new.request(method, modern(json!({ "cursor": cursor }))).await["result"].take();
            assert_eq!(page[member].as_array().map(Vec::len), Some(3), "{page}");
            assert_eq!(page[member][0]["name"], second[member][0]["name"]);
        }
    });
}

#[test]
fn refuses_a_cursor_that_it_has_not_given() {
    block_on(async {
        let mut wire = session(server()).await;
        for (method, _) in LISTS {
            for cursor in
                [json!(""), json!("3"), json!("dG9vbC0w"), json!("%"), json!("\u{0}"), json!("x".repeat(10_000))]
            {
                let error = wire.request(method, json!({ "cursor": cursor })).await["error"].take();
                let message = "the cursor is unknown; list again from the start";
                assert_eq!(error, json!({ "code": -32602, "message": message }), "{method} {cursor}");
            }
            for cursor in [json!(1), json!([]), json!({}), json!(true)] {
                let error = wire.request(method, json!({ "cursor": cursor })).await["error"].take();
                assert_eq!(error["code"], -32602, "{method} {cursor}");
            }
        }
    });
}

#[test]
fn takes_null_and_nothing_for_the_first_page() {
    block_on(async {
        let mut wire = session(server()).await;
        for (method, _) in LISTS {
            let first = page(&mut wire, method, None).await;
            assert_eq!(page(&mut wire, method, Some(&Value::Null)).await, first);
            let bare = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}"}}"#);
            assert_eq!(wire.exchange(&bare).await["result"], first);
        }
    });
}

#[test]
fn says_the_same_about_keeping_every_page() {
    block_on(async {
        let mut wire = Wire::open(server().cache_lists(Duration::from_secs(2), CacheScope::Public));
        for (method, _) in LISTS {
            let mut cursor = Value::Null;
            for _ in 0..3 {
                let result = wire.request(method, modern(json!({ "cursor": cursor }))).await["result"].take();
                let said = (&result["ttlMs"], &result["cacheScope"], &result["resultType"]);
                assert_eq!(said, (&json!(2000), &json!("public"), &json!("complete")), "{result}");
                cursor = result["nextCursor"].clone();
            }
            assert_eq!(cursor, Value::Null);
        }
    });
}

#[test]
fn lists_nothing_on_one_page_where_all_is_hidden() {
    block_on(async {
        let prompt = Prompt::builder("p").text("").disabled();
        let mut wire = session(Server::new("t", "1").prompts([prompt]).page_size(1)).await;
        assert_eq!(page(&mut wire, "prompts/list", None).await, json!({ "prompts": [] }));
    });
}

#[test]
fn leaves_hidden_entries_out_of_its_pages() {
    block_on(async {
        let prompts = (0..5).map(|number| {
            let prompt = Prompt::builder(format!("p{number}")).text("");
            if number % 2 == 0 { prompt } else { prompt.disabled() }
        });
        let mut wire = session(Server::new("t", "1").prompts(prompts).page_size(2)).await;
        let pages = pages(&mut wire, "prompts/list").await;
        let names: Vec<Vec<_>> = pages
            .iter()
            .map(|page| page["prompts"].as_array().unwrap().iter().map(|prompt| prompt["name"].clone()).collect())
            .collect();
        assert_eq!(names, [vec!["p0", "p2"], vec!["p4"]]);
    });
}

#[test]
fn goes_on_from_a_page_that_still_begins_where_it_did() {
    block_on(async {
        let mut server = server();
        let set = server.prompt_set();
        let mut wire = session(server).await;
        let first = page(&mut wire, "prompts/list", None).await;
        set.add(Prompt::builder("new").text("")).unwrap();
        assert_eq!(wire.receive().await["method"], "notifications/prompts/list_changed");
        let second = page(&mut wire, "prompts/list", Some(&first["nextCursor"])).await;
        assert_eq!(second["prompts"][0]["name"], "Prompt 3 ü");
        // A page that begins elsewhere now has another cursor.
        assert!(set.remove("Prompt 0 ü"));
        let params = json!({ "cursor": first["nextCursor"] });
        wire.send(json!({ "jsonrpc": "2.0", "id": 1, "method": "prompts/list", "params": params })).await;
        let mut response = wire.receive().await;
        if response.get("id").is_none() {
            response = wire.receive().await;
        }
        assert_eq!(response["error"]["code"], -32602);
    });
}

#[test]
fn gives_a_client_in_the_same_process_all_pages() {
    block_on(async {
        let mut client = server().connect().await.unwrap();
        let lists = [
            client.list_tools().await.unwrap(),
            client.list_prompts().await.unwrap(),
            client.list_resources().await.unwrap(),
            client.list_resource_templates().await.unwrap(),
        ];
        assert_eq!(lists.each_ref().map(Vec::len), [ENTRIES; 4]);
        assert_eq!((&lists[1][6]["name"], &lists[3][6]["uriTemplate"]), (&json!("Prompt 6 ü"), &json!("t://6/{page}")));
        let got = client.get_prompt("Prompt 6 ü", json!({})).await.unwrap();
        assert_eq!(got["messages"][0]["content"]["text"], "");
        let read = client.read_resource("t://6/a").await.unwrap();
        assert_eq!(read["contents"][0]["uri"], "t://6/a");
        assert!(client.read_resource("none://").await.is_err() && client.get_prompt("none", json!({})).await.is_err());
    });
}

#[test]
fn has_one_entry_on_a_page_at_least() {
    block_on(async {
        let mut wire = session(server().page_size(0)).await;
        assert_eq!(pages(&mut wire, "tools/list").await.len(), ENTRIES);
    });
}
