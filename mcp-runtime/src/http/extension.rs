//! What a layer in front of the server knows of a request, as a parameter of a handler.

use std::ops::Deref;

/// What a layer in front of the server has put into the extensions of the request, such as the user that it has found the
/// request to come from, as a parameter of a tool, a prompt or a resource.
///
/// It is taken by value or lent, `Extension<T>` or `&Extension<T>`, as a clone of what is there. The parameter may stand in
/// any position and is not part of the schema. A call without it, such as one that has come by another transport,
/// is answered with error -32603 and runs no code of yours, and the log names the type;
/// [`Context::http`](crate::Context::http) is the way for one that can do without. Only with the feature `http`.
///
/// # Examples
/// ```
/// use mcp_runtime::{Extension, tool};
///
/// #[derive(Clone)]
/// struct User {
///     name: String,
/// }
///
/// /// Say who is asking.
/// #[tool]
/// async fn who_am_i(user: Extension<User>) -> String {
///     user.name.clone()
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Extension<T>(pub T);

impl<T> Deref for Extension<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
