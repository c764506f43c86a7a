//! From the bytes of a file to series and rows.

use super::buffers::{HEADER, Splitter, buffer_size};
use super::clock::Offset;
use super::error::Refused;
use super::faults::{Fault, Faults};
use super::log::Log;
use super::long::{Plan, Values};
use super::options::Options;
use super::series::Series;
use super::trace_header::TraceHeader;
use crate::bytes::i64_at;

/// Decodes a log that is fed in blocks of any size.
#[derive(Debug)]
pub struct Decoder {
    options: Options,
    head: Vec<u8>,
    splitter: Splitter,
    log: Log,
    /// Order of the buffers by time, once the file has been surveyed.
    survey: Option<Vec<(i64, u64)>>,
}

impl Decoder {
    pub fn new(options: Options) -> Self {
        let log = Log::new(options.clone());
        Self { options, head: Vec::new(), splitter: Splitter::default(), log, survey: None }
    }

    /// Decodes the next bytes of the file.
    pub fn feed(&mut self, block: &[u8]) -> Result<(), Refused> {
        if self.splitter.size > 0 {
            return self.feed_buffers(block);
        }
        self.head.extend_from_slice(block);
        if self.head.len() < HEADER + 4 {
            return Ok(());
        }
        self.splitter.size = self.size_of_buffers()?;
        let head = std::mem::take(&mut self.head);
        self.feed_buffers(&head)
    }

    fn size_of_buffers(&self) -> Result<usize, Refused> {
        buffer_size(&self.head).ok_or_else(|| Refused {
            what: "no event trace",
            offset: 0,
            need: "a buffer size and the event of a trace header".into(),
            have: format!("{:02x?}", &self.head[..self.head.len().min(8)]),
        })
    }

    fn feed_buffers(&mut self, block: &[u8]) -> Result<(), Refused> {
        let Self { splitter, log, survey, .. } = self;
        let size = splitter.size;
        splitter.feed(block, |bytes, offset| {
            log.seen += bytes.len() as u64;
            log.buffers += 1;
            match survey {
                Some(order) => log.survey_buffer(bytes, size, offset, order),
                None => log.read_buffer(bytes, size, offset),
            }
        })
    }

    /// Decodes one whole buffer that lies at `offset`: buffers of a circular log come in the order
    /// of their times.
    pub fn feed_buffer(&mut self, bytes: &[u8], offset: u64) -> Result<(), Refused> {
        let size = if self.splitter.size > 0 {
            self.splitter.size
        } else {
            self.head = bytes.to_vec();
            self.splitter.size = self.size_of_buffers()?;
            self.splitter.size
        };
        self.log.seen += bytes.len() as u64;
        self.log.buffers += 1;
        self.log.read_buffer(bytes, size, offset)
    }

    /// From here on only names and the order of buffers are taken, until [`Decoder::end_survey`].
    pub fn begin_survey(&mut self) {
        self.survey = Some(Vec::new());
    }

    /// Ends the survey: gives the places of the buffers in the order of their times, and makes
    /// ready for [`Decoder::feed_buffer`].
    pub fn end_survey(&mut self) -> Vec<u64> {
        let rest = self.splitter.rest();
        let mut order = self.survey.take().unwrap_or_default();
        if rest.len() > HEADER {
            let written = i64_at(&rest, 0x10).unwrap_or_default();
            order.push((written, self.splitter.offset));
        }
        // The first buffer holds the header of the trace and stays in front.
        if let Some((_, later)) = order.split_first_mut() {
            if !later.is_sorted_by_key(|(written, _)| *written) {
                self.log.faults.add(Fault::AssumedCircularOrder, 0);
            }
            later.sort_by_key(|(written, _)| *written);
        }
        self.log.is_surveyed = self.log.has_catalogue;
        self.log.seen = 0;
        self.log.buffers = 0;
        order.into_iter().map(|(_, offset)| offset).collect()
    }

    /// Tells that the file has ended.
    pub fn finish(&mut self) -> Result<(), Refused> {
        if self.splitter.size == 0 {
            self.splitter.size = self.size_of_buffers()?;
        }
        let rest = self.splitter.rest();
        if !rest.is_empty() {
            let at = self.splitter.offset;
            self.log.seen += rest.len() as u64;
            self.log.faults.add(Fault::TornBuffer, at + rest.len() as u64);
            if rest.len() > HEADER {
                self.log.read_buffer(&rest, self.splitter.size, at)?;
            }
        }
        self.log.finish(self.splitter.offset + rest.len() as u64)
    }

    pub fn header(&self) -> Option<&TraceHeader> {
        self.log.header.as_ref()
    }

    pub fn buffer_bytes(&self) -> usize {
        self.splitter.size
    }

    pub fn offsets(&self) -> &[Offset] {
        self.log.offsets.changes()
    }

    pub fn faults(&self) -> &Faults {
        &self.log.faults
    }

    /// The series that are new since the last time.
    pub fn take_series(&mut self) -> Vec<Series> {
        self.log.registry.take_fresh()
    }

    pub fn values(&self) -> Values {
        self.options.values
    }

    pub fn held_rows(&self) -> usize {
        self.log.rows.held()
    }

    pub fn held_cells(&self) -> usize {
        self.log.rows.held_cells()
    }

    pub fn first_row(&self) -> usize {
        self.log.rows.first_row()
    }

    /// Local times of the rows held, microseconds since 1970.
    pub fn times(&self) -> &[i64] {
        self.log.rows.times()
    }

    /// The rows held, ready to be written in long form.
    pub fn plan(&self) -> Plan<'_> {
        self.log.rows.plan(self.log.registry.count())
    }

    pub fn drop_held(&mut self) {
        self.log.rows.clear();
    }
}
