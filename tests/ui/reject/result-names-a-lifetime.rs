use mcp_runtime::{tool, tools};

use std::borrow::Cow;

#[tool]
fn trim(text: &str) -> Cow<'_, str> {
    text.trim().into()
}

fn main() {
    let _ = tools![trim];
}
