"""The reader: facts first, then each kind of fault once, with its first place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from agtrace.errors import CaptureError
from agtrace.readers.base import Batch, ReadOptions, Source, issue, rows
from agtrace.readers.fact_text import BATCH, DEFAULTS, FactReader, FarFacts
from agtrace.readers.seeding_dmv.decode import read
from agtrace.readers.seeding_dmv.table import MAX_BYTES, Damage
from agtrace.readers.text import decode_text, offset_of_line
from agtrace.tables import FACTS


class SeedingReader(FactReader):
    """A reader of facts whose issues say where in the file they are."""

    def read(self, source: Source, options: ReadOptions = DEFAULTS) -> Iterator[Batch]:
        """Give the facts of the export, then its issues.

        Raises
        ------
        CaptureError
            The file is larger than `MAX_BYTES`, or shows none of the DMVs.
        """
        if source.size > MAX_BYTES:
            raise CaptureError(
                source.path, f"too large for {self.kind}", need=f"at most {MAX_BYTES} bytes", have=source.size
            )
        with source.open() as file:
            data = file.read()
        text = decode_text(data, options.encoding)
        damages: list[Damage] = []
        facts, far, count = read(text, damages), FarFacts(), 0
        while batch := list(islice(facts, BATCH)):
            far.see(batch)
            count += len(batch)
            yield rows("facts", FACTS, [fact._asdict() for fact in batch])
        if not count and not damages and text.strip():
            raise CaptureError(source.path, f"no {self.kind} in it")
        yield from _issues(damages, data, options.encoding)
        if far.count:
            yield far.issue(data, options.encoding)


def _issues(damages: Sequence[Damage], data: bytes, encoding: str | None) -> Iterator[Batch]:
    """Give one issue per kind of fault, however often it was met."""
    groups: dict[tuple[str, str], list[Damage]] = {}
    for damage in damages:
        # What a message repeats of the file differs; what is in front of it is the same.
        groups.setdefault((damage.kind, damage.message.partition(",")[0]), []).append(damage)
    for (kind, _words), group in groups.items():
        first = min(group, key=lambda damage: damage.line)
        yield issue(
            kind,
            f"line {first.line}: {first.message}",
            severity=first.severity,
            offset=offset_of_line(data, first.line, encoding),
            count=len(group),
        )
