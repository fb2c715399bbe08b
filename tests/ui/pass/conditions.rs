use std::process::ExitCode;

use mcp_runtime::{Server, tool, tools};

#[cfg(all())]
#[tool]
fn before() {}

#[tool]
#[cfg(all())]
fn after() {}

/// Nothing of it is compiled.
#[tool]
#[cfg(any())]
fn absent(page: Missing) -> Missing {
    page
}

#[tool]
#[cfg(all())]
fn either() -> u8 {
    1
}

#[tool]
#[cfg(not(all()))]
fn either() -> u16 {
    1
}

#[tool]
fn with_parameter(#[cfg(all())] there: &str, #[cfg(any())] absent: Missing) -> String {
    there.to_owned()
}

/// All of a tool that has conditions twice.
#[tool(read_only, title = "Both")]
#[cfg(all())]
async fn both(
    /// Never.
    #[cfg(any())]
    never: Missing,
    /// Always.
    #[cfg(all())]
    #[allow(unused_mut)]
    mut always: u8,
    last: Option<u8>,
) -> u8 {
    always + last.unwrap_or(1)
}

mod inner {
    use mcp_runtime::tool;

    #[tool]
    pub(super) fn public(#[cfg(all())] a: u8, #[cfg(all())] b: u8, #[cfg(any())] c: u8) -> u8 {
        a + b
    }
}

fn main() -> ExitCode {
    let tools = tools![before, after, either, with_parameter, both, inner::public];
    Server::new("conditions", "1.0.0").tools(tools).run_from(["list"])
}
