"""Whether the report of a case is still the answer that would be given now."""

from __future__ import annotations

import math
from dataclasses import replace

from agtrace.answer_key import Asked, answer_key, contents_of
from agtrace.batch.inbox import Seen
from agtrace.batch.options import Options
from agtrace.batch.places import CaseRecord, Reports
from agtrace.store import Store


def key_of(reports: Reports, name: str, seen: Seen, options: Options) -> str:
    """Return the key of the answer of a case (`agtrace.answer_key.answer_key`)."""
    return answer_key(seen.signature, _asked(reports, name, seen, options))


def is_done(reports: Reports, seen: Seen, options: Options) -> bool:
    """Return whether the report of a case is up to date with its files and the options."""
    record = reports.records().get(seen.source)
    if record is None or record.key != key_of(reports, record.name, seen, options):
        return False
    if record.given_up_s:
        return (options.case_timeout or math.inf) <= record.given_up_s
    if record.is_fresh and not seen.is_fresh:
        # It may have changed again within the resolution of its file times: compare the contents.
        return False
    return _has_pages(record, options) or record.status == "broken"


def contents_key(reports: Reports, name: str, seen: Seen, options: Options, store: Store) -> str:
    """Return the key of the answer of a case that was just read, by the contents of its files."""
    contents = contents_of(store.captures(), seen.folder)
    return answer_key(contents, _asked(reports, name, seen, options))


def holding(before: CaseRecord | None, contents: str, options: Options) -> CaseRecord | None:
    """Return the record of a report that is still the answer for these contents; None without one."""
    if before is None or options.again or before.contents != contents:
        return None
    return before if _has_pages(before, options) or before.status == "broken" else None


def renewed(before: CaseRecord, seen: Seen, key: str, store_bytes: int) -> CaseRecord:
    """Return the record of a report that stays, for the files as they are now."""
    return replace(before, signature=seen.signature, key=key, is_fresh=seen.is_fresh, store_bytes=store_bytes)


def _has_pages(record: CaseRecord, options: Options) -> bool:
    return record.pages or not options.pages


def _asked(reports: Reports, name: str, seen: Seen, options: Options) -> Asked:
    offsets = Store(reports.store(name, seen.source)).utc_offsets()
    return Asked(options.case_settings, options.follow_links, options.thresholds, offsets)
