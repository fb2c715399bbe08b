//! What the targets in `fuzz/` do with their input, beside the internals that they look at. Only tests and fuzzing see it.
//!
//! An ordinary test runs the same functions over the committed corpora, so that what was found once is looked for on
//! every machine. In `mcp-runtime`, `cargo +nightly fuzz run codec` goes on looking, with `-- -dict=fuzz/json-rpc.dict` for
//! `message`; nothing here is `unsafe`, so `--sanitizer none` finds as much in half of the time. What it finds belongs into
//! the corpus, once `cargo +nightly fuzz tmin` has made it small.

#![allow(
    missing_docs,
    missing_debug_implementations,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "a target fails as a test does"
)]

mod arguments;
mod codec;
mod due;
mod message;
mod oracle;
mod session;
mod tools;

pub use arguments::arguments;
pub use codec::codec;
pub use message::message;
pub use session::session;

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// Runs a target over its corpus.
    fn replay(target: &str, run: fn(&[u8])) {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
        let files = std::fs::read_dir(&corpus).expect("the target has a corpus");
        let mut files: Vec<_> = files.map(|file| file.expect("the corpus can be read").path()).collect();
        assert!(!files.is_empty(), "{} is empty", corpus.display());
        files.sort();
        for file in files {
            // Shown if the test fails: the last one is the culprit.
            println!("{}", file.display());
            run(&std::fs::read(file).expect("the corpus can be read"));
        }
    }

    #[test]
    fn replays_the_corpus_of_arguments() {
        replay("arguments", super::arguments);
    }

    #[test]
    fn replays_the_corpus_of_codec() {
        replay("codec", super::codec);
    }

    #[test]
    fn replays_the_corpus_of_message() {
        replay("message", super::message);
    }

    #[test]
    fn replays_the_corpus_of_session() {
        replay("session", super::session);
    }
}
