use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use mcp_runtime::{Context, Server, State, tool, tools};

#[derive(Default)]
struct Counter(AtomicU32);

/// Two states, which their parameter tells apart.
struct Named<T>(T);

type Shared = State<Counter>;

#[tool]
fn count(counter: State<Counter>, by: u32) -> u32 {
    counter.0.fetch_add(by, Ordering::Relaxed)
}

#[tool]
async fn count_lent(first: &str, counter: &State<Counter>, ctx: &Context, by: u32) -> u32 {
    ready().await;
    if ctx.is_cancelled() { 0 } else { counter.0.fetch_add(by, Ordering::Relaxed) + first.len() as u32 }
}

#[tool]
fn aliased(counter: Shared, again: &Shared) -> bool {
    Arc::ptr_eq(&counter.into_arc(), &again.clone().into_arc())
}

#[tool]
fn generic(number: State<Named<u32>>, text: State<Named<String>>) -> String {
    format!("{}{}", number.0, text.0)
}

/// Without a toolset.
impl Counter {
    #[tool]
    fn by_reference(&self, by: u32) -> u32 {
        self.0.fetch_add(by, Ordering::Relaxed)
    }

    #[tool]
    async fn by_named_lifetime<'a>(&'a self, text: &str) -> u32 {
        ready().await;
        self.0.load(Ordering::Relaxed) + text.len() as u32
    }

    #[tool]
    fn by_typed_reference(self: &Self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    #[tool]
    async fn by_arc(self: Arc<Self>, other: State<Named<u32>>) -> u32 {
        ready().await;
        self.0.load(Ordering::Relaxed) + other.0
    }

    #[tool]
    fn by_path(mut self: std::sync::Arc<Counter>) -> u32 {
        match Arc::get_mut(&mut self) {
            Some(counter) => *counter.0.get_mut(),
            None => self.0.load(Ordering::Relaxed),
        }
    }
}

async fn ready() {}

fn main() -> ExitCode {
    let methods = tools![
        Counter::by_reference,
        Counter::by_named_lifetime,
        Counter::by_typed_reference,
        Counter::by_arc,
        Counter::by_path,
    ];
    Server::new("states", "1.0.0")
        .state(Counter::default())
        .state(Named(3_u32))
        .state_with(async || Ok::<_, String>(Named("text".to_owned())))
        .tools(tools![count, count_lent, aliased, generic])
        .tools(methods)
        .run_from(["list"])
}
