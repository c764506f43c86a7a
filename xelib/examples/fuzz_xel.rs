//! Reads damaged Extended Events files without end in sight:
//! `cargo run --release --example fuzz_xel -- INPUTS [FILE ..]`.
//!
//! Panics where the reader does, takes over a second for an input, or holds memory out of proportion
//! to it. Files are damaged beside the built-in ones; small ones make for more inputs a second.

#[path = "../tests/xel_fuzzing/mod.rs"]
mod xel_fuzzing;
#[path = "../tests/xel_rows/mod.rs"]
mod xel_rows;
#[path = "../tests/xel_sample/mod.rs"]
mod xel_sample;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use xel_fuzzing::{Counting, Random, Seed, TARGETS, check};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Inputs that a thread takes at a time; each has random numbers of its own, so that it can be repeated.
const BATCH: usize = 1_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let inputs: usize = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(100_000);
    let mut seeds = Seed::samples();
    for path in arguments {
        match std::fs::read(&path) {
            Ok(bytes) => seeds.push(Seed::new(bytes)),
            Err(error) => eprintln!("{path}: {error}"),
        }
    }
    let batches = inputs.div_ceil(BATCH);
    let (next, rows) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let batch = next.fetch_add(1, Ordering::Relaxed);
                    if batch >= batches {
                        break;
                    }
                    let mut random = Random::new(batch as u64 + 1);
                    for n in batch * BATCH..(batch + 1) * BATCH {
                        let seed = &seeds[n / TARGETS.len() % seeds.len()];
                        let bytes = seed.damaged(n % TARGETS.len(), &mut random);
                        rows.fetch_add(check(bytes), Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let (inputs, rows) = (batches * BATCH, rows.into_inner());
    println!(
        "{inputs} inputs of {} files, {rows} events: no panic, no hang, no flood",
        seeds.len()
    );
}
