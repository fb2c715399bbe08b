//! A server that asks before it deletes: one source for clients of every revision, and for any number of servers that share
//! a key.
//!
//! ```sh
//! FOLDER=/tmp/notes cargo run --package mcp-http-examples --example ask_first -- --http 127.0.0.1:8080
//! ```
//!
//! With `STATE_KEY`, 64 hexadecimal digits such as from `openssl rand -hex 32`, a server goes on with what another has begun.

use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use mcp_runtime::{AskError, Context, Form, Server, State, StateKey, tool, tools};
use schemars::JsonSchema;
use serde::Deserialize;

struct Folder(PathBuf);

impl Folder {
    /// The file of that name, which is one name and no path.
    fn file(&self, name: &str) -> Option<PathBuf> {
        let mut components = Path::new(name).components();
        let is_name = matches!((components.next(), components.next()), (Some(Component::Normal(_)), None));
        let path = self.0.join(name);
        (is_name && path.is_file()).then_some(path)
    }
}

#[derive(Deserialize, JsonSchema, Form)]
struct Sure {
    /// Whether to delete it for good.
    delete: bool,
}

#[derive(Debug)]
enum Failure {
    Missing(String),
    Asking(AskError),
    Deleting(io::Error),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing(name) => write!(f, "there is no file {name}"),
            Self::Asking(error) => write!(f, "{error}"),
            Self::Deleting(error) => write!(f, "cannot delete the file: {error}"),
        }
    }
}

/// Delete a file, once the user agrees.
#[tool(destructive, idempotent)]
async fn delete_file(name: &str, folder: &State<Folder>, ctx: &Context) -> Result<String, Failure> {
    let path = folder.file(name).ok_or_else(|| Failure::Missing(name.to_owned()))?;
    match ctx.elicit("sure", format!("Delete {name}?")).await {
        Ok(Sure { delete: true }) => {}
        Ok(Sure { delete: false }) | Err(AskError::Declined | AskError::Cancelled) => {
            return Ok(format!("{name} is kept, as the user wants"));
        }
        Err(error) => return Err(Failure::Asking(error)),
    }
    fs::remove_file(path).map_err(Failure::Deleting)?;
    Ok(format!("{name} is deleted"))
}

/// The key in a text of 64 hexadecimal digits.
fn key(digits: &str) -> Option<StateKey> {
    let bytes = (0..32).map(|index| u8::from_str_radix(digits.get(2 * index..2 * index + 2)?, 16).ok());
    let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
    (digits.len() == 64).then(|| StateKey::new(bytes.try_into().unwrap_or_default()))
}

fn main() -> ExitCode {
    let folder = env::var_os("FOLDER").map_or_else(|| ".".into(), PathBuf::from);
    let mut server =
        Server::new("ask-first", env!("CARGO_PKG_VERSION")).tools(tools![delete_file]).state(Folder(folder));
    if let Ok(digits) = env::var("STATE_KEY") {
        let Some(key) = key(digits.trim()) else {
            eprintln!("error: STATE_KEY must have 64 hexadecimal digits");
            return ExitCode::FAILURE;
        };
        server = server.state_key(key);
    }
    server.run()
}
