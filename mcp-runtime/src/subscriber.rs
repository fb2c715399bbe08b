//! What one client is told of changes to the server: a legacy session all of them, once it is ready; in the modern era
//! those who have asked, each under the id of its request.
//!
//! Spec: 2025-11-25, `server/tools`, "List Changed Notification"; 2026-07-28, `basic/patterns/subscriptions`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::dispatch::Dispatch;
use crate::jsonrpc::{self, ErrorObject, RequestId};
use crate::outlet::Outlet;
use crate::protocol::subscriptions::{SubscriptionFilter, SubscriptionParams};
use crate::reply;
use crate::tool::set::Listener;

const TOOLS_CHANGED: &str = "notifications/tools/list_changed";

/// A client that may want to know of changes.
#[derive(Debug)]
pub(crate) struct Subscriber {
    dispatch: Arc<Dispatch>,
    outlet: Arc<dyn Outlet>,
    max_subscriptions: usize,
    state: Mutex<State>,
    /// Whether there is news that the client could not be told yet, since it does not read.
    is_behind: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    session: Phase,
    /// Whether something has changed that the session was not told yet.
    has_news: bool,
    /// The requests of the modern era that stay open.
    subscriptions: Vec<Subscription>,
    /// Nothing more is sent.
    has_ended: bool,
}

/// A request to be told of changes.
#[derive(Debug)]
struct Subscription {
    id: RequestId,
    filter: SubscriptionFilter,
    /// Whether something has changed that it was not told yet.
    has_news: bool,
}

/// How far the handshake of a legacy session is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Phase {
    #[default]
    None,
    /// `initialize` is answered. Until the client says that it is ready, nothing is sent that it has not asked for.
    Opened,
    Ready,
}

impl Subscriber {
    /// One that learns of every change for as long as somebody holds it.
    pub(crate) fn new(dispatch: Arc<Dispatch>, outlet: Arc<dyn Outlet>, max_subscriptions: usize) -> Arc<Self> {
        let (state, is_behind) = (Mutex::default(), AtomicBool::new(false));
        let subscriber = Arc::new(Self { dispatch, outlet, max_subscriptions, state, is_behind });
        let tools = &subscriber.dispatch.tools;
        if tools.can_change() {
            let listener: Weak<Self> = Arc::downgrade(&subscriber);
            tools.listen(listener);
        }
        subscriber
    }

    /// A legacy session is open.
    pub(crate) fn open(&self) {
        self.state().session = Phase::Opened;
    }

    /// The client of a legacy session is ready, and is told what it has missed.
    pub(crate) fn ready(&self) {
        let mut state = self.state();
        if state.session == Phase::Opened {
            state.session = Phase::Ready;
            self.tell(&mut state);
        }
    }

    /// Opens a subscription, whose acknowledgement is sent before anything else under its id.
    ///
    /// # Errors
    /// `-32600` if there are too many.
    pub(crate) fn subscribe(&self, id: &RequestId, filter: SubscriptionFilter) -> Result<(), ErrorObject> {
        let can_change = self.dispatch.tools.can_change();
        let filter = SubscriptionFilter { tools_list_changed: filter.tools_list_changed && can_change };
        let mut state = self.state();
        if state.subscriptions.len() >= self.max_subscriptions {
            return Err(ErrorObject::invalid_request(format!(
                "there are {} subscriptions already; cancel one of them first",
                self.max_subscriptions
            )));
        }
        let params = SubscriptionParams::acknowledging(id, filter);
        let mut frame = Vec::new();
        jsonrpc::write_notification(&mut frame, "notifications/subscriptions/acknowledged", &params);
        // Under the lock, so that no change overtakes it.
        self.outlet.send(&frame);
        state.subscriptions.push(Subscription { id: id.clone(), filter, has_news: false });
        Ok(())
    }

    /// Whether a subscription has that id.
    pub(crate) fn has(&self, id: &RequestId) -> bool {
        self.state().subscriptions.iter().any(|subscription| subscription.id == *id)
    }

    /// Ends the subscription with that id, if there is one, as its client wants. Nothing more is sent for it.
    pub(crate) fn cancel(&self, id: &RequestId) {
        self.state().subscriptions.retain(|subscription| subscription.id != *id);
    }

    /// Ends all subscriptions, as the server wants: each gets its result, and then the cancellation that the protocol asks
    /// for where one connection carries them all.
    pub(crate) fn end(&self) {
        let mut state = self.state();
        state.has_ended = true;
        let mut frames = Vec::new();
        for Subscription { id, .. } in std::mem::take(&mut state.subscriptions) {
            reply::write_subscription_end(&mut frames, &self.dispatch, &id);
            jsonrpc::write_notification(&mut frames, "notifications/cancelled", &SubscriptionParams::cancelling(&id));
        }
        self.outlet.send(&frames);
    }

    /// Ends all subscriptions, as the server wants, where each has a stream of its own: its result is the last of it.
    #[cfg(feature = "http")]
    pub(crate) fn complete(&self) {
        let mut state = self.state();
        state.has_ended = true;
        for Subscription { id, .. } in std::mem::take(&mut state.subscriptions) {
            let mut frame = Vec::new();
            reply::write_subscription_end(&mut frame, &self.dispatch, &id);
            self.outlet.respond(frame);
        }
    }

    /// Tells what could not be told before. To be called now and then: a client that sends something may read again.
    pub(crate) fn catch_up(&self) {
        if self.is_behind.load(Ordering::Relaxed) {
            self.tell(&mut self.state());
        }
    }

    /// Tells all news, as far as the client reads. What it does not read now is told later and once.
    fn tell(&self, state: &mut State) {
        if state.has_ended {
            return;
        }
        let mut frame = Vec::new();
        if state.has_news && state.session == Phase::Ready {
            jsonrpc::write_notification_without_params(&mut frame, TOOLS_CHANGED);
            state.has_news = !self.outlet.offer(&frame);
        }
        for subscription in state.subscriptions.iter_mut().filter(|subscription| subscription.has_news) {
            frame.clear();
            jsonrpc::write_notification(&mut frame, TOOLS_CHANGED, &SubscriptionParams::new(&subscription.id));
            subscription.has_news = !self.outlet.offer(&frame);
        }
        let is_behind = (state.has_news && state.session == Phase::Ready)
            || state.subscriptions.iter().any(|subscription| subscription.has_news);
        self.is_behind.store(is_behind, Ordering::Relaxed);
    }

    /// No code of the user runs under the lock, and the state is whole at every step.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener for Subscriber {
    fn tools_changed(&self) {
        let mut state = self.state();
        state.has_news = state.session != Phase::None;
        for subscription in &mut state.subscriptions {
            subscription.has_news = subscription.filter.tools_list_changed;
        }
        self.tell(&mut state);
    }
}
