//! The log of a server that runs by itself: `tracing` events as lines on stderr, since stdout is the protocol's.

use std::fmt::{Debug, Write as _};

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Metadata, Subscriber};

use crate::client_log::{self, Targets};
use crate::{stderr, timestamp};

/// The environment variable that sets the level: `off`, `error`, `warn`, `info`, `debug` or `trace`.
pub(crate) const LEVEL_VARIABLE: &str = "MCP_LOG_LEVEL";

/// The level if nothing sets another.
const DEFAULT_LEVEL: LevelFilter = LevelFilter::WARN;

/// Installs the log, unless the program has installed a subscriber of its own. What happens in a call goes to its client too,
/// if its target is one `for_clients`.
pub(crate) fn install(trace: bool, for_clients: Targets) {
    let asked = std::env::var(LEVEL_VARIABLE).ok();
    let level = match asked.as_deref().map(str::parse::<LevelFilter>) {
        _ if trace => LevelFilter::DEBUG,
        Some(Ok(level)) => level,
        Some(Err(_)) => {
            let asked = asked.unwrap_or_default();
            let known = "off, error, warn, info, debug, trace";
            stderr::write(&format!("{LEVEL_VARIABLE}: unknown level `{asked}`; the levels are {known}\n"));
            DEFAULT_LEVEL
        }
        None => DEFAULT_LEVEL,
    };
    // An error says that there is a subscriber already, which is the better one.
    let _ = tracing::subscriber::set_global_default(Stderr { level, for_clients });
}

/// Writes each event as a line.
struct Stderr {
    level: LevelFilter,
    for_clients: Targets,
}

impl Stderr {
    fn shows(&self, metadata: &Metadata<'_>) -> bool {
        !metadata.is_span() && *metadata.level() <= self.level
    }
}

impl Subscriber for Stderr {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        match (self.shows(metadata), !self.for_clients.is_empty()) {
            (true, _) => Interest::always(),
            // Whether a client wants it depends on the call.
            (false, true) if !metadata.is_span() => Interest::sometimes(),
            _ => Interest::never(),
        }
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        // Not every question is about an event: `enabled!` asks with a hint.
        self.shows(metadata) || self.for_clients.want(metadata)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(if self.for_clients.is_empty() { self.level } else { self.level.max(LevelFilter::DEBUG) })
    }

    fn event(&self, event: &Event<'_>) {
        let metadata = event.metadata();
        client_log::forward(event, &self.for_clients);
        if !self.shows(metadata) {
            return;
        }
        let mut line = stderr::line();
        line += &timestamp::now();
        // The arrow of a frame says enough about where it comes from.
        if !metadata.target().ends_with("::wire") {
            // Writing to a `String` cannot fail.
            let _ = write!(line, " {} {}:", metadata.level(), metadata.target());
        }
        event.record(&mut Fields(&mut line));
        line.push('\n');
        stderr::write(&line);
    }

    // Spans are not shown.
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Appends the message as it is and every other field as `name=value`.
struct Fields<'a>(&'a mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = match field.name() {
            "message" => write!(self.0, " {value:?}"),
            name => write!(self.0, " {name}={value:?}"),
        };
    }
}
