"""Opening a case: read what is new in its folder, resolve its settings, hosts and clocks, register its
relations.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agtrace import ingest as ingesting
from agtrace import settings as setting
from agtrace.case import Case, Opened
from agtrace.cases import Cases
from agtrace.diagnostics import Finding
from agtrace.errors import AgtraceError, CaseError, StoreError
from agtrace.history import kept_of, offer, offer_part
from agtrace.history.reference_clock import reference_clock
from agtrace.ingest import case_folder
from agtrace.ingested import FAILED, IngestReport
from agtrace.interactive.kept_findings import KeptFindings
from agtrace.log import LOG
from agtrace.resolve import resolve
from agtrace.resolve.attribution import Hosts
from agtrace.resolve.offsets import Given, Offset, checked
from agtrace.resolve.opening import digest, resolved_tables
from agtrace.resolve.overlap import settle
from agtrace.resolve.settings import CaseSettings, read_settings
from agtrace.storage import url_of
from agtrace.store import CaseView, CommitRecord, FoundCapture, Store, open_store
from agtrace.store.given import GivenSettings
from agtrace.store.narrow import narrow
from agtrace.store.part import WHOLE, Part
from agtrace.store.shared import Shared
from agtrace.store.unmasked import show_unmasked
from agtrace.store.view import FEW_ROWS

HELD = ("errorlog", "messages", "facts", "rowset_heads", "rowset_rows")
"""Relations that become tables in memory when first used, in small cases. Samples are left out: they would be
summed in another order, and the last digits of the sums would differ.
"""
HELD_ROWS = 200_000
"""Cases with fewer rows than this are held in memory, in about 10 MB."""


def nothing_usable(folder: str | Path) -> AgtraceError:
    """Return the error for a case with no readable capture."""
    place = url_of(Path(folder)) or folder
    return AgtraceError(
        f"{place}: nothing in it is a capture that agtrace can read",
        "'agtrace ingest' names each file with the reason; 'agtrace kit' writes scripts that capture it",
    )


def keep_utc_offsets(
    folder: str | Path,
    store: str | Path | None,
    utc_offsets: Mapping[str, Given] | None,
    *,
    trust_store: bool = False,
) -> None:
    """Store the UTC offsets that the user states for a case that has been ingested.

    Parameters
    ----------
    folder, store, trust_store
        As in `open_case`.
    utc_offsets
        As in `open_case`.

    Raises
    ------
    CaseError
        The case has no such host, or an offset is invalid; nothing is stored.
    StoreError
        The store cannot be written.
    """
    given = checked(utc_offsets)
    if not given:
        return
    kept = open_store(folder := case_folder(folder), store, trust=trust_store)
    hosts = resolve(read_settings(folder).hosts, kept.captures(), kept.records()).hosts
    offsets = {name if name == "*" else hosts.known(name): each for name, each in given.items()}
    if kept.utc_offsets() != kept.utc_offsets() | offsets:
        with kept.lock():
            kept.write_utc_offsets(kept.utc_offsets() | offsets)


def open_case(
    folder: str | Path,
    store: str | Path | None = None,
    *,
    ingest: bool = True,
    jobs: int | None = None,
    counters: str | Iterable[str] = (),
    encoding: str | None = None,
    utc_offsets: Mapping[str, Given] | None = None,
    progress: bool = False,
    thresholds: Mapping[str, float] | None = None,
    case_settings: bool = True,
    follow_links: bool = False,
    trust_store: bool = False,
) -> Case:
    """Open a case: read what is new in its folder, then resolve hosts and clocks.

    Parameters
    ----------
    folder
        Folder of captures, or the URL of one.
    store
        Folder of the store, or a URL; default ``CASE/.agtrace``, or the user's cache folder for a case at a
        URL.
    ingest
        False opens the store as it is, without checking the folder for new captures.
    jobs, counters, encoding, progress, follow_links, trust_store
        As in `agtrace.ingest.ingest`.
    utc_offsets
        Local time minus UTC by host name, ``"*"`` for all: ``"-4:00"``, a timedelta, minutes (a multiple of
        15), or the time zone of the host, ``"America/New_York"``. Used only where the offset is unknown;
        saved in the store.
    thresholds
        Thresholds by name (docs/diagnostics/thresholds.md), for this session. They override those of the
        case, and the findings list them.
    case_settings
        False ignores the settings files in the folder: agtrace.toml, hosts.toml, runs.csv and runs.toml.
        Invalid entries in them are always ignored, and reported.

    Raises
    ------
    CaseError
        There is no such folder, it is empty, ``utc_offsets`` names an unknown host or an invalid offset, or
        there is no such threshold.
    StoreError
        The store cannot be created or written.
    """
    opened, settings = _read(
        folder,
        store,
        checked(utc_offsets),
        setting.own(thresholds),
        ingest=ingest,
        case_settings=case_settings,
        trust_store=trust_store,
        reading={
            "jobs": jobs,
            "counters": counters,
            "encoding": encoding,
            "progress": progress,
            "follow_links": follow_links,
        },
    )
    return _shown(opened, settings, checked(utc_offsets))


def open_cases(
    folders: str | Path | Iterable[str | Path] | Mapping[str, str | Path],
    store: str | Path | None = None,
    *,
    ingest: bool = True,
    utc_offsets: Mapping[str, Given] | None = None,
    thresholds: Mapping[str, float] | None = None,
    case_settings: bool = True,
    trust_store: bool = False,
    **reading: Any,
) -> Cases:
    """Open several cases together: each by its name, and one query over all of them.

    Parameters
    ----------
    folders
        Folders of captures, or a mapping of case names to folders. The default name of a case is that of its
        folder, with a number added if another case already has it.
    store
        Folder that contains the stores, each named after its case; default as in `open_case`.
    ingest, utc_offsets, thresholds, case_settings, trust_store, reading
        As in `open_case`, for all cases; an entry of ``utc_offsets`` applies to the cases that have the host.

    Raises
    ------
    CaseError
        As in `open_case`; also if no folder is given, or ``utc_offsets`` names a host that no case has.
    StoreError
        A store cannot be created or written.

    Examples
    --------
    >>> fixed = agtrace.sample("log_send_queue_fixed")
    >>> with agtrace.open_cases([fixed / "before", fixed / "after"]) as cases:
    ...     cases.sql('select "case", count(distinct host_id) from hosts group by all order by 1').fetchall()
    [('after', 3), ('before', 3)]
    """
    named = named_cases(folders)
    given, mine = checked(utc_offsets), setting.own(thresholds)
    read = {}
    for name, folder in named.items():
        own = None if store is None else f"{store}/{name}"
        read[name] = _read(
            folder,
            own,
            given,
            mine,
            ingest=ingest,
            case_settings=case_settings,
            trust_store=trust_store,
            reading=reading,
            is_one_of_many=True,
        )
    shared = Shared(few_rows=sum(opened.rows for opened, _settings in read.values()) < FEW_ROWS)
    try:
        cases = {
            name: _shown(opened, settings, {}, within=shared) for name, (opened, settings) in read.items()
        }
        shared.lock()
        for name in set(given) - {"*"}:
            if not any(_has(case.resolved.hosts, name) for case in cases.values()):
                there = sorted({host for case in cases.values() for host in case.resolved.hosts.aliases})
                raise CaseError(
                    f"no case has a host {name!r}", f"their hosts are: {', '.join(there) or 'none'}"
                )
    except BaseException:
        shared.close()
        raise
    return Cases(cases, shared)


def named_cases(
    folders: str | Path | Iterable[str | Path] | Mapping[str, str | Path],
) -> dict[str, str | Path]:
    """Return folders by the names of their cases: the given names, or those of the folders.

    Raises
    ------
    CaseError
        No folder is given.
    """
    if isinstance(folders, Mapping):
        found = dict(folders)
    else:
        found = {}
        for folder in [folders] if isinstance(folders, str | Path) else folders:
            name = wanted = str(case_folder(folder).absolute().name)
            number = 1
            while name in found:
                number += 1
                name = f"{wanted}-{number}"
            found[name] = folder
    if not found:
        raise CaseError("no case was named", "name the folders that hold the captures")
    return found


def _read(
    folder: str | Path,
    store: str | Path | None,
    given: dict[str, Offset],
    mine: dict[str, float],
    *,
    ingest: bool,
    case_settings: bool,
    trust_store: bool,
    reading: dict[str, Any],
    is_one_of_many: bool = False,
) -> tuple[_Opened, CaseSettings]:
    """Read what is new in a case, and open its store."""
    path = case_folder(folder)
    report = None
    if ingest:
        report = ingesting.ingest(path, store, trust_store=trust_store, **reading)
        _note(path, report)
    kept = open_store(path, store, trust=trust_store)
    if is_one_of_many and given:
        hosts = resolve(read_settings(path).hosts, kept.captures(), kept.records()).hosts
        given = {name: each for name, each in given.items() if name == "*" or _has(hosts, name)}
    if ingest:
        keep_utc_offsets(path, store, given, trust_store=trust_store)
        kept = open_store(path, store, trust=trust_store)
    captures = kept.captures()
    if not captures:
        raise StoreError(
            f"{kept.root}: nothing is in it; it was removed, or nothing was read into it yet",
            f"run: agtrace ingest {path}",
        )
    offsets = kept.utc_offsets() | given
    options = {
        "utc_offsets": given,
        "thresholds": mine,
        "case_settings": case_settings,
        "trust_store": trust_store,
    }
    opened = _Opened(path, kept, kept.records(), captures, offsets, report, mine, options)
    return opened, settings_of(path) if case_settings else CaseSettings()


def _note(path: Path, report: IngestReport) -> None:
    LOG.info("%s: %s", path, report.counted)
    for note in report.notes:
        LOG.warning("%s: %s", path, note)
    for capture in report.captures:
        if capture.status in FAILED:
            LOG.warning("%s: %s", path / capture.path, capture.reason.removeprefix(f"{capture.path}: "))


def _has(hosts: Hosts, name: str) -> bool:
    try:
        hosts.known(name)
    except CaseError:
        return False
    return True


def _shown(
    opened: _Opened, settings: CaseSettings, given: dict[str, Offset], within: Shared | None = None
) -> Case:
    """Build the relations of a case that was read."""
    case = opened.with_settings(settings, within=within)
    for name in set(given) - {"*"}:
        case.resolved.hosts.known(name)
    return case


def reopened(
    folder: Path, store: Path, options: Mapping[str, Any], part: Part, added: Iterable[Finding]
) -> Case:
    """Open a whole case or a part of it from its store, with the same options as before.

    Parameters
    ----------
    folder, store
        Paths of the case and its store.
    options
        As in `open_case`.
    part
        The part of the case to open.
    added
        Findings that were added to it.
    """
    case = open_case(folder, store, ingest=False, **options)
    if not part.is_all:
        hosts = None if part.hosts is None else sorted(part.hosts)
        case = case.window(part.window.start, part.window.end, host=hosts)
    case.added.extend(added)
    return case


def settings_of(case: str | Path) -> CaseSettings:
    """Read the settings files in a case. Invalid contents become faults; they never raise."""
    found = read_settings(case_folder(case))
    return replace(found, faults=(*found.faults, *setting.faults_of(found.values)))


@dataclass(frozen=True)
class _Opened:
    """Contents of a store at one moment, from which a case can be opened with or without settings."""

    folder: Path
    store: Store
    records: dict[str, CommitRecord]
    captures: list[FoundCapture]
    utc_offsets: dict[str, Offset]
    report: IngestReport | None
    mine: dict[str, float]
    options: dict[str, Any]
    """Arguments of `open_case` with which it was opened."""

    @property
    def rows(self) -> int:
        """Number of rows of all its captures."""
        return sum(sum(record.tables.values()) for record in self.records.values())

    def with_settings(
        self, settings: CaseSettings, of: Case | None = None, part: Part = WHOLE, within: Shared | None = None
    ) -> Case:
        """Open a case, or a part of one, that reports the effect of its settings files."""
        case = self.case(settings, of, part, within)
        if settings != CaseSettings() or self.mine:
            case.view.given = GivenSettings(
                settings.hosts.paths, settings.hosts.aliases, settings.runs, settings.faults, self.mine
            )
        return case

    def case(
        self, settings: CaseSettings, of: Case | None = None, part: Part = WHOLE, within: Shared | None = None
    ) -> Case:
        """Resolve hosts and clocks and build the relations, for the whole case or a part of ``of``.

        They are in a database of their own, or in the shared one ``within``.
        """
        resolved = resolve(settings.hosts, self.captures, self.records, self.utc_offsets)
        files, tables = resolved_tables(settings.runs, self.store, resolved)
        values = setting.in_force(settings.values, self.mine)
        kept = kept_of(self.store.root, digest(files, tables, values, _written(settings, self.mine)))

        def unlocked(within: Shared | None = None) -> CaseView:
            view = CaseView(files, tables, values, self.store.root, within=within)
            for fault in settings.faults:
                view.run(
                    "INSERT INTO drifts VALUES (NULL, 'warning', 'case_settings', $message, 1)",
                    {"message": fault},
                )
            settle(view, tables, kept)
            if of is None:
                if self.rows >= FEW_ROWS:
                    show_unmasked(view, files.get("samples", []))
                offer(view, kept)
            else:
                narrow(view, part, reference_clock(of.view).ahead)
                offer_part(view, of.view, part)
            if self.rows < HELD_ROWS:
                view.hold(*HELD)
            return view

        def parted(whole: Case, of_whole: Part) -> Case:
            return self.with_settings(settings, whole, of_whole)

        view = unlocked(within)
        view.lock()
        opened = Opened(
            unlocked, parted, lambda: self.by_defaults(part), reopened, self.options, part, KeptFindings(kept)
        )
        return Case(self.folder, self.store.root, view, resolved, self.report, opened)

    @contextmanager
    def by_defaults(self, part: Part) -> Iterator[Case]:
        """Open the case, or a part of it, without its settings and without the user's thresholds."""
        with self.case(CaseSettings()) as whole:
            if part.is_all:
                yield whole
            else:
                with self.case(CaseSettings(), whole, part) as of_part:
                    yield of_part


def _written(*values: object) -> str:
    try:
        return repr(values)
    except ValueError:
        # An integer in settings has more digits than Python writes as text.
        return pickle.dumps(values).hex()
