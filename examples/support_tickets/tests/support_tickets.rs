//! The search over tickets, driven from outside, with a database that fails in every way.

#[path = "../../../tests/common/mod.rs"]
mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Server, run, text};
use rusqlite::Connection;
use serde_json::{Value, json};

const REVISION: &str = "2025-11-25";
const NAME: &str = "support_tickets";

/// The ids of no tickets.
const NOTHING: [i64; 0] = [];

/// The path of a file that does not exist yet, for one test.
fn new_file(test: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.db"));
    for left_over in [file.clone(), file.with_extension("db-journal"), file.with_extension("away")] {
        // Usually there is none.
        let _ = fs::remove_file(left_over);
    }
    file
}

/// A server of the samples in memory.
fn samples() -> Server {
    Server::initialized(NAME, REVISION)
}

/// A server of the tickets in a file.
fn serve(file: &Path) -> Server {
    let file = file.to_str().expect("the target directory has a Unicode name");
    let mut server = Server::start_with(NAME, &["--db", file], &[]);
    server.initialize(REVISION);
    server
}

/// The structured result of a search that succeeds.
fn search(server: &mut Server, arguments: Value) -> Value {
    let result = server.call("search_tickets", arguments);
    assert_eq!(result.get("isError"), None, "{result}");
    result["structuredContent"].clone()
}

/// The ids of the tickets that a query finds, in ascending order.
fn ids(server: &mut Server, query: &str) -> Vec<i64> {
    let found = search(server, json!({ "query": query }));
    let tickets = found["tickets"].as_array().expect("a list of tickets");
    let mut ids: Vec<_> = tickets.iter().filter_map(|ticket| ticket["id"].as_i64()).collect();
    assert_eq!(found["total"], ids.len(), "{found}");
    ids.sort_unstable();
    ids
}

/// The text of a search that fails.
fn failure(server: &mut Server, query: &str) -> String {
    let result = server.call("search_tickets", json!({ "query": query }));
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(result.get("structuredContent"), None, "{result}");
    result["content"][0]["text"].as_str().expect("a text block").to_owned()
}

/// Asserts that the failure of a search tells the model about the database, and what to do.
fn assert_database_fails(server: &mut Server, reason: &str) {
    let text = failure(server, "refund");
    assert!(text.starts_with(&format!("the tickets cannot be read ({reason}")), "{text}");
    assert!(text.contains("tell the user"), "{text}");
}

/// How many tickets a file holds.
fn count(file: &Path) -> i64 {
    let db = Connection::open(file).expect("the file can be opened");
    db.query_row("SELECT count(*) FROM tickets", (), |row| row.get(0)).expect("there is a table of tickets")
}

#[test]
fn a_search_returns_a_typed_result_and_its_text() {
    let mut server = samples();
    let tools = server.request("list", "tools/list", json!({}));
    let output = &tools["result"]["tools"][0]["outputSchema"];
    assert_eq!(output["required"], json!(["tickets", "total"]));
    assert_eq!(output["properties"]["tickets"]["items"]["required"], json!(["id", "subject", "status", "snippet"]));

    let result = server.call("search_tickets", json!({ "query": "can't log in" }));
    let expected = json!({
        "tickets": [{
            "id": 4101,
            "subject": "Can't log in after the update",
            "status": "open",
            "snippet": "Since version 3.2 I [can't] [log] [in] on my phone. It says \"session expired…",
        }],
        "total": 1,
    });
    assert_eq!(result["structuredContent"], expected);
    let mirror = result["content"][0]["text"].as_str().expect("a text block");
    assert_eq!(serde_json::from_str::<Value>(mirror).expect("the text is JSON"), expected);
}

#[test]
fn a_status_is_filtered_by() {
    let mut server = samples();
    let found = search(&mut server, json!({ "query": "refund", "status": "pending" }));
    assert_eq!((&found["total"], &found["tickets"][0]["id"]), (&json!(1), &json!(4087)), "{found}");
    let found = search(&mut server, json!({ "query": "refund", "status": "closed" }));
    assert_eq!(found, json!({ "tickets": [], "total": 0 }));
}

#[test]
fn a_status_that_does_not_exist_is_refused_with_those_that_do() {
    let result = samples().call("search_tickets", json!({ "query": "refund", "status": "solved" }));
    assert_eq!(result["isError"], true, "{result}");
    let text = result["content"][0]["text"].as_str().expect("a text block");
    for status in ["open", "pending", "closed"] {
        assert!(text.contains(status), "{text}");
    }
}

#[test]
fn a_limit_shortens_the_list_and_leaves_the_total() {
    let mut server = samples();
    for (limit, length) in [(0, 0), (1, 1), (2, 2), (50, 2)] {
        let found = search(&mut server, json!({ "query": "refund", "limit": limit }));
        assert_eq!(found["tickets"].as_array().map(Vec::len), Some(length), "{found}");
        assert_eq!(found["total"], 2, "{found}");
    }
}

#[test]
fn words_are_found_in_any_order_case_and_form() {
    let mut server = samples();
    for query in ["refund payment", "PAYMENTS refunded", "payment, please: refund!", "bakker refund"] {
        assert_eq!(ids(&mut server, query), [4098], "{query}");
    }
    assert_eq!(ids(&mut server, "jurgen muller"), [4079]);
    assert_eq!(ids(&mut server, "refund unicorn"), NOTHING);
}

#[test]
fn quotes_hold_words_together() {
    let mut server = samples();
    assert_eq!(ids(&mut server, "in log"), [4061, 4101]);
    assert_eq!(ids(&mut server, "\"in log\""), NOTHING);
    assert_eq!(ids(&mut server, "\"log in\" \"new phone"), [4061]);
}

#[test]
fn operators_in_capitals_combine() {
    let mut server = samples();
    assert_eq!(ids(&mut server, "umlauts OR webhook"), [4040, 4079]);
    assert_eq!(ids(&mut server, "refund NOT invoice"), [4087]);
    assert_eq!(ids(&mut server, "refund AND invoice"), [4098]);
    assert_eq!(ids(&mut server, "umlauts or webhook"), NOTHING);
    assert_eq!(ids(&mut server, "umlaut* OR authen*"), [4061, 4079]);
}

#[test]
fn everything_else_in_a_query_is_data() {
    let mut server = samples();
    for query in ["(refund", "refund)", "^refund", "refund - payments", "+refund +payments", "re*fund: {}", "\0refund"]
    {
        let found = search(&mut server, json!({ "query": query }));
        assert!(found["total"].is_u64(), "{query:?}: {found}");
    }
    for query in ["subject:refund", "NEAR(refund payments)", "'; DROP TABLE tickets; --", "refund' or '1'='1", "rowid"]
    {
        assert_eq!(ids(&mut server, query), NOTHING, "{query}");
    }
    assert_eq!(ids(&mut server, "INV-2206"), [4098]);
    assert_eq!(ids(&mut server, "\"too many\0requests\""), [4090]);
}

#[test]
fn an_operator_without_words_is_a_failure_that_says_how_to_mend_it() {
    let mut server = samples();
    for query in ["refund OR", "NOT refund", "AND", "refund AND OR invoice", "refund NOT \0"] {
        let text = failure(&mut server, query);
        assert!(text.starts_with("`query` cannot be read"), "{query:?}: {text}");
        assert!(text.contains("need words on both sides"), "{query:?}: {text}");
    }
    assert_eq!(ids(&mut server, "\"NOT\" refund"), NOTHING);
}

#[test]
fn a_query_without_words_is_a_failure() {
    let mut server = samples();
    for query in ["", "  ", "?!", "*", "\"\"", "\0"] {
        let text = failure(&mut server, query);
        assert!(text.contains("no word to search for"), "{query:?}: {text}");
    }
}

#[test]
fn a_query_may_have_500_characters_and_no_more() {
    let mut server = samples();
    assert_eq!(ids(&mut server, &"é".repeat(500)), NOTHING);
    let text = failure(&mut server, &"é".repeat(501));
    assert!(text.contains("of at most 500 characters, got 501"), "{text}");
}

#[test]
fn a_locked_database_is_a_failure_that_asks_to_call_again() {
    let file = new_file("locked");
    let mut server = serve(&file);
    let writer = Connection::open(&file).expect("the file can be opened");
    writer.execute_batch("BEGIN EXCLUSIVE").expect("nobody else holds a lock");
    let text = failure(&mut server, "refund");
    assert!(text.contains("another program is writing"), "{text}");
    assert!(text.contains("call again"), "{text}");

    writer.execute_batch("COMMIT").expect("the lock can be given back");
    assert_eq!(ids(&mut server, "refund"), [4087, 4098]);
}

#[test]
fn a_file_that_goes_and_comes_back_is_missed_only_meanwhile() {
    let file = new_file("missing");
    let away = file.with_extension("away");
    let mut server = serve(&file);
    fs::rename(&file, &away).expect("the file can be moved");
    assert_database_fails(&mut server, "unable to open database file");
    assert!(!file.exists(), "a search must not make a database");

    fs::rename(&away, &file).expect("the file can be moved back");
    assert_eq!(ids(&mut server, "refund"), [4087, 4098]);
}

#[test]
fn a_file_that_is_replaced_is_read_anew() {
    let file = new_file("replaced");
    let mut server = serve(&file);
    assert_eq!(ids(&mut server, "unicorn"), NOTHING);
    let other = new_file("replacement");
    drop(serve(&other));
    let db = Connection::open(&other).expect("the file can be opened");
    db.execute("UPDATE tickets SET subject = 'A unicorn' WHERE rowid = 4101", ()).expect("the ticket can be changed");
    db.close().expect("the file can be closed");
    fs::rename(&other, &file).expect("the file can be replaced");
    assert_eq!(ids(&mut server, "unicorn"), [4101]);

    fs::write(&file, "").expect("the file can be written");
    assert_database_fails(&mut server, "no such table: tickets");
    assert_eq!(fs::read(&file).expect("the file can be read"), b"", "a search must not fill a file");
}

#[test]
fn a_damaged_file_is_a_failure_and_the_server_lives() {
    let file = new_file("damaged");
    let mut server = serve(&file);
    let intact = fs::read(&file).expect("the file can be read");
    fs::write(&file, "This is no database, but it is long enough to be looked at. ".repeat(100)).expect("a file");
    assert_database_fails(&mut server, "file is not a database");

    // The header is right, everything after it is not.
    let mut damaged = intact.clone();
    damaged[100..].fill(0x55);
    fs::write(&file, damaged).expect("the file can be written");
    assert_database_fails(&mut server, "database disk image is malformed");

    fs::write(&file, intact).expect("the file can be written");
    assert_eq!(ids(&mut server, "refund"), [4087, 4098]);
}

#[test]
fn a_file_that_is_damaged_at_the_start_is_served_and_left_alone() {
    let file = new_file("damaged_at_the_start");
    let content = "no database";
    fs::write(&file, content).expect("the file can be written");
    let mut server = serve(&file);
    assert_database_fails(&mut server, "file is not a database");
    assert_eq!(fs::read_to_string(&file).expect("the file can be read"), content);
}

#[test]
fn a_status_that_the_database_should_not_hold_is_a_failure() {
    let file = new_file("unknown_status");
    let mut server = serve(&file);
    let db = Connection::open(&file).expect("the file can be opened");
    db.execute("UPDATE tickets SET status = 'lost' WHERE rowid = 4101", ()).expect("the ticket can be changed");
    let text = failure(&mut server, "can't log in");
    assert!(text.contains("`lost` is no status of a ticket"), "{text}");
    assert_eq!(ids(&mut server, "refund"), [4087, 4098]);
}

#[test]
fn a_file_that_can_only_be_read_is_enough() {
    let file = new_file("read_only");
    drop(serve(&file));
    let mut permissions = fs::metadata(&file).expect("the file exists").permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&file, permissions).expect("permissions can be changed");
    assert_eq!(ids(&mut serve(&file), "refund"), [4087, 4098]);
}

#[test]
fn a_new_file_gets_the_samples_once() {
    let file = new_file("seeded_once");
    drop(serve(&file));
    let samples = count(&file);
    assert!(samples >= 12, "{samples}");

    let db = Connection::open(&file).expect("the file can be opened");
    db.execute("DELETE FROM tickets WHERE rowid <> 4087", ()).expect("tickets can be deleted");
    let mut server = serve(&file);
    assert_eq!(ids(&mut server, "refund"), [4087]);
    assert_eq!(count(&file), 1);

    db.execute("DELETE FROM tickets", ()).expect("tickets can be deleted");
    assert_eq!(ids(&mut serve(&file), "refund"), NOTHING);
}

#[test]
fn an_empty_file_gets_the_samples() {
    let file = new_file("empty");
    fs::write(&file, "").expect("the file can be written");
    assert_eq!(ids(&mut serve(&file), "refund"), [4087, 4098]);
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let file = new_file("foreign");
    let db = Connection::open(&file).expect("the file can be made");
    db.execute_batch("CREATE TABLE orders (id INTEGER)").expect("a table can be made");
    let before = fs::read(&file).expect("the file can be read");
    assert_database_fails(&mut serve(&file), "no such table: tickets");
    assert_eq!(fs::read(&file).expect("the file can be read"), before);
}

#[test]
fn a_db_option_without_a_file_is_an_error() {
    for args in [&["--db"][..], &["--db", ""], &["--db", "--trace"], &["list", "--db"]] {
        let output = run(NAME, args);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.starts_with("error: `--db` needs a value"), "{args:?}: {stderr}");
        assert_eq!(text(&output.stdout), "", "{args:?}");
    }
}

#[test]
fn a_file_that_cannot_be_made_is_an_error_at_the_start() {
    let file = new_file("no_such_folder").join("tickets.db");
    let output = run(NAME, [Path::new("--db"), &file, Path::new("list")]);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.starts_with("error: cannot create the database"), "{stderr}");
}

#[test]
fn arguments_that_are_not_its_own_go_to_the_runtime() {
    let file = new_file("arguments");
    let arguments = r#"{"query":"refund","status":"open"}"#;
    let args = ["call".as_ref(), "--db".as_ref(), file.as_os_str(), "search_tickets".as_ref(), arguments.as_ref()];
    let output = run(NAME, args);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with(r#"{"tickets":[{"id":4098,"#), "{}", text(&output.stdout));
    assert_eq!(run(NAME, ["--frobnicate"]).status.code(), Some(2));
}

#[test]
fn nothing_but_messages_is_written_to_stdout() {
    let file = new_file("stdout");
    let mut server = serve(&file);
    // Each answer is read as the next line, which has to be a message.
    assert_eq!(ids(&mut server, "refund"), [4087, 4098]);
    fs::remove_file(&file).expect("the file can be removed");
    assert_database_fails(&mut server, "unable to open database file");
    let (rest, stderr) = server.finish();
    assert_eq!((rest, stderr.as_str()), (Vec::new(), ""));
}
