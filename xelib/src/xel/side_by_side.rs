//! Several threads, each with blocks of its own.

use std::thread;

use super::catalogue::Catalogue;
use super::decode::{Decoded, decode};
use super::reading::Reading;
use super::run::{Outcome, Part, decode_part};
use super::walk::Block;
use super::window::Window;

/// Bytes that are worth a thread of their own.
pub const WORTH_A_THREAD: usize = 256 << 10;

/// Decodes as many runs of blocks as there are threads, each of about as many bytes.
pub fn decode_blocks(blocks: &[Block<'_>], catalogue: &Catalogue, threads: usize) -> Vec<Decoded> {
    let bytes: usize = blocks.iter().map(|block| block.payload.len()).sum();
    let threads = threads.min(bytes / WORTH_A_THREAD).max(1);
    let mut runs = Vec::new();
    let (mut rest, mut left) = (blocks, bytes);
    for threads in (1..=threads).rev() {
        let share = left / threads;
        let mut taken = 0;
        let end = rest.iter().position(|block| {
            let full = threads > 1 && taken >= share;
            taken += block.payload.len();
            full
        });
        let (run, after) = rest.split_at(end.unwrap_or(rest.len()));
        left -= run.iter().map(|block| block.payload.len()).sum::<usize>();
        runs.push(run);
        rest = after;
    }
    thread::scope(|scope| {
        let (first, others) = runs.split_first().unwrap_or((&blocks, &[]));
        let others: Vec<_> =
            others.iter().map(|run| scope.spawn(|| decode(run, catalogue))).collect();
        std::iter::once(decode(first, catalogue)).chain(others.into_iter().map(joined)).collect()
    })
}

/// Decodes every part on a thread of its own.
pub fn decode_parts(reading: &Reading<'_>, parts: &[Part], windows: &mut [Window]) -> Vec<Outcome> {
    thread::scope(|scope| {
        let mut parts = parts.iter().zip(windows);
        let first = parts.next();
        let others: Vec<_> = parts
            .map(|(&part, window)| scope.spawn(move || decode_part(reading, part, window)))
            .collect();
        let first = first.map(|(&part, window)| decode_part(reading, part, window));
        first.into_iter().chain(others.into_iter().map(joined)).collect()
    })
}

fn joined<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
