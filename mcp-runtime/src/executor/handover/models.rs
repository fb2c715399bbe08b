//! The hand-over under every order in which its threads may run, and with every value that their loads may see.
//!
//! `RUSTFLAGS="--cfg loom" cargo test --package mcp-runtime --lib handover --release`

use loom::cell::Cell;
use loom::sync::{Arc, Mutex};
use loom::thread;

use super::{Handover, Poll};

/// A role that only one thread at a time may look at; `loom` fails where two may.
struct Role {
    polls: Cell<u32>,
}

impl Role {
    fn new() -> Self {
        Self { polls: Cell::new(0) }
    }

    /// What its holder does with it.
    fn used(self) -> Self {
        self.polls.set(self.polls.get() + 1);
        self
    }
}

/// A reader and its watchdog, with the polls that were entered when the role was taken away.
struct Shared {
    handover: Handover<Role, u64>,
    entered: Mutex<Vec<u64>>,
}

impl Shared {
    fn new() -> Arc<Self> {
        Arc::new(Self { handover: Handover::new(), entered: Mutex::new(Vec::new()) })
    }

    fn take_away(&self, poll: Poll) -> Option<Role> {
        let enter = |polled| {
            assert_eq!(polled, poll.0, "another poll is entered");
            self.entered().push(polled);
        };
        self.handover.take_away(poll, enter).map(Role::used)
    }

    fn take_up(&self, poll: Poll) -> Option<Role> {
        let role = self.handover.take_up(poll);
        let is_entered = self.entered().contains(&poll.0);
        assert_eq!(is_entered, role.is_none(), "a poll is entered if and only if it has lost the role");
        role.map(Role::used)
    }

    fn entered(&self) -> loom::sync::MutexGuard<'_, Vec<u64>> {
        self.entered.lock().expect("no thread panics")
    }
}

/// Two polls one after the other, and a watchdog that may look at either and take the role while it is at the next.
#[test]
fn keeps_the_role_in_one_pair_of_hands() {
    loom::model(|| {
        let shared = Shared::new();
        let watching = Arc::clone(&shared);
        let watchdog = thread::spawn(move || {
            let mut looks = (0..2).map(|_| watching.handover.progress());
            looks.find_map(|(poll, is_polling)| is_polling.then(|| watching.take_away(poll)).flatten())
        });
        let kept = [1, 2].into_iter().try_fold(Role::new(), |role, number| {
            let (poll, _) = shared.handover.lay_down(role, number);
            shared.take_up(poll)
        });
        let taken = watchdog.join().expect("the watchdog does not panic");
        assert_eq!(kept.is_some(), taken.is_none(), "one of the two has it");
        if let Some(role) = kept.or(taken) {
            let _ = role.used();
        }
        assert!(!shared.handover.progress().1, "no poll is under way");
    });
}

/// Two heirs of one poll, as there are when a thread is slow to start; the one that gets the role lays it down for a poll
/// of its own, which neither the other heir nor the first poller may take it from.
#[test]
fn leaves_the_next_poll_alone() {
    loom::model(|| {
        let shared = Shared::new();
        let (first, _) = shared.handover.lay_down(Role::new(), 1);
        let heirs = [(); 2].map(|()| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let role = shared.take_away(first)?;
                let (own, _) = shared.handover.lay_down(role, 2);
                Some(shared.take_up(own).expect("nobody may have taken it"))
            })
        });
        let kept = shared.take_up(first);
        let taken = heirs.map(|heir| heir.join().expect("no heir panics"));
        let holders = taken.into_iter().chain([kept]).flatten().count();
        assert_eq!(holders, 1);
    });
}

/// A watchdog that sleeps between two polls, the second of which lasts until the role is taken from under it. Should it
/// sleep through that, nobody would go on, which `loom` reports.
#[test]
fn wakes_the_watchdog_for_every_poll() {
    let mut model = loom::model::Builder::new();
    // Two are enough to lose a wake-up where the watchdog looks and falls asleep in two steps.
    model.preemption_bound = Some(2);
    model.check(|| {
        let handover = Arc::new(Handover::<(), ()>::new());
        let watching = Arc::clone(&handover);
        let watchdog = thread::spawn(move || {
            loop {
                let (poll, is_polling) = watching.progress();
                if is_polling && watching.take_away(poll, |()| ()).is_some() {
                    return;
                }
                watching.doze(thread::park);
            }
        });
        let lay_down = || {
            let (poll, watchdog_sleeps) = handover.lay_down((), ());
            if watchdog_sleeps {
                watchdog.thread().unpark();
            }
            poll
        };
        let quick = lay_down();
        if handover.take_up(quick).is_some() {
            lay_down();
        }
        watchdog.join().expect("the watchdog does not panic");
    });
}
