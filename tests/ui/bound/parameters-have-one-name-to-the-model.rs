use mcp_runtime::{tool, tools};

// To the compiler these are two names, since one of them comes from the macro.
macro_rules! add_to {
    ($number:ident) => {
        #[tool]
        fn add($number: u32, number: u32) -> u32 {
            $number + number
        }
    };
}

add_to!(number);

fn main() {
    let _ = tools![add];
}
