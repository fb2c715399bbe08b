//! Layers of [tower](https://docs.rs/tower) as middleware.

use std::convert::Infallible;
use std::fmt::Display;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};

use tower_service::Service;

use super::{Middleware, Next, ToolRequest, ToolResponse};
use crate::error::ToolError;
use crate::jsonrpc::ErrorObject;

/// The service inside of a layer: the rest of the way of a call.
#[derive(Debug, Clone, Copy)]
pub struct ToolService(pub(crate) ());

impl Service<ToolRequest> for ToolService {
    type Response = ToolResponse;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<ToolResponse, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: ToolRequest) -> Self::Future {
        Box::pin(async move {
            Ok(match request.next.take() {
                Some(next) => next.run(request).await,
                // A request comes from a server, which has put it there; nobody else can make one.
                None => ToolError::protocol(ErrorObject::INTERNAL_ERROR, "the call is lost").into(),
            })
        })
    }
}

/// A layered service as middleware. Each call has a clone of it, which shares what the layer shares.
#[derive(Debug)]
pub(crate) struct Layered<S>(pub(crate) Mutex<S>);

impl<S> Middleware for Layered<S>
where
    S: Service<ToolRequest, Response = ToolResponse, Error: Display + Send, Future: Send> + Clone + Send + 'static,
{
    fn call(&self, mut request: ToolRequest, next: Next) -> Pin<Box<dyn Future<Output = ToolResponse> + Send + '_>> {
        // A clone that panics leaves the service as it was.
        let mut service = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        request.next = Some(next);
        Box::pin(async move {
            let answered = match poll_fn(|cx| service.poll_ready(cx)).await {
                Ok(()) => service.call(request).await,
                Err(error) => Err(error),
            };
            answered.unwrap_or_else(|error| ToolError::failure(error.to_string()).into())
        })
    }
}
