#[cfg(unix)]
pub fn add(a: u8, #[allow(unused)] b: Option<&str>) -> u8 {
    a
}
#[cfg(unix)]
#[doc(hidden)]
#[allow(non_upper_case_globals)]
pub const __tool_add: ::mcp_runtime::__private::ToolDef = ::mcp_runtime::__private::ToolDef::invalid(
    "add",
);
::core::compile_error! {
    "unknown `#[tool]` key `nmae`\nhelp: write `name`; the keys are `name`, `title`, `description`, `read_only`, `destructive`, `idempotent`, `open_world`, `icon`, `meta`, `blocking`, `timeout`, `crate`"
}
::core::compile_error! {
    "a tool parameter cannot contain the reference `&str`\nhelp: write `Option<String>`"
}
::core::compile_error! {
    "a tool parameter cannot have `#[serde(default)]`\nhelp: write `#[arg(default)]`"
}
