//! Events and buffers, one after the other: what they name, and the samples that they carry.

use super::buffers::{Buffer, buffer};
use super::catalogue::{Pieces, Taken, read_items};
use super::clock::{Offsets, has_utc, micros};
use super::context::Context;
use super::error::Refused;
use super::events::{Event, Events, PdhEvent};
use super::faults::{Fault, Faults};
use super::glob::Filter;
use super::long::Rows;
use super::options::Options;
use super::sample::{ItemReader, read_sample};
use super::series::Registry;
use super::string_table::StringTables;
use super::trace_header::TraceHeader;

const CATALOGUE: u8 = 0x20;
const SAMPLE: u8 = 0x22;
const SUMMARY: u8 = 0x23;
const STRING_TABLE: u8 = 0x24;
/// No sample of any machine comes near it.
const LARGEST_SAMPLE: usize = 256 << 20;

/// A sample whose pieces are being gathered.
#[derive(Debug, Default)]
struct Gathering {
    body: Vec<u8>,
    time: i64,
    next: u32,
    of: u32,
    at: u64,
    /// Time of the last sample that was told to be torn: its other pieces are no more news.
    torn: Option<i64>,
}

/// A log as it is read: everything that its events change.
#[derive(Debug)]
pub struct Log {
    options: Options,
    pub header: Option<TraceHeader>,
    pieces: Pieces,
    names: StringTables,
    items: Vec<ItemReader>,
    pub has_catalogue: bool,
    pub is_surveyed: bool,
    gathering: Gathering,
    /// The last sample before the wanted time: rates of the first wanted one need it.
    skipped: Option<(Vec<u8>, i64, u64)>,
    pub registry: Registry,
    pub rows: Rows,
    pub offsets: Offsets,
    pub faults: Faults,
    sample: u32,
    first_sample: u32,
    pub seen: u64,
    pub buffers: u64,
    pdh_events: u64,
}

impl Log {
    pub fn new(options: Options) -> Self {
        let filter = Filter::new(&options.counters);
        Self {
            registry: Registry::new(filter, options.order.clone()),
            rows: Rows::new(options.values),
            options,
            header: None,
            pieces: Pieces::default(),
            names: StringTables::default(),
            items: Vec::new(),
            has_catalogue: false,
            is_surveyed: false,
            gathering: Gathering::default(),
            skipped: None,
            offsets: Offsets::default(),
            faults: Faults::default(),
            sample: 1,
            first_sample: 2,
            seen: 0,
            buffers: 0,
            pdh_events: 0,
        }
    }

    fn used<'a>(&mut self, bytes: &'a [u8], size: usize, offset: u64) -> Option<(i64, &'a [u8])> {
        match buffer(bytes, size) {
            Buffer::Good(header) => Some((header.written, &bytes[..header.used])),
            Buffer::Unwritten => {
                self.faults.add(Fault::UnwrittenBuffer, offset);
                None
            }
            Buffer::Bad => {
                self.faults.add(Fault::BadBuffer, offset);
                None
            }
        }
    }

    pub fn survey_buffer(
        &mut self,
        bytes: &[u8],
        size: usize,
        offset: u64,
        order: &mut Vec<(i64, u64)>,
    ) -> Result<(), Refused> {
        let header = match buffer(bytes, size) {
            Buffer::Good(header) => header,
            // Kept in its place: the reading that follows tells of it.
            _ => {
                order.push((order.last().map_or(0, |(written, _)| *written), offset));
                return Ok(());
            }
        };
        order.push((header.written, offset));
        for (at, event) in Events::new(&bytes[..header.used]) {
            match event {
                Some(Event::TraceHeader(payload)) => self.read_header(payload),
                Some(Event::Pdh(event)) if event.kind != SAMPLE => {
                    self.read_event(&event, offset + at as u64)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub fn read_buffer(&mut self, bytes: &[u8], size: usize, offset: u64) -> Result<(), Refused> {
        let Some((_, used)) = self.used(bytes, size, offset) else { return Ok(()) };
        for (at, event) in Events::new(used) {
            let at = offset + at as u64;
            match event {
                Some(Event::TraceHeader(payload)) => self.read_header(payload),
                Some(Event::Pdh(event)) => {
                    self.pdh_events += 1;
                    if !self.is_surveyed || event.kind == SAMPLE {
                        self.read_event(&event, at)?;
                    }
                }
                Some(Event::Foreign) => self.faults.add(Fault::ForeignEvent, at),
                None => self.faults.add(Fault::BadEvent, at),
            }
        }
        Ok(())
    }

    fn read_header(&mut self, payload: &[u8]) {
        if self.header.is_none() {
            self.header = TraceHeader::read(payload);
        }
    }

    fn read_event(&mut self, event: &PdhEvent<'_>, at: u64) -> Result<(), Refused> {
        match event.kind {
            SAMPLE => self.gather(event, at)?,
            CATALOGUE => self.read_catalogue(event, at),
            STRING_TABLE => {
                if !self.names.add(event.body) {
                    self.faults.add(Fault::BadStringTable, at);
                }
            }
            // Repeats what the samples say, and is missing where the logger was killed.
            SUMMARY => {}
            _ => self.faults.add(Fault::UnknownEvent, at),
        }
        Ok(())
    }

    fn read_catalogue(&mut self, event: &PdhEvent<'_>, at: u64) {
        if event.pieces > 1 {
            self.faults.add_once(Fault::AssumedCataloguePieces, at);
        }
        let body = match self.pieces.take(event.piece, event.pieces, event.body) {
            Taken::Whole(body) => body,
            Taken::Waiting => return,
            Taken::OutOfOrder => return self.faults.add(Fault::BadCatalogue, at),
        };
        let (items, is_whole) = read_items(&body);
        if !is_whole {
            self.faults.add(Fault::BadCatalogue, at);
        }
        if self.has_catalogue {
            self.faults.add(Fault::AssumedNewCatalogue, at);
            self.registry.renew();
            self.first_sample = self.sample + 1;
        }
        self.has_catalogue = true;
        let readers = items.into_iter().enumerate();
        self.items = readers.map(|(number, item)| ItemReader::new(number, item)).collect();
    }

    fn gather(&mut self, event: &PdhEvent<'_>, at: u64) -> Result<(), Refused> {
        let gathering = &mut self.gathering;
        let follows = event.piece == gathering.next
            && event.pieces == gathering.of
            && event.time == gathering.time;
        if event.piece == 1 {
            if gathering.next > 0 {
                self.faults.add(Fault::TornSample, gathering.at);
            }
            if event.pieces <= 1 {
                gathering.next = 0;
                return self.read_whole(event.body, event.time, at);
            }
            gathering.body.clear();
            gathering.body.extend_from_slice(event.body);
            *gathering = Gathering {
                body: std::mem::take(&mut gathering.body),
                time: event.time,
                next: 2,
                of: event.pieces,
                at,
                torn: None,
            };
            return Ok(());
        }
        if !follows || gathering.body.len() + event.body.len() > LARGEST_SAMPLE {
            if gathering.next > 0 && gathering.time != event.time {
                self.faults.add(Fault::TornSample, gathering.at);
            }
            if gathering.torn != Some(event.time) {
                let is_seam = self.is_surveyed && self.sample < self.first_sample;
                let fault = if is_seam { Fault::AssumedOverwritten } else { Fault::TornSample };
                self.faults.add(fault, at);
            }
            gathering.torn = Some(event.time);
            gathering.next = 0;
            return Ok(());
        }
        gathering.body.extend_from_slice(event.body);
        gathering.next += 1;
        if gathering.next <= gathering.of {
            return Ok(());
        }
        gathering.next = 0;
        let (body, time, at) = (std::mem::take(&mut gathering.body), gathering.time, gathering.at);
        let read = self.read_whole(&body, time, at);
        self.gathering.body = body;
        read
    }

    fn read_whole(&mut self, body: &[u8], time: i64, at: u64) -> Result<(), Refused> {
        let Some(local) = micros(time) else {
            self.faults.add(Fault::BadTime, at);
            return Ok(());
        };
        if !self.has_catalogue {
            self.faults.add(Fault::NoCatalogue, at);
            return Ok(());
        }
        if self.options.begin.is_some_and(|begin| local < begin)
            || self.options.end.is_some_and(|end| local > end)
        {
            let mut kept = self.skipped.take().map(|(kept, ..)| kept).unwrap_or_default();
            kept.clear();
            kept.extend_from_slice(body);
            self.skipped = Some((kept, local, at));
            return Ok(());
        }
        if let Some((skipped, local, at)) = self.skipped.take() {
            self.read_sample(&skipped, local, at)?;
            self.rows.drop_row();
        }
        if self.read_sample(body, local, at)? {
            if !has_utc(local) {
                self.faults.add(Fault::FarTime, at);
            }
            self.rows.end_row(local);
        }
        Ok(())
    }

    fn read_sample(&mut self, body: &[u8], local: i64, at: u64) -> Result<bool, Refused> {
        let tick = i32::try_from(self.rows.first_row() + self.rows.held());
        let (Ok(tick), Some(sample)) = (tick, self.sample.checked_add(1)) else {
            return Err(Refused {
                what: "more samples than ticks can number",
                offset: at,
                need: format!("at most {}", i32::MAX),
                have: "more".into(),
            });
        };
        self.sample = sample;
        let mut context = Context {
            registry: &mut self.registry,
            rows: &mut self.rows,
            faults: &mut self.faults,
            offsets: &mut self.offsets,
            names: &self.names,
            values: self.options.values,
            sample,
            first_sample: self.first_sample,
            tick,
            time: local,
            at,
            seen: self.seen,
            knows_offset: false,
        };
        let is_sample = read_sample(body, &mut self.items, &mut context);
        if !is_sample {
            self.faults.add(Fault::BadSample, at);
            self.rows.drop_row();
        }
        Ok(is_sample)
    }

    pub fn finish(&mut self, bytes: u64) -> Result<(), Refused> {
        if self.gathering.next > 0 {
            self.faults.add(Fault::TornSample, self.gathering.at);
        }
        if self.pieces.is_waiting() {
            self.faults.add(Fault::BadCatalogue, bytes);
        }
        if let Some(header) = &self.header {
            let is_closed = header.end != 0;
            if !is_closed {
                self.faults.add(Fault::AssumedOpenLog, 0);
            }
            if is_closed && u64::from(header.buffers_written) > self.buffers {
                self.faults.add(Fault::MissingBuffers, bytes);
            }
            if header.events_lost > 0 || header.buffers_lost > 0 {
                self.faults.add(Fault::EventsLost, 0);
            }
        }
        let refused = |what, need: &str, have: String| {
            Err(Refused { what, offset: bytes, need: need.into(), have })
        };
        if self.pdh_events == 0 {
            let events = self.faults.tally(Fault::ForeignEvent).count;
            let have = format!("{events} events of other providers");
            return refused("no performance log", "events of the performance log provider", have);
        }
        if !self.has_catalogue {
            return refused(
                "no catalogue of counters",
                "the event that names what is logged",
                format!("{} other events", self.pdh_events),
            );
        }
        Ok(())
    }
}
