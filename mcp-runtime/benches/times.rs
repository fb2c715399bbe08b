//! How long each operation takes. README.md tells more.

#![allow(clippy::expect_used, clippy::panic, reason = "a benchmark fails as a test does")]

mod operations;

use divan::Bencher;

use self::operations::{OPERATIONS, Operation};

/// Many times in a row for each sample, since most take less than a clock can tell.
#[divan::bench(args = OPERATIONS, sample_size = 100)]
fn operation(bencher: Bencher, operation: &Operation) {
    bencher.bench_local((operation.prepare)());
}

fn main() {
    divan::main();
}
