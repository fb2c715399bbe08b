use mcp_runtime::{tool, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct DateRange {
    start: u32,
    end: u32,
}

#[tool]
fn days(DateRange { start, end }: DateRange) -> u32 {
    end - start
}

fn main() {
    let _ = tools![days];
}
