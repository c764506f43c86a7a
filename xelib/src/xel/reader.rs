//! A file from its first byte to its last, in groups of blocks that are decoded side by side.

use std::sync::Arc;
use std::{fmt, io};

use super::block::BlockType;
use super::blocks::{Blocks, Extent, Located, Next};
use super::catalogue::Catalogue;
use super::decode::{Batch, Decoded};
use super::error::FormatError;
use super::faults::{FaultKind, Faults};
use super::file_header::{self, FileHeader};
use super::guid::Guid;
use super::metadata;
use super::options::{Options, Pace};
use super::reading::{Reading, Seen};
use super::run::Part;
use super::side_by_side::{WORTH_A_THREAD, decode_blocks, decode_parts};
use super::source::{ReadAt, Source};
use super::walk::Block;
use super::window::Window;

/// Where to go on in a file that grows.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Of a block, in the file.
    pub offset: u64,
    /// `_seq` of the first event there.
    pub seq: i64,
}

#[derive(Debug)]
pub enum ReadError {
    Format(FormatError),
    Io(io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(error) => error.fmt(out),
            Self::Io(error) => error.fmt(out),
        }
    }
}

/// Bytes decoded together by all threads, at most: what bounds memory.
const GROUP_BYTES: usize = 32 << 20;
/// Where no more than one in so many bytes read becomes columns, so many times more are read at a time.
const FEW: usize = 8;
const MORE: usize = 4;
/// Read at first, to reach the metadata.
const FIRST_BYTES: usize = 256 << 10;
/// Kept of the session runs met; a file has one.
const SESSION_RUNS: usize = 1000;

pub struct Reader {
    blocks: Blocks,
    header: FileHeader,
    catalogue: Catalogue,
    /// Grows when the definitions change: plans of one number are the same.
    generation: u32,
    session_runs: Vec<Guid>,
    faults: Faults,
    threads: usize,
    pace: Pace,
    /// One for each thread.
    windows: Vec<Window>,
    seen: Seen,
    /// Little comes of the bytes read.
    few: bool,
    /// Up to here, blocks are read one after the other.
    plain_from: u64,
    position: Position,
    /// The file ended inside a block.
    cut: bool,
    /// Met, but not part of the group before.
    pending: Option<Pending>,
}

enum Pending {
    Block(Located),
    File(FileHeader),
}

impl Reader {
    /// Reads the header and the metadata at the beginning.
    pub fn open(source: Box<dyn Source>, options: Options) -> Result<Self, ReadError> {
        let mut blocks = Blocks::new(source, options.live);
        blocks.fill(file_header::HEADER_BYTES)?;
        let header = FileHeader::read(blocks.rest(), 0).map_err(ReadError::Format)?;
        blocks.fill(FIRST_BYTES)?;
        blocks.enter(&header);
        let mut reader = Self {
            blocks,
            header,
            catalogue: Catalogue::new(options.selection),
            generation: 0,
            session_runs: Vec::new(),
            faults: Faults::default(),
            threads: options.threads.max(1),
            pace: options.pace,
            windows: Vec::new(),
            seen: Seen::default(),
            few: false,
            plain_from: 0,
            position: Position::default(),
            cut: false,
            pending: None,
        };
        reader.read_definitions()?;
        Ok(reader)
    }

    /// Reads up to the first block that is no metadata.
    fn read_definitions(&mut self) -> io::Result<()> {
        loop {
            self.pending = match self.blocks.next(&mut self.faults) {
                Next::More(bytes) => {
                    self.blocks.fill(bytes.max(FIRST_BYTES))?;
                    continue;
                }
                Next::Block(block) if block.header.block_type == BlockType::Metadata => {
                    self.define(&block);
                    continue;
                }
                Next::Block(block) => Some(Pending::Block(block)),
                Next::File(header) => Some(Pending::File(header)),
                Next::End => None,
            };
            self.position.offset = match &self.pending {
                Some(Pending::Block(block)) => block.offset,
                _ => self.blocks.offset(),
            };
            return Ok(());
        }
    }

    /// Goes on where an earlier reader of the same file ended.
    pub fn resume(&mut self, position: Position) -> io::Result<()> {
        if position.offset > self.position.offset {
            self.pending = None;
            self.faults = Faults::default();
            self.blocks.skip_to(position.offset)?;
            self.position = position;
        }
        Ok(())
    }

    /// Decodes the next group of blocks: batches in the order of their first events, none where
    /// nothing of the group is wanted. None at the end.
    pub fn next_group(&mut self) -> io::Result<Option<Vec<Batch>>> {
        if let Some((source, offset)) = self.plain_here()
            && let Some(batches) = self.next_parts(&*source, offset)?
        {
            return Ok(Some(batches));
        }
        self.next_blocks()
    }

    /// Where blocks may be plain, and can be read by every thread on its own.
    fn plain_here(&self) -> Option<(Arc<dyn ReadAt>, u64)> {
        let offset = match &self.pending {
            Some(Pending::Block(block)) if is_data(block) => block.offset,
            None if !self.blocks.in_damage() => self.blocks.offset(),
            _ => return None,
        };
        let source = self.blocks.positioned().filter(|_| offset >= self.plain_from)?;
        Some((source, offset))
    }

    /// Decodes blocks as long as they are plain; None where the first is not.
    fn next_parts(&mut self, source: &dyn ReadAt, offset: u64) -> io::Result<Option<Vec<Batch>>> {
        let left = source.size()?.saturating_sub(offset);
        let most = self.threads as u64;
        let threads = most.min(left / WORTH_A_THREAD.min(self.pace.run) as u64).max(1);
        let reach = if self.few { MORE * self.pace.run } else { self.pace.run };
        let reach = left.div_ceil(threads).min(reach.min(GROUP_BYTES / self.threads) as u64);
        // Blocks are looked for in whole sectors from the first.
        let reach = reach.next_multiple_of(self.blocks.sector().into());
        let parts: Vec<_> = (0..threads)
            .map(|n| Part {
                begin: offset + n * reach,
                end: offset + (n + 1) * reach,
                known: n == 0,
            })
            .collect();
        self.windows.resize_with(self.threads, Window::default);
        let reading = Reading {
            source,
            catalogue: &self.catalogue,
            sector: self.blocks.sector(),
            skim: self.catalogue.selection().events.as_ref().map(|_| self.pace.skim),
            seen: self.seen,
        };
        let outcomes = decode_parts(&reading, &parts, &mut self.windows);
        let (mut at, mut stopped) = (offset, false);
        let (mut batches, mut filled) = (Vec::new(), 0);
        for (part, outcome) in parts.iter().zip(outcomes) {
            // A block across the whole part; or a beginning that was guessed wrong.
            if outcome.begin != Some(at) {
                if outcome.begin.is_none() && at >= part.end {
                    continue;
                }
                break;
            }
            filled += outcome.decoded.bytes();
            self.seen.records += outcome.decoded.records.unsigned_abs();
            self.seen.bytes += outcome.end - at;
            (at, stopped) = (outcome.end, outcome.stopped);
            outcome.session_runs.into_iter().for_each(|run| self.note_run(run));
            self.deliver(outcome.decoded, &mut batches);
            if stopped {
                break;
            }
        }
        if stopped {
            // What the other threads did for nothing must not be more than what is read.
            self.plain_from = at + reach * threads;
        }
        if at == offset {
            return Ok(None);
        }
        self.few = filled < (at - offset) as usize / FEW;
        self.pending = None;
        self.blocks.skip_to(at)?;
        self.position.offset = at;
        Ok(Some(batches))
    }

    fn next_blocks(&mut self) -> io::Result<Option<Vec<Batch>>> {
        let bytes = self.group_bytes();
        if self.pending.is_none() {
            self.blocks.release();
        }
        self.blocks.fill(bytes)?;
        let mut group = Vec::new();
        loop {
            let next = match self.pending.take() {
                Some(pending) => pending,
                None => match self.blocks.next(&mut self.faults) {
                    Next::Block(block) => Pending::Block(block),
                    Next::File(header) => Pending::File(header),
                    Next::More(needed) if group.is_empty() => {
                        self.blocks.release();
                        self.blocks.fill(needed.max(bytes))?;
                        continue;
                    }
                    Next::More(_) | Next::End => break,
                },
            };
            match next {
                Pending::Block(block) if is_data(&block) => {
                    if block.extent == Extent::Cut && !group.is_empty() {
                        self.pending = Some(Pending::Block(block));
                        break;
                    }
                    group.push(block);
                }
                // Definitions hold for the blocks after them.
                next if !group.is_empty() => {
                    self.pending = Some(next);
                    break;
                }
                Pending::Block(block) => self.define(&block),
                Pending::File(header) => self.enter(&header),
            }
        }
        if group.is_empty() {
            if !self.cut {
                self.position.offset = self.blocks.offset();
            }
            return Ok(None);
        }
        Ok(Some(self.decode(&group)))
    }

    fn decode(&mut self, group: &[Located]) -> Vec<Batch> {
        for block in group {
            self.note_run(block.header.session_run);
        }
        let blocks: Vec<_> = group.iter().map(|block| self.block(block)).collect();
        let (mut batches, before) = (Vec::new(), self.position.seq);
        for decoded in decode_blocks(&blocks, &self.catalogue, self.threads) {
            self.deliver(decoded, &mut batches);
        }
        let seq = self.position.seq;
        self.position = match (group, &self.pending) {
            // A block that the file cuts is read again when the file has grown.
            ([cut], _) if cut.extent == Extent::Cut => {
                self.cut = true;
                Position { offset: cut.offset, seq: before }
            }
            (_, Some(Pending::Block(next))) => Position { offset: next.offset, seq },
            _ => Position { offset: self.blocks.offset(), seq },
        };
        batches
    }

    /// Numbers what follows everything before.
    fn deliver(&mut self, mut decoded: Decoded, batches: &mut Vec<Batch>) {
        decoded.number_from(self.position.seq);
        self.position.seq += decoded.records;
        batches.append(&mut decoded.batches);
        self.faults.append(decoded.faults);
    }

    fn group_bytes(&self) -> usize {
        (self.threads * self.pace.run).min(GROUP_BYTES)
    }

    fn block(&self, block: &Located) -> Block<'_> {
        Block {
            payload: self.blocks.bytes(&block.payload),
            block_offset: block.offset,
            offset: self.blocks.offset_of(block.payload.start),
            sequence: block.header.sequence,
            cut: block.extent != Extent::Whole,
            checksum: block.header.checksum,
        }
    }

    fn define(&mut self, block: &Located) {
        let mut faults = Faults::default();
        let located = self.block(block);
        located.check(&mut faults);
        let (packages, errors) = metadata::read(located.payload, located.offset);
        self.faults.append(faults);
        for error in errors {
            self.faults.add(FaultKind::BadMetadata, error.offset, &error);
        }
        for package in packages {
            self.note_run(package.session_run);
            for name in self.catalogue.add(package) {
                let what = format!("another definition of {name}; the first counts");
                self.faults.add(FaultKind::Redefined, block.offset, what);
            }
        }
        self.generation += 1;
    }

    /// A second file has definitions of its own.
    fn enter(&mut self, header: &FileHeader) {
        let what = "another file begins here";
        self.faults.add(FaultKind::SecondFile, self.blocks.offset(), what);
        self.blocks.enter(header);
        self.catalogue = Catalogue::new(self.catalogue.selection().clone());
        self.generation += 1;
    }

    fn note_run(&mut self, run: Guid) {
        let known = run.is_zero() || self.session_runs.contains(&run);
        if !known && self.session_runs.len() < SESSION_RUNS {
            self.session_runs.push(run);
        }
    }

    pub fn header(&self) -> &FileHeader {
        &self.header
    }

    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    pub fn generation(&self) -> u32 {
        self.generation
    }

    pub fn session_runs(&self) -> &[Guid] {
        &self.session_runs
    }

    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Where a later reader of the same file goes on.
    pub fn position(&self) -> Position {
        self.position
    }
}

fn is_data(block: &Located) -> bool {
    block.header.block_type == BlockType::Data
}
