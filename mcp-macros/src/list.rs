//! `tools!`: a list of paths to functions -> an array of their companions, through the same stages as `#[tool]`.

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, quote_spanned};
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Error, ExprPath, PathSegment, Result, Token};

use crate::diag::{Errors, list as diag};
use crate::lower::companion_ident;
use crate::runtime::Runtime;
use crate::tokens::{first_span, last_span};

/// What the user wrote, behind the path of the runtime, which our `macro_rules!` wrapper gives.
pub(crate) struct List {
    runtime: Runtime,
    paths: Vec<ExprPath>,
}

/// The companions to name.
pub(crate) struct ListIr {
    runtime: Runtime,
    tools: Vec<Entry>,
}

struct Entry {
    companion: ExprPath,
    /// Whether a constant can name it. One cannot name `Self` and generic parameters of the place where the list
    /// stands; such names are compared at start.
    is_nameable: bool,
    first: Span,
    last: Span,
}

pub(crate) fn parse(input: TokenStream, errors: &Errors) -> List {
    let mut tokens = input.into_iter();
    let is_semicolon = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ';');
    let mut ended = false;
    let runtime = tokens
        .by_ref()
        .take_while(|token| {
            ended = is_semicolon(token);
            !ended
        })
        .collect();
    if !ended {
        errors.push(diag::no_runtime_path());
    }
    let paths = (|input: ParseStream| parse_paths(input, errors)).parse2(tokens.collect());
    List { runtime: Runtime::of_wrapper(runtime), paths: errors.ok(paths).unwrap_or_default() }
}

fn parse_paths(input: ParseStream, errors: &Errors) -> Result<Vec<ExprPath>> {
    let mut paths = Vec::new();
    while !input.is_empty() {
        paths.extend(errors.ok(parse_entry(input)?));
        input.parse::<Option<Token![,]>>()?;
    }
    Ok(paths)
}

/// Reads up to the next comma, whatever stands there.
fn parse_entry(input: ParseStream) -> Result<Result<ExprPath>> {
    let ahead = input.fork();
    let path = ahead.parse::<ExprPath>();
    if path.is_ok() {
        input.advance_to(&ahead);
    }
    let mut rest = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        rest.extend([input.parse::<TokenTree>()?]);
    }
    Ok(match (path, rest.clone().into_iter().next()) {
        (Ok(path), None) => Ok(path),
        (Ok(path), Some(TokenTree::Group(group))) if is_call(&group) => Err(diag::path_is_called(&group, &path)),
        (Ok(path), Some(_)) => Err(diag::stray_after_path(&rest, &path)),
        (Err(_), Some(_)) => Err(diag::not_a_path(&rest)),
        (Err(_), None) => Err(diag::not_a_path(&input.fork().parse::<Token![,]>()?)),
    })
}

fn is_call(group: &Group) -> bool {
    group.delimiter() == Delimiter::Parenthesis
}

pub(crate) fn lower(list: List, errors: &Errors) -> ListIr {
    let tools = list.paths.into_iter().filter_map(|path| errors.ok(lower_path(path))).collect();
    ListIr { runtime: list.runtime, tools }
}

fn lower_path(mut path: ExprPath) -> Result<Entry> {
    let tokens = path.to_token_stream();
    let first = first_span(tokens.clone()).unwrap_or_else(Span::call_site);
    let last = last_span(tokens).unwrap_or(first);
    let is_nameable = path.qself.is_none() && path.path.segments.iter().all(is_nameable);
    match path.path.segments.last_mut() {
        Some(last) if !last.arguments.is_none() => {
            return Err(diag::path_has_arguments(&last.arguments, &last.ident));
        }
        Some(last) => last.ident = companion_ident(&last.ident),
        None => {}
    }
    Ok(Entry { companion: path, is_nameable, first, last })
}

fn is_nameable(segment: &PathSegment) -> bool {
    segment.arguments.is_none() && segment.ident != "Self"
}

// `add, m::sub, Self::get` becomes
//
//     {
//         const __MCP_NAMES: &[::mcp_runtime::__private::ListedName] =
//             &::mcp_runtime::__private::ListedName::all([::mcp_runtime::__private::ToolDef::name(&__tool_add), ..]);
//         const _: () = ::mcp_runtime::__private::assert_new_name(__MCP_NAMES, 1usize);
//         [__tool_add, m::__tool_sub, Self::__tool_get]
//     }
//
// A constant is evaluated by `cargo check` too, which a `const` block is not.
pub(crate) fn emit(ir: &ListIr, errors: &[Error]) -> TokenStream {
    let errors = errors.iter().map(Error::to_compile_error);
    let names = emit_names(ir);
    let tools = emit_tools(ir);
    quote_spanned!(Span::mixed_site()=> { #(#errors)* #names #tools })
}

// The type says what an empty array would hold.
fn emit_tools(ir: &ListIr) -> TokenStream {
    if ir.tools.is_empty() {
        let private = ir.runtime.private();
        return quote_spanned! {Span::mixed_site()=>
            let __mcp_tools: [#private::ToolDef; 0] = [];
            __mcp_tools
        };
    }
    let companions = ir.tools.iter().map(|entry| &entry.companion);
    quote_spanned!(Span::mixed_site()=> [#(#companions),*])
}

fn emit_names(ir: &ListIr) -> Option<TokenStream> {
    let entries = || ir.tools.iter().filter(|entry| entry.is_nameable);
    if entries().count() < 2 {
        return None;
    }
    let private = ir.runtime.private();
    let names = entries().map(|entry| {
        let companion = &entry.companion;
        quote_spanned!(Span::mixed_site()=> #private::ToolDef::name(&#companion))
    });
    let assertions = entries().enumerate().skip(1);
    let assertions = assertions.map(|(index, entry)| emit_assertion(&ir.runtime, index, entry));
    Some(quote_spanned! {Span::mixed_site()=>
        const __MCP_NAMES: &[#private::ListedName] = &#private::ListedName::all([#(#names),*]);
        #(#assertions)*
    })
}

// `const _: () = ::mcp_runtime::__private::assert_new_name(__MCP_NAMES, 1usize);`
//
// The compiler reports the failed call as a whole, so it begins and ends where the user's path does.
fn emit_assertion(runtime: &Runtime, index: usize, entry: &Entry) -> TokenStream {
    let first = runtime.hygienic(entry.first);
    let last = runtime.hygienic(entry.last);
    let private = runtime.private_at(entry.first);
    let index = Literal::usize_suffixed(index);
    let arguments = quote_spanned!(last=> (__MCP_NAMES, #index));
    quote_spanned!(first=> const _: () = #private::assert_new_name #arguments;)
}
