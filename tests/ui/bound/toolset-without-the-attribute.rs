use mcp_runtime::{Server, tool};

struct Bank;

impl Bank {
    /// The balance.
    #[tool]
    fn balance(&self) -> i64 {
        3
    }
}

fn main() {
    let _ = Server::new("bank", "1.0.0").toolset(Bank);
}
