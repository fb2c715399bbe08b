//! What one client is told of changes to the server: a legacy session all of them, once it is ready; in the modern era
//! those who have asked, each under the id of its request.
//!
//! Spec: 2025-11-25, `server/tools`, "List Changed Notification"; 2026-07-28, `basic/patterns/subscriptions`.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::changes::{Listener, News};
use crate::dispatch::Dispatch;
use crate::jsonrpc::{self, ErrorObject, RequestId};
use crate::limits::{Limits, MAX_URI_BYTES};
use crate::outlet::Outlet;
use crate::protocol::resources::UpdatedParams;
use crate::protocol::subscriptions::{SubscriptionFilter, SubscriptionParams};
use crate::reply;
use crate::request::Watch;

const TOOLS_CHANGED: &str = "notifications/tools/list_changed";
const PROMPTS_CHANGED: &str = "notifications/prompts/list_changed";
const RESOURCES_CHANGED: &str = "notifications/resources/list_changed";
const RESOURCE_UPDATED: &str = "notifications/resources/updated";

/// A client that may want to know of changes.
#[derive(Debug)]
pub(crate) struct Subscriber {
    dispatch: Arc<Dispatch>,
    outlet: Arc<dyn Outlet>,
    max_subscriptions: usize,
    max_watched_resources: usize,
    state: Mutex<State>,
    /// Whether there is news that the client could not be told yet, since it does not read.
    is_behind: AtomicBool,
    /// Whether there has ever been a subscription, for the one who opens them.
    has_subscribed: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    session: Phase,
    /// What has changed that the session was not told yet.
    news: News,
    /// The resources that the session wants to be told of.
    watched: BTreeSet<Arc<str>>,
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
    /// What has changed that it was not told yet.
    news: News,
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
    pub(crate) fn new(dispatch: Arc<Dispatch>, outlet: Arc<dyn Outlet>, limits: &Limits) -> Arc<Self> {
        let (state, is_behind, has_subscribed) = (Mutex::default(), AtomicBool::new(false), AtomicBool::new(false));
        let Limits { max_subscriptions, max_watched_resources, .. } = *limits;
        let subscriber = Arc::new(Self {
            dispatch,
            outlet,
            max_subscriptions,
            max_watched_resources,
            state,
            is_behind,
            has_subscribed,
        });
        let changes = &subscriber.dispatch.sets.changes;
        if changes.are_expected() {
            let listener: Weak<Self> = Arc::downgrade(&subscriber);
            changes.listen(listener);
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
        let filter = self.honoured(filter);
        let mut state = self.state();
        if state.subscriptions.len() >= self.max_subscriptions {
            return Err(ErrorObject::invalid_request(format!(
                "there are {} subscriptions already; cancel one of them first",
                self.max_subscriptions
            )));
        }
        let params = SubscriptionParams::acknowledging(id, &filter);
        let mut frame = Vec::new();
        jsonrpc::write_notification(&mut frame, "notifications/subscriptions/acknowledged", &params);
        // Under the lock, so that no change overtakes it.
        self.outlet.send(&frame);
        self.has_subscribed.store(true, Ordering::Release);
        state.subscriptions.push(Subscription { id: id.clone(), filter, news: News::default() });
        Ok(())
    }

    /// What of a filter will be told: what may change at all, and so many resources.
    fn honoured(&self, mut filter: SubscriptionFilter) -> SubscriptionFilter {
        let offered = &self.dispatch.capabilities;
        filter.tools_list_changed &= offered.tools.is_some_and(|tools| tools.list_changed);
        filter.prompts_list_changed &= offered.prompts.is_some_and(|prompts| prompts.list_changed);
        filter.resources_list_changed &= offered.resources.is_some_and(|resources| resources.list_changed);
        let most = if offered.subscribe() { self.max_watched_resources } else { 0 };
        filter.resource_subscriptions.retain(|uri| uri.len() <= MAX_URI_BYTES);
        filter.resource_subscriptions.sort_unstable();
        filter.resource_subscriptions.dedup();
        filter.resource_subscriptions.truncate(most);
        // It is kept for as long as the client listens.
        filter.resource_subscriptions.shrink_to_fit();
        filter
    }

    /// Watches a resource for the session, or no more.
    ///
    /// # Errors
    /// `-32600` if it watches too many.
    pub(crate) fn watch(&self, watch: Watch) -> Result<(), ErrorObject> {
        let mut state = self.state();
        if !watch.begins {
            let State { watched, news, .. } = &mut *state;
            watched.remove(&*watch.uri);
            news.updated.retain(|uri| within(uri).any(|uri| watched.contains(uri)));
        } else if state.watched.len() < self.max_watched_resources || state.watched.contains(&*watch.uri) {
            state.watched.insert(watch.uri.into());
        } else {
            return Err(ErrorObject::invalid_request(format!(
                "the session is subscribed to {} resources already; unsubscribe from one of them first",
                self.max_watched_resources
            )));
        }
        Ok(())
    }

    /// Whether a subscription has that id.
    pub(crate) fn has(&self, id: &RequestId) -> bool {
        self.has_subscribed.load(Ordering::Acquire)
            && self.state().subscriptions.iter().any(|subscription| subscription.id == *id)
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
        if state.session == Phase::Ready {
            let write = |out: &mut Vec<u8>, told: Told<'_>| match told {
                Told::List(method) => jsonrpc::write_notification_without_params(out, method),
                Told::Resource(uri) => jsonrpc::write_notification(out, RESOURCE_UPDATED, &UpdatedParams { uri }),
            };
            self.tell_news(&mut state.news, write);
        }
        for Subscription { id, news, .. } in &mut state.subscriptions {
            let write = |out: &mut Vec<u8>, told: Told<'_>| match told {
                Told::List(method) => jsonrpc::write_notification(out, method, &SubscriptionParams::new(id)),
                Told::Resource(uri) => {
                    jsonrpc::write_notification(out, RESOURCE_UPDATED, &SubscriptionParams::updating(id, uri));
                }
            };
            self.tell_news(news, write);
        }
        let is_behind = (!state.news.is_empty() && state.session == Phase::Ready)
            || state.subscriptions.iter().any(|subscription| !subscription.news.is_empty());
        self.is_behind.store(is_behind, Ordering::Relaxed);
    }

    /// Tells one who listens, and takes out of the news what was told.
    fn tell_news(&self, news: &mut News, write: impl Fn(&mut Vec<u8>, Told<'_>)) {
        let mut frame = Vec::new();
        let mut offer = |told: Told<'_>| {
            frame.clear();
            write(&mut frame, told);
            self.outlet.offer(&frame)
        };
        news.tools = news.tools && !offer(Told::List(TOOLS_CHANGED));
        news.prompts = news.prompts && !offer(Told::List(PROMPTS_CHANGED));
        news.resources = news.resources && !offer(Told::List(RESOURCES_CHANGED));
        news.updated.retain(|uri| !offer(Told::Resource(uri)));
    }

    /// No code of the user runs under the lock, and the state is whole at every step.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a client is told of.
enum Told<'a> {
    /// A list, by the method that tells of it.
    List(&'static str),
    /// The contents of the resource with that URI.
    Resource(&'a str),
}

impl Listener for Subscriber {
    fn changed(&self, news: &News) {
        let mut state = self.state();
        let state = &mut *state;
        if state.session != Phase::None {
            let News { tools, prompts, resources, .. } = *news;
            state.news.add(News { tools, prompts, resources, ..News::default() });
            self.add_updated(&mut state.news, news, |uri| state.watched.contains(uri));
        }
        for Subscription { filter, news: due, .. } in &mut state.subscriptions {
            due.add(News {
                tools: news.tools && filter.tools_list_changed,
                prompts: news.prompts && filter.prompts_list_changed,
                resources: news.resources && filter.resources_list_changed,
                ..News::default()
            });
            let watched = &filter.resource_subscriptions;
            self.add_updated(due, news, |uri| watched.binary_search_by(|watched| (**watched).cmp(uri)).is_ok());
        }
        self.tell(state);
    }
}

impl Subscriber {
    /// Adds the resources that are watched, or a part of a watched one. A client that does not read is told of so many of
    /// them, and then of the watched ones alone.
    fn add_updated(&self, due: &mut News, news: &News, is_watched: impl Fn(&str) -> bool) {
        for uri in &news.updated {
            let Some(watched) = within(uri).find(|uri| is_watched(uri)) else { continue };
            let has_room = due.updated.len() < self.max_watched_resources;
            due.updated.insert(if has_room { Arc::clone(uri) } else { watched.into() });
        }
    }
}

/// A URI, and those of all that it is a part of, with and without the `/` at the end.
fn within(uri: &str) -> impl Iterator<Item = &str> {
    let parents = uri.match_indices('/').map(|(at, _)| at).flat_map(|at| [uri.get(..at), uri.get(..=at)]);
    std::iter::once(uri).chain(parents.flatten())
}
