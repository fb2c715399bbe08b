//! `tools!` and the lists of other kinds: paths to functions -> an array of their companions, through the same stages as
//! `#[tool]`.

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, quote_spanned};
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Error, ExprPath, PathSegment, Result, Token};

use crate::diag::{Errors, list as diag};
use crate::kind::Kind;
use crate::runtime::Runtime;
use crate::tokens::{first_span, last_span};

/// What the user wrote, behind the path of the runtime, which our `macro_rules!` wrapper gives.
pub(crate) struct List {
    kind: &'static Kind,
    runtime: Runtime,
    paths: Vec<ExprPath>,
}

/// The companions to name.
pub(crate) struct ListIr {
    kind: &'static Kind,
    runtime: Runtime,
    entries: Vec<Entry>,
}

struct Entry {
    companion: ExprPath,
    /// Whether a constant can name it. One cannot name `Self` and generic parameters of the place where the list
    /// stands; such names are compared at start.
    is_nameable: bool,
    first: Span,
    last: Span,
}

pub(crate) fn parse(kind: &'static Kind, input: TokenStream, errors: &Errors) -> List {
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
        errors.push(diag::no_runtime_path(kind));
    }
    let paths = (|input: ParseStream| parse_paths(kind, input, errors)).parse2(tokens.collect());
    List { kind, runtime: Runtime::of_wrapper(runtime), paths: errors.ok(paths).unwrap_or_default() }
}

fn parse_paths(kind: &Kind, input: ParseStream, errors: &Errors) -> Result<Vec<ExprPath>> {
    let mut paths = Vec::new();
    while !input.is_empty() {
        paths.extend(errors.ok(parse_entry(kind, input)?));
        input.parse::<Option<Token![,]>>()?;
    }
    Ok(paths)
}

/// Reads up to the next comma, whatever stands there.
fn parse_entry(kind: &Kind, input: ParseStream) -> Result<Result<ExprPath>> {
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
        (Ok(path), Some(TokenTree::Group(group))) if is_call(&group) => Err(diag::path_is_called(kind, &group, &path)),
        (Ok(path), Some(_)) => Err(diag::stray_after_path(kind, &rest, &path)),
        (Err(_), Some(_)) => Err(diag::not_a_path(kind, &rest)),
        (Err(_), None) => Err(diag::not_a_path(kind, &input.fork().parse::<Token![,]>()?)),
    })
}

fn is_call(group: &Group) -> bool {
    group.delimiter() == Delimiter::Parenthesis
}

pub(crate) fn lower(list: List, errors: &Errors) -> ListIr {
    let List { kind, runtime, paths } = list;
    let entries = paths.into_iter().filter_map(|path| errors.ok(lower_path(kind, path))).collect();
    ListIr { kind, runtime, entries }
}

fn lower_path(kind: &Kind, mut path: ExprPath) -> Result<Entry> {
    let tokens = path.to_token_stream();
    let first = first_span(tokens.clone()).unwrap_or_else(Span::call_site);
    let last = last_span(tokens).unwrap_or(first);
    let is_nameable = path.qself.is_none() && path.path.segments.iter().all(is_nameable);
    match path.path.segments.last_mut() {
        Some(last) if !last.arguments.is_none() => {
            return Err(diag::path_has_arguments(kind, &last.arguments, &last.ident));
        }
        Some(last) => last.ident = kind.companion(&last.ident),
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
    let entries = emit_entries(ir);
    quote_spanned!(Span::mixed_site()=> { #(#errors)* #names #entries })
}

// The type says what an empty array would hold.
fn emit_entries(ir: &ListIr) -> TokenStream {
    if ir.entries.is_empty() {
        let (private, def, list) = (ir.runtime.private(), ir.kind.def(), ir.kind.local_list());
        return quote_spanned! {Span::mixed_site()=>
            let #list: [#private::#def; 0] = [];
            #list
        };
    }
    let companions = ir.entries.iter().map(|entry| &entry.companion);
    quote_spanned!(Span::mixed_site()=> [#(#companions),*])
}

fn emit_names(ir: &ListIr) -> Option<TokenStream> {
    let entries = || ir.entries.iter().filter(|entry| entry.is_nameable);
    if entries().count() < 2 {
        return None;
    }
    let private = ir.runtime.private();
    let (def, identity) = (ir.kind.def(), ir.kind.identity());
    let names = entries().map(|entry| {
        let companion = &entry.companion;
        quote_spanned!(Span::mixed_site()=> #private::#def::#identity(&#companion))
    });
    let assertions = entries().enumerate().skip(1);
    let assertions = assertions.map(|(index, entry)| emit_assertion(ir, index, entry));
    Some(quote_spanned! {Span::mixed_site()=>
        const __MCP_NAMES: &[#private::ListedName] = &#private::ListedName::all([#(#names),*]);
        #(#assertions)*
    })
}

// `const _: () = ::mcp_runtime::__private::assert_new_name(__MCP_NAMES, 1usize);`
//
// The compiler reports the failed call as a whole, so it begins and ends where the user's path does.
fn emit_assertion(ir: &ListIr, index: usize, entry: &Entry) -> TokenStream {
    let ListIr { kind, runtime, .. } = ir;
    let first = runtime.hygienic(entry.first);
    let last = runtime.hygienic(entry.last);
    let private = runtime.private_at(entry.first);
    let assert_new = Ident::new(kind.assert_new, first);
    let index = Literal::usize_suffixed(index);
    let arguments = quote_spanned!(last=> (__MCP_NAMES, #index));
    quote_spanned!(first=> const _: () = #private::#assert_new #arguments;)
}
