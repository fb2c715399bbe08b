//! From what a prompt's function returns to its messages.

use std::borrow::Cow;

use crate::protocol::{ContentBlock, GetPromptResult, PromptMessage};
use crate::result::Outcome;

/// What a prompt can return, also in a `Result` whose error can be displayed.
///
/// - A string, or a [`ContentBlock`], is one message of the user.
/// - [`PromptMessage`]s, one or a list, are sent as they are; so is a [`GetPromptResult`].
/// - A list of content blocks is that many messages of the user: a message holds one block.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a prompt",
    label = "not a prompt result",
    note = "return a string, a `PromptMessage` or a list of them, a `ContentBlock`, or a `GetPromptResult`"
)]
pub trait PromptOutput {
    #[doc(hidden)]
    fn into_outcome(self) -> Outcome;
}

/// A row is a type and how messages come of its value.
macro_rules! outputs {
    ($([$($count:ident)?] $output:ty => $messages:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl$(<const $count: usize>)? PromptOutput for $output {
            fn into_outcome(self) -> Outcome {
                let messages: fn($output) -> _ = $messages;
                Outcome::Prompt(Box::new(GetPromptResult::new(messages(self))))
            }
        }
    )* };
}

outputs! {
    [] String => |text| [PromptMessage::user(text)];
    [] &'static str => |text| [PromptMessage::user(text)];
    [] Cow<'static, str> => |text| [PromptMessage::user(text.into_owned())];
    [] Box<str> => |text| [PromptMessage::user(String::from(text))];
    [] ContentBlock => |block| [PromptMessage::user(block)];
    [] PromptMessage => |message| [message];
    [] Vec<PromptMessage> => |messages| messages;
    [N] [PromptMessage; N] => |messages| messages;
    [] Vec<ContentBlock> => |blocks| blocks.into_iter().map(PromptMessage::user).collect::<Vec<_>>();
    [N] [ContentBlock; N] => |blocks| blocks.map(PromptMessage::user);
}

#[diagnostic::do_not_recommend]
impl PromptOutput for GetPromptResult {
    fn into_outcome(self) -> Outcome {
        Outcome::Prompt(Box::new(self))
    }
}
