"""Faults of the decoder: severity and message of the issue for each name."""

from __future__ import annotations

from collections.abc import Iterator

from agtrace.readers.base import Batch, issue
from agtrace.readers.far_times import MESSAGE as FAR_TIME

FAULTS = {
    "torn_buffer": ("data_loss", "the file ends inside a buffer: what followed is lost"),
    "missing_buffers": ("data_loss", "the header counts more buffers than the file holds: the end is lost"),
    "bad_buffer": ("data_loss", "buffers that do not begin like one: left out"),
    "unwritten_buffer": ("warning", "buffers of zeros, which the logger never wrote"),
    "bad_event": ("data_loss", "events of an impossible size: the rest of their buffer is left out"),
    "foreign_event": ("info", "events of other providers: left out"),
    "unknown_event": ("warning", "events of a type that is not known: left out"),
    "events_lost": ("data_loss", "the logger says itself that it lost events"),
    "torn_sample": ("data_loss", "samples of which a piece is missing: left out"),
    "bad_time": ("data_loss", "samples with an impossible time: left out"),
    "far_time": ("warning", f"samples {FAR_TIME}"),
    "bad_sample": ("data_loss", "samples that do not hold together: read as far as they do"),
    "block_count": (
        "warning",
        "samples with more or fewer blocks than the catalogue has items: matched in order",
    ),
    "unknown_block": ("warning", "blocks of a kind that is not known: left out"),
    "bad_block": ("data_loss", "blocks whose parts do not fit into them: read as far as they do"),
    "bad_catalogue": ("data_loss", "the catalogue of counters cannot be read to its end"),
    "bad_string_table": ("warning", "a table of counter names cannot be read to its end"),
    "no_catalogue": ("data_loss", "samples before the catalogue that names them: left out"),
    "unnamed_index": ("warning", "counters that the name table lacks: named by their number"),
    "unknown_type": ("warning", "counters of a type that has no number to show: left out"),
    "no_base": ("warning", "fractions without the base that belongs to them: left out"),
    "duplicate_series": ("warning", "counters that are logged twice: the first is kept"),
    "too_many_series": ("data_loss", "more counter names than a file of this size can mean"),
    "invalid_status": ("info", "counters without valid data in a sample: no value there"),
    "assumed_open_log": ("info", "the logger never closed the file: it runs still, or was killed"),
    "assumed_circular_order": (
        "info",
        "a circular log: its buffers are read in the order of their times (assumed)",
    ),
    "assumed_overwritten": (
        "info",
        "samples whose beginning was overwritten, at the seam of a circular log: left out (assumed)",
    ),
    "assumed_catalogue_pieces": (
        "info",
        "a catalogue in several pieces, put together in their order (assumed)",
    ),
    "assumed_new_catalogue": (
        "info",
        "a further catalogue: it replaces the one before, rates begin anew (assumed)",
    ),
    "assumed_parent_name": ("info", "items that name a parent: parent/instance (assumed)"),
    "assumed_instance_index": ("info", "items that number their instance: instance#n (assumed)"),
    "assumed_numbering": (
        "info",
        "instances of one counter that share a name: numbered in their order (assumed)",
    ),
    "assumed_parent_instance": (
        "info",
        "instances that belong to one of another object: parent/instance (assumed)",
    ),
    "assumed_instance_name": ("info", "instances named by a number or in an 8-bit code page (assumed)"),
    "assumed_object_choice": (
        "info",
        "data of several objects, or of one by another name: that of the item is taken (assumed)",
    ),
    "assumed_first_appearance": (
        "info",
        "rates of counters that appeared later, which begin one sample after that (assumed)",
    ),
    "assumed_after_invalid": (
        "info",
        "rates after a sample without valid data, which begin one sample later (assumed)",
    ),
    "assumed_zero_base": ("info", "zero by zero, taken as zero (assumed)"),
    "assumed_multi_timer": ("info", "counters of many timers, divided by their number (assumed)"),
    "assumed_clock_change": ("info", "local time moved against UTC inside the log (assumed)"),
}


def issues(met: dict[str, tuple[int, int]]) -> Iterator[Batch]:
    """Yield an issue for every fault met, by the names that the decoder counts under."""
    for name, (count, offset) in met.items():
        severity, message = FAULTS[name]
        yield issue(name, message, severity=severity, offset=offset, count=count)
