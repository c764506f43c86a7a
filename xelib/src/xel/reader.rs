//! A file from its first byte to its last, in groups of blocks that are decoded side by side.

use std::{fmt, io, thread};

use super::block::BlockType;
use super::blocks::{Blocks, Extent, Located, Next, Source};
use super::catalogue::{Catalogue, Selection};
use super::decode::{Batch, Decoded, decode};
use super::error::FormatError;
use super::faults::{FaultKind, Faults};
use super::file_header::{self, FileHeader};
use super::guid::Guid;
use super::metadata;
use super::walk::Block;

#[derive(Debug, Clone)]
pub struct Options {
    pub selection: Selection,
    pub threads: usize,
    /// The file is still being written: its last block is left alone until it is whole.
    pub live: bool,
}

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

/// Bytes decoded together by each thread, and by all: what bounds memory.
const THREAD_BYTES: usize = 4 << 20;
const GROUP_BYTES: usize = 32 << 20;
/// What a thread of its own is worth.
const WORTH_A_THREAD: usize = 256 << 10;
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
        // What is pending lies in the bytes that reading ahead would let go.
        let ahead = self.threads > 1 && self.pending.is_none();
        let bytes = self.group_bytes();
        let mut ahead = if ahead { self.blocks.ahead(bytes) } else { None };
        let blocks: Vec<_> = group.iter().map(|block| self.block(block)).collect();
        let mut batches = Vec::new();
        let mut seq = self.position.seq;
        let read = ahead.as_mut().map(|ahead| || ahead.read());
        for mut decoded in decode_side_by_side(&blocks, &self.catalogue, self.threads, read) {
            decoded.number_from(seq);
            seq += decoded.records;
            batches.append(&mut decoded.batches);
            self.faults.append(decoded.faults);
        }
        self.position = match (group, &self.pending) {
            // A block that the file cuts is read again when the file has grown.
            ([cut], _) if cut.extent == Extent::Cut => {
                self.cut = true;
                Position { offset: cut.offset, ..self.position }
            }
            (_, Some(Pending::Block(next))) => Position { offset: next.offset, seq },
            _ => Position { offset: self.blocks.offset(), seq },
        };
        if let Some(ahead) = ahead {
            self.blocks.go_on(ahead);
        }
        batches
    }

    fn group_bytes(&self) -> usize {
        (self.threads * THREAD_BYTES).min(GROUP_BYTES)
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

/// Decodes as many runs of blocks as there are threads, each of about as many bytes.
fn decode_side_by_side(
    blocks: &[Block<'_>],
    catalogue: &Catalogue,
    threads: usize,
    meanwhile: Option<impl FnOnce() + Send>,
) -> Vec<Decoded> {
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
        if let Some(meanwhile) = meanwhile {
            scope.spawn(meanwhile);
        }
        let others: Vec<_> =
            others.iter().map(|run| scope.spawn(|| decode(run, catalogue))).collect();
        let mut decoded = vec![decode(first, catalogue)];
        for other in others {
            match other.join() {
                Ok(run) => decoded.push(run),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        decoded
    })
}
