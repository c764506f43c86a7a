"""Every counter, event and trace flag of a kit is one that SQL Server has, in each version it is for."""

from __future__ import annotations

import json
from functools import cache

import pytest

from agtrace import kit
from agtrace.kit.plan import _newer
from agtrace.tables.counter_catalogue import SQL_PREFIX
from simulation.kits.server import VIEWS
from tests.folded import folded
from tests.kit.test_kits import EVERY, planned
from tests.shared import SHARED

FACTS = SHARED / "facts"
KNOWN = (2014, 2017, 2019)
pytestmark = pytest.mark.skipif(not FACTS.is_dir(), reason="the facts about SQL Server are not here")


@cache
def events() -> dict[str, dict[str, object]]:
    return json.loads((FACTS / "xe_hadr_events.json").read_text("utf-8"))


@cache
def counters(version: int) -> dict[str, set[str]]:
    found = json.loads((FACTS / "sqlctr_by_version.json").read_text("utf-8"))[str(version)]
    return {of: {names.get("009NAME", "").casefold() for _, names in each} for of, each in found.items()}


@folded(("name", "version"), EVERY)
def test_an_event_is_there_in_the_versions_for_which_it_is_asked_without_looking(name, version):
    made = planned(name, version)
    for event in (*made.events, *made.guarded_events):
        assert event in events(), event
    checked = [year for year in KNOWN if year >= made.kind.least and (version is None or year == version)]
    for event in made.events:
        there = events()[event]["versions"]
        assert [year for year in checked if str(year) not in there] == [], event


@folded(("name", "version"), EVERY)
def test_a_counter_of_sql_server_is_there(name, version):
    # Of a version that nobody knows, the next one that somebody does.
    year = next((each for each in KNOWN if each >= (version or 2019)), KNOWN[-1])
    for path in planned(name, version).counters:
        of, _, counter = path.rpartition("\\")
        if of.startswith(SQL_PREFIX):
            assert counter.casefold() in counters(year)[of.removeprefix(SQL_PREFIX)], path


def test_what_is_said_to_be_newer_is_not_there_before():
    newer = _newer()
    assert [name for name in newer["events"] if "2014" in events()[name]["versions"]] == []
    assert [name for name in newer["events"] if "2017" not in events()[name]["versions"]] == []
    for name in newer["counters"]:
        of, _, counter = name.removeprefix(SQL_PREFIX).rpartition("\\")
        assert counter.casefold() not in counters(2014)[of], name
        assert counter.casefold() in counters(2017)[of], name


def test_what_was_there_from_the_first_on_is_not_said_to_be_newer():
    asked = {
        event for name in kit.kinds() for event in (*planned(name).events, *planned(name).guarded_events)
    }
    newer = {name for name in asked if "2014" not in events()[name]["versions"]}
    assert newer == set(_newer()["events"])


def test_the_trace_flags_are_those_of_backups():
    flags = {name: planned(name).flags for name in kit.kinds()}
    assert flags == {
        "transport": (),
        "seeding": (),
        "backup": (3004, 3014, 3213, 3605),
        "health": (),
        "commit": (),
    }
    text = (SHARED / "knowledge" / "AG.md").read_text("utf-8")
    format_ = (SHARED / "formats" / "ERRORLOG.md").read_text("utf-8")
    assert [flag for flag in flags["backup"] if str(flag) not in text + format_] == []


def test_fields_of_views_that_are_taken_whole_are_those_of_the_events_of_the_same_thing():
    """The view and the event both tell of a physical seeding."""
    fields = {field for field, *_ in events()["hadr_physical_seeding_progress"]["fields"]}
    shared = {
        "transfer_rate_bytes_per_second",
        "transferred_size_bytes",
        "database_size_bytes",
        "failure_code",
    }
    assert shared <= fields & set(VIEWS["sys.dm_hadr_physical_seeding_stats"])
