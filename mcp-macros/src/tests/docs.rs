use syn::parse::Parser as _;

use super::support::{flat, tokens};

fn text(source: &str) -> String {
    let attrs = syn::Attribute::parse_outer.parse2(tokens(source));
    let text = crate::doc::text(&attrs.expect("attributes"));
    text.map_or_else(String::new, |text| flat(&text).trim_end().to_owned())
}

#[test]
fn strips_one_space_and_keeps_paragraphs() {
    assert_eq!(text("/// One.\n///\n///   Two,\n///three. "), r#""One.\n\n  Two,\nthree.""#);
}

#[test]
fn strips_stars_of_block_comment() {
    assert_eq!(text("/**\n * One.\n *\n * Two.\n */"), r#""One.\n\nTwo.""#);
}

#[test]
fn strips_indent_of_block_comment() {
    assert_eq!(text("/** One.\n\n    Two.\n      Three.\n */"), r#""One.\n\nTwo.\n  Three.""#);
}

#[test]
fn is_absent_without_text() {
    assert_eq!(text("#[doc(hidden)] #[inline]"), "");
    assert_eq!(text("///\n/// "), "");
}

#[test]
fn leaves_macros_to_the_compiler() {
    assert_eq!(
        text("/// See:\n#[doc = include_str!(\"a.md\")]\n/// End.\n///"),
        r#": : core : : concat ! ( "See:\n" , include_str ! ( "a.md" ) , "\nEnd." )"#
    );
    assert_eq!(text("#[doc = include_str!(\"a.md\")]"), r#": : core : : concat ! ( include_str ! ( "a.md" ) )"#);
}
