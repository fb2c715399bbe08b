//! How many instructions each operation takes, which neither a busy machine nor its clock changes. README.md tells more.
//!
//! The program runs itself under callgrind, twice for each operation, a few times and a few times more, so that what is done
//! once cancels out. `gungraun` can do more, but wants a program of exactly its own version to be installed first.

#![allow(clippy::expect_used, clippy::panic, reason = "a benchmark fails as a test does")]

mod operations;

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs};

use self::operations::{OPERATIONS, Operation};

/// How often an operation is done in the two runs.
const FEW: u64 = 20;
const MORE: u64 = 120;

/// What asks for memory.
const ALLOCATORS: &[&str] = &["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"];

/// The argument that asks for an operation to be done, by its name, so many times.
const REPEAT: &str = "--repeat";

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    if let [flag, name, times] = args.as_slice() {
        if flag == REPEAT {
            repeat(name, times.parse().expect("the times are a number"));
            return ExitCode::SUCCESS;
        }
    }
    let filters: Vec<&String> = args.iter().filter(|arg| !arg.starts_with('-')).collect();
    let is_wanted = |name: &str| filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str()));
    let wanted: Vec<_> = OPERATIONS.iter().filter(|operation| is_wanted(operation.name)).collect();
    // `cargo bench` passes it, and `cargo test --benches` does not: there each is done once, to see that it can be.
    if !args.iter().any(|arg| arg == "--bench") {
        for operation in wanted {
            (operation.prepare)()();
        }
        return ExitCode::SUCCESS;
    }
    if !has_valgrind() {
        eprintln!("instructions: `valgrind` is not installed, so none are counted; the times are measured without it");
        return ExitCode::SUCCESS;
    }
    report(&wanted);
    ExitCode::SUCCESS
}

fn repeat(name: &str, times: u64) {
    let operation = OPERATIONS.iter().find(|operation| operation.name == name).expect("there is such an operation");
    let mut run = (operation.prepare)();
    (0..times).for_each(|_| run());
}

fn has_valgrind() -> bool {
    let asked = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    match asked {
        Ok(status) => status.success(),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::NotFound, "valgrind cannot be run: {error}");
            false
        }
    }
}

/// What a run takes, or an operation.
struct Cost {
    instructions: u64,
    /// Calls of the allocator that ask for memory.
    allocations: u64,
}

/// Prints what the operations take, and how the instructions differ from those of the last time.
fn report(operations: &[&Operation]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("instructions");
    fs::create_dir_all(&folder).expect("the folder for what is measured can be made");
    println!("{:<20} {:>12} {:>9} {:>12}", "operation", "instructions", "change", "allocations");
    for operation in operations {
        let file = folder.join(operation.name.replace('/', "-"));
        let Cost { instructions, allocations } = measure(operation, &file.with_extension("callgrind"));
        let last = fs::read_to_string(&file).ok().and_then(|last| last.parse().ok());
        let change = last.map_or_else(|| "–".to_owned(), |last| change(last, instructions));
        println!("{:<20} {instructions:>12} {change:>9} {allocations:>12}", operation.name);
        fs::write(&file, instructions.to_string()).expect("what is measured can be kept");
    }
    println!("profiles: {}", folder.join("*.callgrind").display());
}

/// In percent, to two places.
fn change(last: u64, now: u64) -> String {
    let hundredths = (i128::from(now) - i128::from(last)) * 10_000 / i128::from(last.max(1));
    let (sign, hundredths) = (if hundredths < 0 { '-' } else { '+' }, hundredths.unsigned_abs());
    format!("{sign}{}.{:02} %", hundredths / 100, hundredths % 100)
}

/// What an operation takes. The profile of the longer run stays in the file.
fn measure(operation: &Operation, profile: &Path) -> Cost {
    let (few, more) = (profiled(operation, FEW, profile), profiled(operation, MORE, profile));
    let per_operation = |few: u64, more: u64| more.saturating_sub(few) / (MORE - FEW);
    Cost {
        instructions: per_operation(few.instructions, more.instructions),
        allocations: per_operation(few.allocations, more.allocations),
    }
}

/// What a run takes.
fn profiled(operation: &Operation, times: u64, profile: &Path) -> Cost {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--quiet"])
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(env::current_exe().expect("the program has a path"))
        .args([REPEAT, operation.name, &times.to_string()])
        .output()
        .expect("valgrind runs");
    assert!(output.status.success(), "{operation}: {}", String::from_utf8_lossy(&output.stderr));
    read(&fs::read_to_string(profile).expect("callgrind has written its profile"))
}

/// Reads a profile. What a function calls is a line `cfn=(number) name`, without the name from the second time on, and then a
/// line `calls=count …`.
fn read(profile: &str) -> Cost {
    let (mut instructions, mut allocations) = (None, 0);
    let (mut allocators, mut is_allocator) = (HashSet::new(), false);
    for line in profile.lines() {
        let Some((key, value)) = line.split_once(['=', ':']) else { continue };
        let (first, rest) = value.trim().split_once(' ').unwrap_or((value.trim(), ""));
        match key {
            "fn" | "cfn" => {
                if ALLOCATORS.contains(&rest) {
                    allocators.insert(first);
                }
                is_allocator = allocators.contains(first);
            }
            "calls" if is_allocator => allocations += first.parse::<u64>().expect("calls are counted"),
            "summary" | "totals" => instructions = first.parse().ok(),
            _ => {}
        }
    }
    Cost { instructions: instructions.expect("a profile has a total"), allocations }
}
