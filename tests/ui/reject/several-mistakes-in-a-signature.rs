use mcp_runtime::{tool, tools};

struct Range {
    start: u32,
    end: u32,
}

#[tool(readonly, name = "list orders", title = "List", title = "List orders")]
pub unsafe fn list<'a, T>(
    Range { start, end }: Range,
    customer: Option<&'a str>,
    state: &mut [T],
    #[serde(default)] page: impl Into<u32>,
) -> Vec<&'a str>
where
    T: Copy,
{
    let _ = (start, end, customer, state, page);
    Vec::new()
}

fn main() {
    let _ = tools![list];
}
