//! Full-text search over support tickets in a database: a tool that blocks, and that may fail at any call.
//!
//! ```sh
//! cargo run --example support_tickets -- call search_tickets '{"query":"invoice OR refund","status":"open"}'
//! ```
//!
//! `--db FILE` keeps the tickets in a file; a new or empty one gets the samples below. As a server it answers lines
//! such as
//!
//! ```json
//! {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_tickets","arguments":{"query":"can't log in"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}
//! ```

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use mcp_runtime::{Server, State, tool, tools};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Found {
    /// The best matches first.
    tickets: Vec<Ticket>,
    /// How many tickets match in all.
    total: u32,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Ticket {
    id: i64,
    subject: String,
    status: Status,
    /// The part of the text that matches best; what matches is in brackets.
    snippet: String,
}

/// Where a ticket stands.
#[derive(Clone, Copy, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// We have to do something.
    Open,
    /// The customer has to answer.
    Pending,
    /// Nobody has to do anything more.
    Closed,
}

/// Search the support tickets: customer, subject and text.
#[tool(read_only)]
fn search_tickets(
    /// The words to find: all of them, in any order. Case, punctuation and endings do not matter: `refund` finds
    /// `Refunded!`. Words in double quotes stand together, `refu*` finds every word that begins so, and AND, OR and NOT
    /// in capitals combine: `invoice OR refund`, `login NOT password`.
    // The time that a search takes grows faster than its length: a hundred thousand words would take minutes.
    #[arg(len = ..=500)]
    query: &str,
    /// Only tickets with this status; all if not given.
    status: Option<Status>,
    /// How many tickets to return.
    #[arg(default = 10, range = 0..=50)]
    limit: u32,
    tickets: &State<Tickets>,
) -> Result<Found, String> {
    if !query.contains(char::is_alphanumeric) {
        return Err("`query` has no word to search for; give at least one, such as `refund`".to_owned());
    }
    search(tickets, &match_expression(query), status, limit).map_err(|error| explain(&error))
}

/// The query in the language of FTS5. Every word is quoted, so that only what we let through is an operator.
fn match_expression(query: &str) -> String {
    let word = |word: &str| match (word, word.strip_suffix('*')) {
        ("AND" | "OR" | "NOT", _) => word.to_owned(),
        (_, Some(beginning)) => format!("\"{beginning}\"*"),
        _ => format!("\"{word}\""),
    };
    // FTS5 would stop reading at a NUL.
    let query = query.replace('\0', " ");
    let parts = query.split('"').enumerate().flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(word).collect(),
        _ => vec![format!("\"{part}\"")],
    });
    parts.collect::<Vec<_>>().join(" ")
}

fn search(tickets: &Tickets, expression: &str, status: Option<Status>, limit: u32) -> rusqlite::Result<Found> {
    let status = status.map(Status::as_str);
    let mut db = tickets.open()?;
    // Both queries see the same tickets, whoever writes meanwhile.
    let db = db.transaction()?;
    let total = "SELECT count(*) FROM tickets WHERE tickets MATCH ?1 AND (?2 IS NULL OR status = ?2)";
    let total = db.query_row(total, (expression, status), |row| row.get(0))?;
    let mut found = db.prepare(
        "SELECT rowid, subject, status, snippet(tickets, 2, '[', ']', '…', 16) FROM tickets
         WHERE tickets MATCH ?1 AND (?2 IS NULL OR status = ?2) ORDER BY rank, rowid LIMIT ?3",
    )?;
    let found = found.query_map((expression, status, limit), |row| {
        Ok(Ticket { id: row.get(0)?, subject: row.get(1)?, status: row.get(2)?, snippet: row.get(3)? })
    })?;
    Ok(Found { tickets: found.collect::<Result<_, _>>()?, total })
}

impl Status {
    fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Pending => "pending",
            Self::Closed => "closed",
        }
    }
}

impl FromSql for Status {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let text = value.as_str()?;
        let status = [Self::Open, Self::Pending, Self::Closed].into_iter().find(|status| status.as_str() == text);
        status.ok_or_else(|| FromSqlError::Other(format!("`{text}` is no status of a ticket").into()))
    }
}

/// What a model can do about a failure.
fn explain(error: &rusqlite::Error) -> String {
    let text = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            format!("another program is writing to the tickets ({text}); call again in a few seconds")
        }
        Some(ErrorCode::Unknown) if text.starts_with("fts5") => format!(
            "`query` cannot be read ({text}): AND, OR and NOT in capitals need words on both sides; put them in double \
             quotes to search for the words themselves"
        ),
        _ => format!(
            "the tickets cannot be read ({text}); no other query will help: tell the user that the database has to be \
             put right, and call again once it is"
        ),
    }
}

/// Where the tickets are: in a file, or nowhere but in memory.
struct Tickets(Option<PathBuf>);

impl Tickets {
    /// Opens the database for one call, so that no fault outlasts its cause: a file that is put back is found again.
    fn open(&self) -> rusqlite::Result<Connection> {
        let Some(file) = &self.0 else {
            // Nobody can change the samples, so each call may have its own.
            let mut db = Connection::open_in_memory()?;
            seed(&mut db)?;
            return Ok(db);
        };
        // A file that is gone is a failure, not a new database. It is opened for writing, although nothing is written:
        // SQLite then clears up after a program that has crashed while it was writing.
        let db = Connection::open_with_flags(file, OpenFlags::default() - OpenFlags::SQLITE_OPEN_CREATE)?;
        db.busy_timeout(Duration::from_secs(1))?;
        Ok(db)
    }
}

/// Puts the samples into a database that holds nothing.
fn seed(db: &mut Connection) -> rusqlite::Result<()> {
    let db = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another server may have been faster.
    if db.query_row("SELECT count(*) = 0 FROM sqlite_schema", (), |row| row.get(0))? {
        db.execute_batch(SAMPLES)?;
    }
    db.commit()
}

const SAMPLES: &str = r#"
CREATE VIRTUAL TABLE tickets USING fts5(
    customer, subject, body, status UNINDEXED, opened UNINDEXED, tokenize = 'porter unicode61'
);
INSERT INTO tickets (rowid, opened, status, customer, subject, body) VALUES
(4101, '2026-07-27', 'open', 'Ana Duarte', 'Can''t log in after the update',
    'Since version 3.2 I can''t log in on my phone. It says "session expired" right after I enter the code.'),
(4098, '2026-07-25', 'open', 'Bakker & Zonen', 'Charged twice for June',
    'Invoice INV-2206 was paid on the 3rd and again on the 5th. Please refund one of the payments.'),
(4093, '2026-07-23', 'pending', 'Chidi Okafor', 'Password reset mail never arrives',
    'I asked for a reset three times; nothing comes, not even in the spam folder. My old password fails at login.'),
(4090, '2026-07-22', 'open', 'Delphi Labs', 'API answers 429 below our quota',
    'We send 40 requests a minute, the plan allows 100, and still get "too many requests", Retry-After: 60.'),
(4087, '2026-07-20', 'pending', 'Emre Yildiz', 'Refund for a cancelled order',
    'Order PT-0988 was cancelled on the day I placed it. Where is my money?'),
(4079, '2026-07-17', 'open', 'Fjord Outfitters', 'Export to CSV breaks on umlauts',
    'Names such as Jürgen Müller arrive as J?rgen M?ller in the exported file, in Excel and LibreOffice alike.'),
(4074, '2026-07-14', 'closed', 'Grace Liu', 'App crashes when I open a shared folder',
    'It happens on Android 15 only. The crash report has the id 7f3a-22. Reinstalling did not help.'),
(4066, '2026-07-09', 'closed', 'Hotel Meridian', 'Add our VAT number to the invoice',
    'Our accountant cannot book the invoice without VAT number XX123456789 on it.'),
(4061, '2026-07-06', 'closed', 'Ines Moreau', 'Two-factor code is refused',
    'The code of my authenticator app is always wrong since I got a new phone. I cannot log in at all.'),
(4055, '2026-07-02', 'pending', 'Jansen IT', 'Single sign-on loops back to the login page',
    'With SAML enabled, staff are sent back to the login page for ever. It works in a private window.'),
(4048, '2026-06-28', 'closed', 'Kemi Adeyemi', 'How do I delete my account?',
    'Please delete my account and everything you store about me, and tell me when it is done.'),
(4040, '2026-06-21', 'closed', 'Lumen Press', 'Webhook deliveries are late by an hour',
    'Events of this morning reached our endpoint about an hour later. Your status page shows no incident.');
"#;

/// Takes `--db FILE` out of the arguments.
fn take_file(args: &mut Vec<OsString>) -> Result<Option<PathBuf>, String> {
    let Some(at) = args.iter().position(|arg| arg == "--db") else { return Ok(None) };
    let value = args.drain(at..args.len().min(at + 2)).nth(1);
    let value = value.filter(|value| !value.as_encoded_bytes().starts_with(b"-"));
    // Made absolute, since SQLite has its own meaning for names such as `:memory:`.
    let file = value.and_then(|value| std::path::absolute(value).ok());
    file.map(Some).ok_or_else(|| "`--db` needs a value: the path of the file that holds the tickets".to_owned())
}

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1).collect();
    let file = match take_file(&mut args) {
        Ok(file) => file,
        Err(problem) => {
            eprintln!("error: {problem}");
            return ExitCode::from(2);
        }
    };
    if let Some(file) = &file {
        let has_content = std::fs::metadata(file).is_ok_and(|file| file.len() > 0);
        if !has_content && let Err(error) = Connection::open(file).and_then(|mut db| seed(&mut db)) {
            eprintln!("error: cannot create the database `{}`: {error}", file.display());
            return ExitCode::FAILURE;
        }
    }
    let server = Server::new("support-tickets", env!("CARGO_PKG_VERSION")).state(Tickets(file));
    server.tools(tools![search_tickets]).run_from(args)
}
