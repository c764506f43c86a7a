//! A part of a file, decoded while it is read: what each thread does on its own where any offset can
//! be read and nothing is damaged.
//!
//! Where the blocks of a part begin is only guessed: at the first header beyond doubt. What counts is
//! that the part before ends there. Whatever is not plain ends a part, and is read by [`super::blocks`].

use std::io;

use super::block::{BlockHeader, HEADER_BYTES};
use super::blocks::begins;
use super::decode::{Decoded, Run};
use super::guid::Guid;
use super::reading::Reading;
use super::skim::Skim;
use super::walk::Block;
use super::window::Window;

/// The blocks that begin from `begin` on, before `end`.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    pub begin: u64,
    pub end: u64,
    /// Whether a block begins at `begin`; otherwise it begins a whole number of sectors later.
    pub known: bool,
}

pub struct Outcome {
    /// Where the first block begins; None where none does.
    pub begin: Option<u64>,
    /// Behind the last block.
    pub end: u64,
    /// What follows is not plain.
    pub stopped: bool,
    pub decoded: Decoded,
    pub session_runs: Vec<Guid>,
}

enum Step {
    Plain(BlockHeader),
    /// So many bytes are needed to tell.
    More(usize),
    Stop,
}

pub fn decode_part(reading: &Reading<'_>, part: Part, window: &mut Window) -> Outcome {
    window.go_to(part.begin);
    let mut run = Run::new(reading.catalogue);
    let mut session_runs = Vec::new();
    let mut skim = Skim::default();
    // A failure to read stops the part: it comes again when its place is read by itself.
    let begins = part.known || find(reading, part, window).unwrap_or(false);
    let begin = begins.then(|| window.offset());
    let mut stopped = false;
    while begins && !stopped && window.offset() < part.end {
        let seen = reading.seen.and(run.records(), window.offset() - begin.unwrap_or_default());
        let step = match step(window, reading.sector) {
            Step::More(bytes) if reading.skim.is_some_and(|skim| seen.is_worth(skim)) => {
                match skim.block(reading, window, &mut run) {
                    Ok(Some(header)) => {
                        note(header.session_run, &mut session_runs);
                        continue;
                    }
                    Ok(None) => Step::More(bytes),
                    Err(_) => Step::Stop,
                }
            }
            step => step,
        };
        match step {
            Step::Plain(header) => {
                note(header.session_run, &mut session_runs);
                run.block(&located(window, &header));
                window.go_on(header.total as usize);
            }
            Step::More(bytes) => {
                let until = part.end + HEADER_BYTES as u64;
                stopped = window.fill(reading.source, bytes, until).is_err();
            }
            Step::Stop => stopped = true,
        }
    }
    Outcome { begin, end: window.offset(), stopped, decoded: run.finish(), session_runs }
}

fn note(session_run: Guid, session_runs: &mut Vec<Guid>) {
    if session_runs.last() != Some(&session_run) {
        session_runs.push(session_run);
    }
}

fn located<'a>(window: &'a Window, header: &BlockHeader) -> Block<'a> {
    let (block, offset) = (&window.rest()[..header.total as usize], window.offset());
    Block {
        payload: header.payload_of(block),
        block_offset: offset,
        offset: offset + u64::from(header.payload),
        sequence: header.sequence,
        cut: false,
        checksum: header.checksum,
    }
}

/// Goes to the first block that begins in the part; false where none is found.
fn find(reading: &Reading<'_>, part: Part, window: &mut Window) -> io::Result<bool> {
    let sector = usize::from(reading.sector);
    while window.offset() < part.end {
        if window.rest().len() < HEADER_BYTES {
            window.fill(reading.source, sector.max(HEADER_BYTES), part.end)?;
        }
        let rest = window.rest();
        if rest.len() < HEADER_BYTES {
            break;
        }
        let found = BlockHeader::read_plain(rest, reading.sector).is_some_and(|header| {
            let block = rest.get(..header.total as usize);
            header.is_certain(rest) && block.is_none_or(|block| header.checks(block))
        });
        if found {
            return Ok(true);
        }
        if rest.len() < sector {
            break;
        }
        window.go_on(sector);
    }
    Ok(false)
}

/// What to do with what begins here.
fn step(window: &Window, sector: u16) -> Step {
    let (rest, ended) = (window.rest(), window.ended());
    if rest.len() < HEADER_BYTES {
        return if ended { Step::Stop } else { Step::More(HEADER_BYTES) };
    }
    let Some(header) = BlockHeader::read_plain(rest, sector) else { return Step::Stop };
    let total = header.total as usize;
    if rest.len() < total + HEADER_BYTES && !ended {
        return Step::More(total + HEADER_BYTES);
    }
    let follows = |rest: &[u8]| rest.is_empty() || begins(rest, sector);
    if rest.get(total..).is_some_and(follows) { Step::Plain(header) } else { Step::Stop }
}
