"""A store without names, created from another: parts, commit records, and the captures found."""

from __future__ import annotations

from dataclasses import replace

from agtrace.redact.columns import Columns
from agtrace.redact.fields import Fields
from agtrace.redact.pseudonyms import HOST, INSTANCE, Pseudonyms
from agtrace.redact.span import Span
from agtrace.redact.vocabulary import is_declared
from agtrace.store import CommitRecord, Fact, FoundCapture, Store, Summary, parquet
from agtrace.store.lock import WriterLock

ROWS_AT_ONCE = 64 * 1024
_UNNAMED_READER = "unread"
KINDS_OF_DROPPED = ("text", "cell", "statement", "binary", "field", "event")
"""Kinds of dropped values, as they are counted."""
FIRST = ("rowset_heads", "ticks")
"""The heads of rowsets define their cells, ticks the times of samples."""


class Rewriter:
    """Copies the contents of one store to another, without their names.

    Parameters
    ----------
    fields
        Rewrites values.
    source, target
        The stores.
    span
        The span to copy; None: all.
    """

    def __init__(self, fields: Fields, source: Store, target: Store, span: Span | None = None) -> None:
        self._fields = fields
        self._columns = Columns(fields)
        self._texts = fields.texts
        self._source = source
        self._target = target
        self._span = span

    @property
    def examples(self) -> list[tuple[str, str]]:
        """Lines of logs before and after."""
        return self._columns.examples

    @property
    def _pseudonyms(self) -> Pseudonyms:
        return self._texts.pseudonyms

    @property
    def dropped(self) -> dict[str, int]:
        """Return the number of dropped values, by kind."""
        return {what: self._columns.dropped[what] for what in KINDS_OF_DROPPED}

    def store(self, lock: WriterLock) -> None:
        """Rewrite all contents of the source."""
        made = []
        for record in self._source.records().values():
            lock.check()
            made.append(self._content(record))
            if record.part is not None:
                self._target.commit(made[-1])
        self._target.write_unread(made)
        offsets = self._source.utc_offsets()
        if offsets:
            self._target.write_utc_offsets({self._host(name): offset for name, offset in offsets.items()})
        self._target.write_captures(
            sorted((self.capture(each) for each in self._source.captures()), key=lambda each: each.path)
        )

    def _host(self, name: str) -> str:
        return name if name == "*" else self._fields.value(HOST, name)

    def content_id(self, content_id: str | None) -> str | None:
        """Return the new id of a content, which cannot be looked up."""
        return None if content_id is None else self._pseudonyms.digest("content", content_id).hex()

    def capture(self, found: FoundCapture) -> FoundCapture:
        """Return a found capture with its path rewritten."""
        return FoundCapture(
            path=self._texts.paths.capture(found.path),
            bytes=found.bytes,
            mtime_ns=found.mtime_ns,
            content_id=self.content_id(found.content_id),
            status=found.status,
            kind=found.kind,
            reason=self._texts.text(found.reason),
            changed_ns=found.changed_ns,
        )

    def _content(self, record: CommitRecord) -> CommitRecord:
        content = self.content_id(record.content_id) or ""
        made = CommitRecord(
            content_id=content,
            bytes=record.bytes,
            kind=record.kind,
            status=record.status,
            reason=self._texts.text(record.reason),
            reader=record.reader,
            reader_version=record.reader_version,
            readers=record.readers,
            beside=None
            if record.beside is None
            else sorted(self.content_id(each) or "" for each in record.beside),
            summary=self.summary(record.content_id, record.summary),
        )
        if record.part is None:
            return made
        self._columns.begin()
        if self._span is not None:
            self._span.begin_content()
        label = f"{record.reader or _UNNAMED_READER}-{record.reader_version}"
        with self._target.part(content, label) as part:
            tables = dict.fromkeys(filter(_is_declared, record.files), 0)
            for name in record.files.keys() - tables.keys():
                self._columns.dropped["event"] += record.tables.get(name, 0)
            for table in sorted(tables, key=lambda name: (name not in FIRST, name)):
                for file in record.files[table]:
                    with parquet.opened(self._source.parts / record.part / file.name) as opened:
                        for batch in opened.iter_batches(batch_size=ROWS_AT_ONCE):
                            names = [name for name in batch.schema.names if name != "content_id"]
                            rows = batch.select(names)
                            if self._span is not None:
                                rows = self._span.rows(table, rows, record.content_id)
                            tables[table] += len(rows)
                            part.write(table, self._columns.batch(table, rows))
            part.finish()
        return replace(made, part=part.name, tables=tables, files=dict(part.files))

    def summary(self, content_id: str, summary: Summary) -> Summary:
        """Return the summary of a content that is needed to resolve it."""
        entry = summary.first_entry
        first, last = summary.first_local, summary.last_local
        if self._span is not None:
            first, last = self._span.clipped(content_id, summary)
        return Summary(
            first_local=first,
            last_local=last,
            interval_s=summary.interval_s,
            steps=summary.steps,
            hosts=[self._fields.value(HOST, name) for name in summary.hosts],
            sql_instances=[self._fields.value(INSTANCE, name) for name in summary.sql_instances],
            first_entry=entry and self._pseudonyms.digest("entry", entry).hex(),
            facts=[self._fact(fact) for fact in summary.facts],
        )

    def _fact(self, fact: Fact) -> Fact:
        return Fact(
            topic=fact.topic,
            item=fact.item,
            key=self._texts.words(fact.key),
            value=self._fields.fact(fact.topic, fact.key, fact.value),
            line=fact.line,
            time_local=fact.time_local,
        )


def _is_declared(table: str) -> bool:
    """Return whether a table is ours, or of an event that the products define."""
    _kind, _, event = table.partition("/")
    return not event or is_declared(event.split("/")[0])
