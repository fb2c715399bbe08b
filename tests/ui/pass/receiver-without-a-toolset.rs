use mcp_runtime::{tool, tools};

struct Till {
    rate: f64,
}

impl Till {
    #[tool]
    fn convert(&self, amount: f64) -> f64 {
        amount * self.rate
    }
}

fn main() {
    let _ = tools![Till::convert];
}
