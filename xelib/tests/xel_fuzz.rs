//! A short run over damaged files; `examples/fuzz_xel.rs` is the long one.

mod xel_fuzzing;
mod xel_rows;
mod xel_sample;

use xel_fuzzing::{Counting, Random, Seed, TARGETS, check};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const INPUTS: usize = 500;

fn run(target: usize) {
    let mut random = Random::new(target as u64);
    let mut rows = 0;
    for seed in Seed::samples() {
        for _ in 0..INPUTS {
            rows += check(seed.damaged(target, &mut random));
        }
    }
    // Most damage costs little: a run that delivers nothing tests nothing.
    assert!(rows > INPUTS, "{}: {rows} events", TARGETS[target]);
}

#[test]
fn damaged_headers() {
    run(0);
}

#[test]
fn damaged_metadata() {
    run(1);
}

#[test]
fn damaged_data() {
    run(2);
}

#[test]
fn damage_anywhere() {
    run(3);
}

#[test]
fn every_byte_set_to_one_of_its_ends() {
    for seed in Seed::samples() {
        for (at, value) in (0..seed.bytes().len()).zip([0x00, 0xFF, 0x80].into_iter().cycle()) {
            let mut bytes = seed.bytes().to_vec();
            bytes[at] = value;
            check(bytes);
        }
    }
}
