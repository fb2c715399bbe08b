//! Laying the reader role down for the length of a poll, and taking it from under a poll that takes too long.

use std::sync::PoisonError;

use super::sync::{Mutex, MutexGuard};

#[cfg(all(test, loom))]
mod models;

/// Where the role lies while its holder polls a call; `R` is the role, `P` what is known of the polled call.
///
/// A role is in at most one pair of hands: whoever takes it out of here has it. All is under one lock, which nearly always is
/// free: the watchdog looks once in a millisecond.
#[derive(Debug)]
pub(super) struct Handover<R, P>(Mutex<State<R, P>>);

#[derive(Debug)]
struct State<R, P> {
    /// The role, while a poll is under way that has not lost it.
    laid: Option<Laid<R, P>>,
    /// Counts the polls, so that the watchdog can tell one from the next.
    polls: u64,
    /// Whether the watchdog sleeps until it is woken.
    is_dozing: bool,
}

#[derive(Debug)]
struct Laid<R, P> {
    role: R,
    polled: P,
    /// Which poll the role was laid down for.
    poll: Poll,
}

/// One poll: the receipt for a role that was laid down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Poll(u64);

impl<R, P> Handover<R, P> {
    pub(super) fn new() -> Self {
        Self(Mutex::new(State { laid: None, polls: 0, is_dozing: false }))
    }

    /// Lays the role down. Returns the receipt, and whether the watchdog has to be woken.
    pub(super) fn lay_down(&self, role: R, polled: P) -> (Poll, bool) {
        let mut state = self.state();
        state.polls += 1;
        let poll = Poll(state.polls);
        state.laid = Some(Laid { role, polled, poll });
        (poll, state.is_dozing)
    }

    /// Takes the role back after the poll, unless somebody else has taken it. What lies there may be the role as that
    /// somebody has laid it down for a poll of their own, which is not ours to take.
    pub(super) fn take_up(&self, poll: Poll) -> Option<R> {
        let laid = self.state().laid.take_if(|laid| laid.poll == poll)?;
        Some(laid.role)
    }

    /// Takes the role from under the poll that was seen to take too long; a later one keeps it. `enter` is told of the
    /// polled call before its poller can find out, so that the poller finds the call entered.
    pub(super) fn take_away(&self, poll: Poll, enter: impl FnOnce(P)) -> Option<R> {
        let mut state = self.state();
        let laid = state.laid.take_if(|laid| laid.poll == poll)?;
        enter(laid.polled);
        Some(laid.role)
    }

    /// The last poll, and whether it is under way.
    pub(super) fn progress(&self) -> (Poll, bool) {
        let state = self.state();
        (Poll(state.polls), state.laid.is_some())
    }

    /// Lets the watchdog sleep by `park`, unless a poll is under way: whoever begins one later wakes it.
    pub(super) fn doze(&self, park: impl FnOnce()) {
        let mut state = self.state();
        if state.laid.is_some() {
            return;
        }
        state.is_dozing = true;
        drop(state);
        park();
        self.state().is_dozing = false;
    }

    /// No user code runs under the lock.
    fn state(&self) -> MutexGuard<'_, State<R, P>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::collections::HashSet;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex};

    use super::Handover;

    #[test]
    fn returns_the_role_to_the_one_who_laid_it_down() {
        let handover = Handover::new();
        let (poll, _) = handover.lay_down("role", 'a');
        assert_eq!(handover.progress(), (poll, true));
        assert_eq!(handover.take_up(poll), Some("role"));
        assert_eq!(handover.progress(), (poll, false));
        assert_eq!(handover.take_away(poll, |_| panic!("nothing is polled")), None);
    }

    #[test]
    fn gives_the_role_away_once_and_names_the_polled_call() {
        let handover = Handover::new();
        let (poll, _) = handover.lay_down("role", 'a');
        let mut entered = None;
        assert_eq!(handover.take_away(poll, |polled| entered = Some(polled)), Some("role"));
        assert_eq!(entered, Some('a'));
        assert_eq!(handover.take_up(poll), None);
        assert_eq!(handover.progress(), (poll, false));
    }

    #[test]
    fn leaves_the_role_to_the_one_who_has_laid_it_down_since() {
        let handover = Handover::new();
        let (slow, _) = handover.lay_down("role", 'a');
        let role = handover.take_away(slow, |_| ()).expect("it lies there");
        let (quick, _) = handover.lay_down(role, 'b');
        assert_eq!(handover.take_up(slow), None);
        assert_eq!(handover.take_away(slow, |_| panic!("another poll is under way")), None);
        assert_eq!(handover.take_up(quick), Some("role"));
    }

    #[test]
    fn wakes_the_watchdog_only_when_it_sleeps() {
        let handover = Handover::new();
        let mut laid_down = None;
        handover.doze(|| laid_down = Some(handover.lay_down("role", 'a')));
        let (poll, wakes) = laid_down.expect("it dozed");
        assert!(wakes);
        handover.doze(|| panic!("a poll is under way"));
        let role = handover.take_away(poll, |_| ()).expect("it lies there");
        assert!(!handover.lay_down(role, 'b').1);
    }

    /// Threads that pass the role on as the reader and its watchdog do: each poll ends exactly once as what its poller
    /// believes, and the role is never in two hands.
    #[test]
    fn keeps_one_role_among_many_threads() {
        const POLLS: usize = 20_000;
        let handover = Arc::new(Handover::<Box<usize>, usize>::new());
        let entered = Arc::new(Mutex::new(HashSet::new()));
        let (sender, heirs) = std::sync::mpsc::channel();
        sender.send(Box::new(0)).expect("the receiver is there");
        let stop = Arc::new(AtomicBool::new(false));
        let watchdog = std::thread::spawn({
            let (handover, entered, stop) = (Arc::clone(&handover), Arc::clone(&entered), Arc::clone(&stop));
            let sender = sender.clone();
            move || {
                while !stop.load(Ordering::Relaxed) {
                    let (poll, is_polling) = handover.progress();
                    let enter = |polled| assert!(entered.lock().expect("no panic").insert(polled));
                    if let Some(role) = is_polling.then(|| handover.take_away(poll, enter)).flatten() {
                        sender.send(role).expect("the receiver is there");
                    }
                }
            }
        });
        let lost = Arc::new(AtomicUsize::new(0));
        let mut threads = Vec::new();
        while let Ok(mut role) = heirs.recv() {
            if *role >= POLLS {
                break;
            }
            let (handover, entered, lost) = (Arc::clone(&handover), Arc::clone(&entered), Arc::clone(&lost));
            let sender = sender.clone();
            threads.push(std::thread::spawn(move || {
                loop {
                    *role += 1;
                    let number = *role;
                    let (poll, _) = handover.lay_down(role, number);
                    // Now and then a poll lasts until the role is taken from under it.
                    if number % 1024 == 0 {
                        while handover.progress() == (poll, true) {
                            std::thread::yield_now();
                        }
                    }
                    match handover.take_up(poll) {
                        Some(back) if number < POLLS => role = back,
                        Some(back) => return sender.send(back).expect("the receiver is there"),
                        None => {
                            assert!(entered.lock().expect("no panic").remove(&number));
                            lost.fetch_add(1, Ordering::Relaxed);
                            return;
                        }
                    }
                }
            }));
        }
        stop.store(true, Ordering::Relaxed);
        threads.into_iter().chain([watchdog]).for_each(|thread| thread.join().expect("no thread panics"));
        assert!(entered.lock().expect("no panic").is_empty());
        assert!(lost.load(Ordering::Relaxed) >= POLLS / 1024);
    }
}
