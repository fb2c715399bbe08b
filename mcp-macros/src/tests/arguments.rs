use super::support::{assert_errors, assert_form_of_messages, assert_snapshot, contains, errors, expand};

const KEYS: &str = "the keys are `default`, `rename`, `range`, `len`, `pattern`, `description`, `example`, `header`";

#[track_caller]
fn check_inputs(inputs: &str, expected: &[(&str, &str, &str)]) {
    assert_errors(expand("", &format!("fn f({inputs}) {{}}")), expected);
}

#[track_caller]
fn check_keys(keys: &str, underlined: &str, what: &str, help: &str) {
    check_inputs(&format!("#[arg({keys})] a: u8"), &[(underlined, what, help)]);
}

/// What the closure of parameters calls for a parameter with these attributes.
#[track_caller]
fn assert_calls(input: &str, calls: &str) {
    let output = expand("", &format!("fn f({input}) {{}}"));
    assert_eq!(errors(output.clone()), [""; 0]);
    assert!(contains(&output, &format!("__mcp_params{calls};")), "{output}");
}

#[test]
fn expands_defaulted_and_ranged_parameters() {
    let output = expand(
        "",
        "fn order_status(
            /// Not this text.
            #[arg(description = ABOUT, default = \"PT-1\", len = 1..=80, pattern = \"^[A-Z]\", header = \"Order\")]
            order_id: &str,
            /// How many past events to include.
            #[arg(default = 3, range = 0..=20, example = 5, example = MANY)]
            #[arg(rename = \"events\")]
            history: u8,
        ) {}",
    );
    assert_snapshot("arguments", &output);
}

#[test]
fn expands_whole_arguments_object() {
    let output = expand("", "async fn run(ctx: &Context, /** Not shown. */ #[args] op: Operation) {}");
    assert_snapshot("whole_arguments", &output);
}

#[test]
fn emits_each_end_of_a_range() {
    for (range, calls) in [
        ("0..=20", ".at_least(0).at_most(20)"),
        ("..20", ".less_than(20)"),
        ("..=20", ".at_most(20)"),
        ("0..", ".at_least(0)"),
        ("-5..=-1", ".at_least(-5).at_most(-1)"),
        ("LOW..m::high(0..1)", ".at_least(LOW).less_than(m::high(0..1))"),
        ("0.5..=1.5", ".at_least(0.5).at_most(1.5)"),
        ("0..0.5", ".at_least(0).less_than(0.5)"),
    ] {
        assert_calls(&format!("#[arg(range = {range})] a: u8"), &format!(".taken::<u8>(\"a\"){calls}"));
    }
    for (len, calls) in [
        ("5", ".min_len(5).__mcp_max_len(5)"),
        ("MAX", ".min_len(MAX).__mcp_max_len(MAX)"),
        ("1..=80", ".min_len(1).__mcp_max_len(80)"),
        ("1..80", ".min_len(1).__mcp_shorter_than(80)"),
        ("1..", ".min_len(1)"),
        ("..80", ".shorter_than(80)"),
        ("..=0", ".max_len(0)"),
    ] {
        assert_calls(&format!("#[arg(len = {len})] a: &str"), &format!(".lent::<str>(\"a\"){calls}"));
    }
}

#[test]
fn takes_a_value_that_follows_without_a_space() {
    assert_calls("#[arg(range=-5..=5)] a: i8", ".taken::<i8>(\"a\").at_least(-5).at_most(5)");
    assert_calls("#[arg(default=-1)] a: i8", ".taken::<i8>(\"a\").__mcp_default(|| -1)");
    assert_calls("#[arg(default=&WORDS)] a: &[u8]", ".lent::<[u8]>(\"a\").__mcp_default(|| &WORDS)");
    assert_calls("#[arg(len=..10)] a: &str", ".lent::<str>(\"a\").shorter_than(10)");
    assert_calls("#[arg(default=<u8>::MAX)] a: u8", ".taken::<u8>(\"a\").__mcp_default(|| <u8>::MAX)");
}

#[test]
fn makes_defaults_and_examples_later() {
    for (keys, calls) in [
        ("default", ".__mcp_default(::core::default::Default::default)"),
        ("default = once()", ".__mcp_default(|| once())"),
        ("default = \"once\"", ".__mcp_default(|| ::mcp_runtime::__private::text(\"once\"))"),
        ("example = Pair { a: 1, b: 2 }", ".__mcp_example(|| Pair { a: 1, b: 2 })"),
        (
            "example = \"x\", example = b\"y\"",
            ".__mcp_example(|| ::mcp_runtime::__private::text(\"x\")).__mcp_example(|| b\"y\")",
        ),
    ] {
        assert_calls(&format!("#[arg({keys})] a: u8"), &format!(".taken::<u8>(\"a\"){calls}"));
    }
}

#[test]
fn imports_fallback_only_where_it_is_needed() {
    let fallbacks = "{ParamUnshown as _, ParamUnsupported as _}";
    let needs = |keys: &str| contains(&expand("", &format!("fn f(#[arg({keys})] a: u8) {{}}")), fallbacks);
    for keys in ["default", "example = 3", "range = 0..", "len = 5", "pattern = A"] {
        assert!(needs(keys), "{keys}");
    }
    assert!(!needs("description = A, header = \"C\", rename = \"d\""));
}

#[test]
fn reports_key_that_is_not_known() {
    let what = |key| format!("unknown `#[arg]` key `{key}`");
    check_keys("desc = \"x\"", "desc", &what("desc"), &format!("write `description`; {KEYS}"));
    check_keys("length = 5", "length", &what("length"), &format!("write `len`; {KEYS}"));
    check_keys("in_impl", "in_impl", &what("in_impl"), KEYS);
    let elsewhere = KEYS.replace("the keys are", "write it in the `#[tool]` of the function; the keys here are");
    check_keys("timeout = 3", "timeout", &what("timeout"), &elsewhere);
    check_inputs(
        "#[arg(default)] #[arg(range = 0.., default = 3)] a: u8",
        &[("default", "`default` is given twice", "remove one of them")],
    );
}

#[test]
fn reports_value_that_is_no_range() {
    let what = "`range` takes a range with at least one end";
    let help = "write `range = 0..=20`, `range = 0..` or `range = ..=20`";
    for value in ["5", "..", "0..=", "..=", "0...5", "0. .5", "\"0..5\"", "(0..5)"] {
        check_keys(&format!("range = {value}"), value, what, help);
    }
    check_keys("range", "range", what, help);
    check_keys("range =", "=", what, help);
    let what = "`len` takes a length, or a range with at least one end";
    let help = "write `len = 5`, `len = 1..=80` or `len = 1..`";
    check_keys("len = ..", "..", what, help);
    check_keys("len(1)", "(1)", what, help);
}

#[test]
fn reports_range_without_a_value() {
    for range in ["20..=0", "5..5", "0..-1", "1.5..=1", "0x10..0b1", "0..=-0.5", "340282366920938463463..1"] {
        check_keys(
            &format!("range = {range}"),
            range,
            &format!("no value is inside of `{range}`"),
            "write the lower end first, and `..=` before an end that is inside, as in `range = 1..=20`",
        );
    }
    for len in ["..0", "-1", "3..=2"] {
        check_keys(
            &format!("len = {len}"),
            len,
            &format!("no length is inside of `{len}`"),
            "write the lower end first, and `..=` before an end that is inside, as in `len = 1..=80`",
        );
    }
    for range in ["5..=5", "0..1", "-1..=0", "HIGH..=0", "20..=f(0)", "0..0.5"] {
        check_inputs(&format!("#[arg(range = {range})] a: u8"), &[]);
    }
}

#[test]
fn reports_literal_outside_of_its_bounds() {
    for (keys, value, what, bounds) in [
        ("default = 30, range = 0..=20", "30", "default `30`", "range = 0..=20"),
        ("range = ..20, default = 20", "20", "default `20`", "range = ..20"),
        ("range = 0.., default = -1", "-1", "default `-1`", "range = 0.."),
        ("range = 0.., example = 1, example = -0.5", "-0.5", "example `-0.5`", "range = 0.."),
        ("len = 1..=80, default = \"\"", "\"\"", "default with 0 characters", "len = 1..=80"),
        ("len = ..=3, default = \"größe\"", "\"größe\"", "default with 5 characters", "len = ..=3"),
    ] {
        let key = &bounds[..bounds.find(' ').unwrap_or(0)];
        check_keys(
            keys,
            value,
            &format!("the {what} is outside of `{bounds}`"),
            &format!("write a value that a call may send, or change `{key}`"),
        );
    }
    for keys in ["default = 20, range = 0..=20", "default = MANY, range = 0..=20", "default = \"größe\", len = 5"] {
        check_inputs(&format!("#[arg({keys})] a: u8"), &[]);
    }
}

#[test]
fn reports_second_parameter_of_one_name() {
    let help = "rename one of them";
    check_inputs("kind: u8, r#kind: u8", &[("r#kind", "two tool parameters are named `kind`", help)]);
    check_inputs("a: u8, #[arg(rename = \"a\")] b: u8", &[("\"a\"", "two tool parameters are named `a`", help)]);
    check_inputs("#[arg(rename = \"b\")] a: u8, #[arg(rename = \"a\")] b: u8", &[]);
    // What is injected has no name on the wire.
    check_inputs("#[arg(rename = \"state\")] us_state: u8, state: State<Db>", &[]);
    check_inputs("context: &mcp_runtime::Context, #[arg(rename = \"context\")] a: u8", &[]);
    check_keys(
        "rename = \"\"",
        "\"\"",
        "the name of an argument cannot be empty",
        "remove it to use the name of the parameter",
    );
}

#[test]
fn reports_header_that_cannot_be_one() {
    let help = "write letters, digits and `-`, as in `header = \"Region\"`";
    for header in ["\"\"", "\"My Region\"", "\"a:b\"", "\"größe\""] {
        check_keys(&format!("header = {header}"), header, "this cannot be the name of a header", help);
    }
    check_inputs(
        "#[arg(header = \"Region\")] a: u8, #[arg(header = \"region\")] b: u8",
        &[("\"region\"", "two tool parameters have the header `region`", "give one of them another header")],
    );
}

#[test]
fn reports_completion_of_a_tool() {
    let what = "`complete` is for the arguments of prompts and of resources";
    for keys in ["complete = cities", "complete"] {
        check_keys(keys, "complete", what, "remove it; clients complete no arguments of tools");
    }
    let unknown = "the keys are `name`, `title`, `description`, `read_only`, `destructive`, `idempotent`, `open_world`, \
        `icon`, `meta`, `blocking`, `timeout`, `crate`";
    assert_errors(
        expand("complete = cities", "fn f() {}"),
        &[("complete", "unknown `#[tool]` key `complete`", unknown)],
    );
}

#[test]
fn reports_attributes_of_derive_macros_with_our_keys() {
    let remove = "remove it, or take a type of your own that has it";
    let what = |key| format!("a tool parameter cannot have `#[{key}]`");
    check_inputs(
        "#[serde(default, rename = \"wire\", alias = \"b\", flatten)]
         #[schemars(range(min = 1), length(max = 5), regex(pattern = X), example = f(), description = \"d\", title = \"t\")]
         a: u8,
         #[serde(default = \"m::once\")] b: u8",
        &[
            ("default", &what("serde(default)"), "write `#[arg(default)]`"),
            ("rename", &what("serde(rename)"), "write `#[arg(rename = \"wire\")]`"),
            ("alias", &what("serde(alias)"), remove),
            ("flatten", &what("serde(flatten)"), "write `#[args]`"),
            ("range", &what("schemars(range)"), "write `#[arg(range = 0..=20)]`"),
            ("length", &what("schemars(length)"), "write `#[arg(len = 1..=80)]`"),
            ("regex", &what("schemars(regex)"), "write `#[arg(pattern = \"…\")]`"),
            ("example", &what("schemars(example)"), "write `#[arg(example = …)]`"),
            ("description", &what("schemars(description)"), "write `#[arg(description = \"…\")]`"),
            ("title", &what("schemars(title)"), remove),
            ("default", &what("serde(default)"), "write `#[arg(default = m::once())]`"),
        ],
    );
    let nothing = "this attribute does nothing on a tool parameter";
    let help = "write `#[arg(…)]`; the other works inside of types";
    check_inputs(
        "#[serde] a: u8, #[schemars()] b: u8, #[serde(3)] c: u8",
        &[("#[serde]", nothing, help), ("#[schemars()]", nothing, help), ("3", nothing, help)],
    );
}

#[test]
fn reports_attributes_that_are_not_known() {
    check_inputs(
        "#[geo::unit] #[deny(x)] a: u8",
        &[(
            "#[geo::unit]",
            "unknown attribute `#[geo::unit]` on a tool parameter",
            "remove it; `#[arg(…)]`, `#[args]`, doc comments, `#[cfg]` and attributes of lints are known here",
        )],
    );
}

#[test]
fn reports_attributes_of_our_own_without_sense() {
    let no_keys = ("this `#[arg]` has no keys", "write `#[arg(key = value)]`, or remove it");
    let takes_no_keys =
        ("`#[args]` takes no keys", "write `#[args]`; what the arguments are is said inside of the parameter's type");
    check_inputs(
        "#[arg] a: u8, #[arg()] b: u8, #[args(x)] c: u8",
        &[
            ("#[arg]", no_keys.0, no_keys.1),
            ("#[arg()]", no_keys.0, no_keys.1),
            ("x", takes_no_keys.0, takes_no_keys.1),
        ],
    );
    check_inputs(
        "#[args] #[arg(default)] #[args] a: u8, #[args] b: u8",
        &[
            ("#[args]", "`#[args]` is given twice", "remove one of them"),
            (
                "#[arg(default)]",
                "a parameter with `#[args]` cannot have `#[arg]`",
                "remove it; what the arguments are is said inside of the parameter's type",
            ),
            (
                "#[args]",
                "two tool parameters have `#[args]`",
                "remove one of them; the parameter that has it takes all arguments",
            ),
        ],
    );
    check_inputs(
        "#[arg(default)] &self",
        &[("#[arg(default)]", "a receiver cannot have `#[arg]`", "remove it; a receiver is no argument of a call")],
    );
}

#[test]
fn keeps_form_of_messages() {
    let output = expand(
        "",
        "fn f(#[arg] &self, #[arg(x, range = 5, len = ..0, default = 3, range = 0.., rename = \"\", header = \"\")] a: u8,
            #[args(x)] #[arg(range = 5..3)] #[serde(default, x)] #[x] a: u8, #[args] #[args] b: u8) {}",
    );
    assert_eq!(errors(output.clone()).len(), 15);
    assert_form_of_messages(output);
}
