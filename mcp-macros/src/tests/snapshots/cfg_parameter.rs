#[cfg(unix)]
#[::mcp_runtime::tool(read_only)]
fn list(
    /// Only here.
    mode: u32,
    all: bool,
) {}
#[cfg(not(unix))]
#[::mcp_runtime::tool(read_only)]
fn list(all: bool) {}
