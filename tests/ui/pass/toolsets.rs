#![allow(unexpected_cfgs)]

use std::process::ExitCode;
use std::sync::Arc;

use mcp_runtime::{Context, Server, State, Toolset, tool, toolset};

trait Backend: Send + Sync + 'static {
    type Item: serde::de::DeserializeOwned + schemars::JsonSchema + Send + Sync + 'static;

    fn get(&self, key: &str) -> String;
}

struct Memory;

impl Backend for Memory {
    type Item = u8;

    fn get(&self, key: &str) -> String {
        key.to_owned()
    }
}

struct Desk<B, const N: usize> {
    backend: B,
}

/// Bounds, a `where` clause, a const parameter and items between the tools.
#[toolset]
#[allow(dead_code)]
impl<B, const N: usize> Desk<B, N>
where
    B: Backend,
{
    const SIZE: usize = { N + 1 };

    /// Reads a key.
    #[tool(read_only)]
    async fn read(&self, #[arg(len = 1..=80, default = "all")] key: String, ctx: &Context) -> String {
        let size = if ctx.is_cancelled() { 0 } else { Self::SIZE };
        format!("{}{size}", self.backend.get(&key))
    }

    #[tool(name = "take_item")]
    fn take(self: Arc<Self>, item: B::Item, mut number: u8) -> usize {
        number += 1;
        drop(item);
        self.helper() + usize::from(number)
    }

    fn helper(&self) -> usize {
        N
    }

    /// No receiver, and so a call by `Self::`.
    #[tool]
    fn free(number: usize) -> usize {
        number + Self::SIZE
    }

    #[cfg(any(unix, not(unix)))]
    #[tool]
    fn conditional(&self) {}

    #[cfg(feature = "never")]
    #[tool]
    fn missing(&self, nothing: Missing) {}

    #[cfg_attr(any(unix, not(unix)), mcp_runtime::tool, allow(clippy::unused_self))]
    fn sometimes_a_tool(&self) {}

    #[cfg_attr(feature = "never", tool)]
    fn never_a_tool() {}
}

struct Till;

/// A second and a third block of one type have names.
#[toolset(files)]
impl Till {
    #[tool]
    pub(crate) fn open(&self, other: &State<Desk<Memory, 2>>) -> usize {
        other.helper()
    }
}

mod nets {
    use mcp_runtime::{tool, toolset};

    #[toolset(nets)]
    impl super::Till {
        #[tool]
        pub(super) async fn get(&self, url: &str) -> String {
            url.to_owned()
        }
    }
}

/// Of nothing but conditional tools.
#[toolset]
impl Till {
    #[cfg(feature = "never")]
    #[tool]
    fn never(&self) {}
}

macro_rules! desk {
    ($ty:ident, $($name:ident),*) => {
        struct $ty;

        #[toolset]
        impl $ty {
            $(
                #[tool]
                fn $name(&self, number: u8) -> u8 {
                    number
                }
            )*
        }
    };
}

desk!(FromAMacro, left, right);

fn main() -> ExitCode {
    assert_eq!(Desk::<Memory, 2>::tools().len(), 5);
    assert_eq!(Till::tools().len(), 0);
    Server::new("toolsets", "1.0.0")
        .toolset(Desk::<Memory, 2> { backend: Memory })
        .state(Till)
        .tools(Till::files())
        .tools(Till::nets())
        .toolset(FromAMacro)
        .run_from(["list"])
}
