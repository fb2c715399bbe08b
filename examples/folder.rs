//! The files of a folder as resources, and nothing outside of it.
//!
//! ```sh
//! FOLDER=mcp-runtime/docs cargo run --example folder -- list
//! FOLDER=mcp-runtime/docs cargo run --example folder -- read folder:///http.md
//! ```

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use mcp_runtime::{Context, ResourceContents, Server, ServerResource, State, resource, resources};

struct Folder(PathBuf);

impl Folder {
    fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(path.canonicalize()?))
    }

    /// The file of that name; `None` if there is none, and for whatever lies outside: `..`, an absolute path, and a link
    /// that leads out. What is compared is where the path really leads to.
    fn file(&self, name: &str) -> Option<PathBuf> {
        let path = self.0.join(name).canonicalize().ok()?;
        (path.starts_with(&self.0) && path.is_file()).then_some(path)
    }

    /// The names of the files, without those in folders inside.
    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            let name = entry?.file_name().into_string();
            names.extend(name.ok().filter(|name| self.file(name).is_some()));
        }
        names.sort();
        Ok(names)
    }
}

/// A file of the folder.
#[resource("folder:///{+path}", blocking)]
fn file(path: &str, folder: &State<Folder>, ctx: &Context) -> io::Result<Option<ResourceContents>> {
    let Some(path) = folder.file(path) else { return Ok(None) };
    let uri = ctx.resource_uri().unwrap_or_default();
    Ok(Some(match String::from_utf8(fs::read(path)?) {
        Ok(text) => ResourceContents::text(uri, text),
        Err(error) => ResourceContents::blob(uri, error.as_bytes()),
    }))
}

/// What a URI cannot hold as it is, is percent-encoded.
fn uri(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let encoded = name.bytes().map(|byte| if plain(byte) { char::from(byte).into() } else { format!("%{byte:02X}") });
    format!("folder:///{}", encoded.collect::<String>())
}

fn main() -> ExitCode {
    let path = env::var_os("FOLDER").map_or_else(|| ".".into(), PathBuf::from);
    let opened = Folder::open(&path).and_then(|folder| Ok((folder.names()?, folder)));
    let (names, folder) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            eprintln!("error: cannot open the folder {}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    };
    let listed = names.iter().map(|name| ServerResource::builder(uri(name)).name(name).listed());
    Server::new("folder", env!("CARGO_PKG_VERSION")).resources(listed).resources(resources![file]).state(folder).run()
}
