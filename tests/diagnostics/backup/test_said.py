"""What is said of backups, of verdicts made by hand: each line where its facts are there, none where not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.backup import best, failures, sides, throughput
from agtrace.diagnostics.backup.sides import READER, UNDECIDED, WRITER
from agtrace.diagnostics.backup.studies import SAID, BackupStudy
from agtrace.diagnostics.backup.volumes import READ, WRITE, Side
from agtrace.say.finding import Finding
from tests.behind import assert_facts
from tests.diagnostics.backup.made import LIMITS, seen, side, study, watched_study
from tests.diagnostics.backup.test_preferred import AGAINST, OF_GROUP, ON_SECONDARY, judged, log, watched
from tests.folded import folded

STEADY = [100.0 + k / 10 for k in range(9)]
FAST = [130.0 + k / 10 for k in range(9)]
SLOW = [50.0 + k / 10 for k in range(9)]
WIDE = [81.3, 88.1, 93.7, 99.2, 100.9, 103.4, 110.6, 124.8, 139.5, 151.7]
DISK, URL = {"rates": STEADY}, {"rates": FAST, "media": "URL"}


# Sides.


def limited(*verdicts: str, nulls: bool = False, **more: Any) -> list[Finding]:
    """Say what is judged of a study of two configurations and perhaps a backup to NUL."""
    own: list[dict[str, Any]] = [DISK, {"rates": FAST, "buffer_count": 50}]
    own += [{"rates": [103.0] * 3, "media": "NUL"}] if nulls else []
    of = watched_study(*own, facts=more.pop("facts", ()))
    for number, verdict in enumerate(verdicts):
        of.sides.append(seen(of.study, number, verdict, **{"reason": "backup read"} | more))
    of.nulls += sides.null_tests(of.study, LIMITS)
    return SAID.findings(sides.limited([of]))


@folded(
    ("more", "said"),
    [
        ({}, {"side": "backup reader", "seen": True, "nulls": []}),
        ({"cpu": None}, {"side": "backup reader", "seen": True, "nulls": []}),
        ({"card_busy": 12.4}, {"side": "backup reader", "seen": True, "nulls": []}),
        ({"is_inferred": True}, {"side": "backup reader", "seen": True, "nulls": []}),
        (
            {"is_inferred": True, "facts": {"operation": "restore"}.items(), "reason": "restore read"},
            {"side": "restore reader", "seen": True, "nulls": []},
        ),
        (
            {"read": side(READ, ("F:", 5.0, 100.0), ("G:", 9.0, 50.0), ("H:", None, 9.0))},
            {"side": "backup reader", "seen": True, "nulls": []},
        ),
        ({"write": Side(WRITE)}, {"side": "backup reader", "seen": True, "nulls": []}),
        ({"runs": 1, "samples": 1}, {"side": "backup reader", "seen": True, "nulls": []}),
        ({"reason": "card"}, {"side": "backup reader", "seen": True, "nulls": []}),
    ],
)
def test_what_was_seen_of_the_sides_is_told(more, said):
    (found,) = limited(READER, **more)
    assert_facts(found, **said)


def test_the_others_and_those_that_are_not_decided_are_told():
    (both,) = limited(READER, READER)
    assert_facts(both, side="backup reader", nulls=[], others=["1 x DISK, 50 x 1,024 KB"])
    (open_one,) = limited(READER, UNDECIDED)
    assert_facts(open_one, side="backup reader", nulls=[], rest=["1 x DISK, 50 x 1,024 KB"])
    assert [each.id for each in limited(WRITER, READER)] == ["backup.reader_limited", "backup.writer_limited"]


def test_what_to_do_about_a_restore_is_of_its_sides():
    facts = {"operation": "restore"}.items()
    (reader,) = limited(READER, facts=facts, reason="restore read")
    (writer,) = limited(WRITER, facts=facts, reason="restore write")
    assert_facts(reader, side="restore reader", nulls=[])
    assert_facts(writer, side="restore writer", nulls=[])


def test_a_backup_to_nul_with_the_same_buffers_decides():
    reader = limited(nulls=True)
    assert_facts(reader[0], side="backup reader", nulls=1)
    assert limited(READER, UNDECIDED, nulls=True)[0].confidence == 0.85


WAYS = [
    f"{act} {less}{way}"
    for act in ("backup", "restore")
    for less in ("", "without ")
    for way in ("read", "write")
]


@folded("reason", [*WAYS, "few", "card", "neither", "null"])
def test_every_reason_has_its_words(reason):
    assert SAID.text("limited.reason", {"reason": reason}) != ""


@pytest.mark.parametrize(
    ("names_test", "told", "operation"),
    [(True, False, "backup"), (False, True, "backup"), (False, False, "backup"), (False, False, "restore")],
)
def test_how_to_decide_is_said_where_it_is_not_said_already(names_test, told, operation):
    of = watched_study(DISK, facts={"operation": operation}.items())
    of.names_test = names_test
    assert of.how_to_decide(told=told) != ""


# The best configuration.


def fastest(*own: dict[str, Any], verdicts: tuple[str, ...] = (), **more: Any) -> Finding:
    of = watched_study(*own, verdicts=verdicts, **more)
    of.nulls += sides.null_tests(of.study, LIMITS)
    (found,) = SAID.findings(best.configurations([of], LIMITS))
    return found


LARGE = {"rates": FAST, "buffer_count": 50}
CACHED = [
    {"rates": STEADY, "cache": "OFF"},
    {"rates": FAST, "cache": "ON"},
    {"rates": FAST, "cache": "OFF", "stripes": 4},
    {"rates": STEADY, "cache": "ON", "stripes": 4},
]
TIERS = [
    {"rates": STEADY, "tier": "hot", "media": "URL"},
    {"rates": FAST, "tier": "cold", "media": "URL"},
    {"rates": SLOW, "tier": "hot"},
]


@folded(
    ("own", "more", "said"),
    [
        ([DISK, LARGE], {}, {"changes": 1, "default": True}),
        ([LARGE, {"rates": SLOW, "buffer_count": 60}], {}, {"default": None, "changes": 1}),
        ([DISK, {"rates": SLOW, "buffer_count": 50}], {}, {"changes": 1}),
        (
            [DISK | {"buffer_count": None}, {"rates": SLOW, "buffer_count": None, "stripes": 2}],
            {},
            {"changes": 1},
        ),
        ([DISK, {"rates": [101.0] * 9, "buffer_count": 50}], {}, {"changes": 1, "default": True}),
        ([DISK, URL], {}, {"media": 1, "default": True}),
        (
            [DISK, URL, {"rates": FAST, "stripes": 2}, {"rates": SLOW, "stripes": 2, "media": "URL"}],
            {},
            {"media": 1, "changes": 1},
        ),
        (
            [DISK, {"rates": SLOW, "media": "URL"}, {"rates": FAST, "media": "URL", "stripes": 8}],
            {},
            {"media": 1, "changes": 1},
        ),
        (TIERS, {}, {"media": 1, "urls": 1}),
        (CACHED, {}, {"changes": 2, "default": True}),
        (
            [DISK, {"rates": [each + 0.01 for each in STEADY], "buffer_count": 50}],
            {},
            {"changes": 1, "default": True},
        ),
        (
            [DISK, {"rates": FAST, "stripes": 4}, {"rates": SLOW, "stripes": 2}],
            {},
            {"changes": 2, "default": True},
        ),
        ([DISK, {"rates": SLOW, "stripes": 4}, {"rates": STEADY, "stripes": 2}], {}, {"changes": 2}),
    ],
)
def test_what_is_said_of_the_fastest(own, more, said):
    assert_facts(fastest(*own, **more), **said)


URL_OF = {"rates": STEADY, "media": "URL"}, {"rates": SLOW, "media": "URL", "buffer_count": 50}


@folded(
    ("own", "more", "said"),
    [
        ([DISK, LARGE], {}, {"buffers": "BUFFERCOUNT = 50, MAXTRANSFERSIZE = 1048576", "changes": 1}),
        ([DISK, {"rates": SLOW, "buffer_count": 50}], {}, {"changes": 1, "default": True}),
        (
            [{"rates": [100.0] * 9, "buffer_count": 20}, {"rates": [101.0] * 9, "buffer_count": 50}],
            {},
            {"changes": 1},
        ),
        (
            [DISK | {"buffer_count": None}, {"rates": FAST, "buffer_count": None, "checksum": True}],
            {},
            {"media": []},
        ),
        ([DISK, LARGE], {"facts": {"operation": "restore"}.items()}, {"changes": 1, "is_separated": False}),
        ([DISK, LARGE, {"rates": [200.0], "media": "NUL"}], {}, {"changes": 1, "default": True}),
        (
            [DISK, LARGE],
            {"facts": {"host_id": ""}.items()},
            {"host": None, "changes": 1, "is_separated": False},
        ),
        ([DISK, LARGE, {"rates": FAST, "stripes": 2}], {}, {"changes": 2, "default": True}),
        ([DISK, LARGE], {"verdicts": (UNDECIDED, READER)}, {"changes": 1, "default": True}),
        (URL_OF, {}, {"changes": 1}),
        (URL_OF, {"facts": {"version": "12.0.1"}.items()}, {"changes": 1}),
        (URL_OF, {"facts": {"version": None}.items()}, {"changes": 1}),
        (URL_OF, {"bytes": [np.nan] * 18}, {"changes": 1}),
    ],
)
def test_what_is_advised_of_the_fastest(own, more, said):
    assert_facts(fastest(*own, **more), **said)


def test_a_configuration_that_nothing_separates_is_told_how():
    assert_facts(fastest(DISK, LARGE), changes=1, is_separated=False)
    beside_nul = fastest(DISK, LARGE, {"rates": [200.0], "media": "NUL"}).recommendation
    assert "To separate" not in beside_nul


# Throughput.


def measured(*own: dict[str, Any], **more: Any) -> Finding:
    (found,) = SAID.findings(throughput.measured([study(*own, **more)], LIMITS))
    return found


COLD = {"idle_s": [0.0] * 10 + [6000.0] * 10}


@folded(
    ("own", "more", "said"),
    [
        ([DISK], {}, {"quantiles": [100.04, 100.4, 100.76], "spreads": []}),
        ([DISK, LARGE], {}, {"spreads": []}),
        ([{"rates": [1.0]}], {}, {"quantiles": [1.0, 1.0, 1.0], "spreads": []}),
        (
            [DISK],
            {"facts": {"os": "Windows", "memory_mb": 4096, "product": ""}.items()},
            {"quantiles": [100.04, 100.4, 100.76], "spreads": []},
        ),
        (
            [DISK | {"tier": "hot", "compression": True}],
            {"facts": {"processors": None}.items()},
            {"more": 0, "quantiles": [100.04, 100.4, 100.76]},
        ),
        ([DISK | {f"f{n}": n for n in range(20)}], {}, {"more": 10, "quantiles": [100.04, 100.4, 100.76]}),
        (
            [DISK],
            {"files": [1.0] * 9, "volumes": [2.0] * 9},
            {"more": 0, "quantiles": [100.04, 100.4, 100.76]},
        ),
        ([{"rates": WIDE * 2}], COLD, {"cold": True, "quantiles": [81.3, 102.15, 151.7]}),
        (
            [{"rates": [each / 2 for each in WIDE] + WIDE}],
            {"idle_s": [6000.0] * 10 + [0.0] * 10},
            {"cold": True, "quantiles": [43.88, 78.575, 140.11]},
        ),
        (
            [{"rates": [*FAST, *FAST, *SLOW]}],
            {"idle_s": [0.0] * 9 + [1200.0] * 9 + [6000.0] * 9},
            {"turns_cold": True, "quantiles": [50.13, 130.2, 130.77]},
        ),
        (
            [{"rates": [*SLOW, *FAST, *FAST]}],
            {"warm_s": [0.0] * 9 + [400.0] * 9 + [2000.0] * 9},
            {"turns_warm": True, "quantiles": [50.13, 130.2, 130.77]},
        ),
        (
            [{"rates": WIDE * 2}],
            {"hour": [12.0] * 10 + [20.0] * 10},
            {"periods": 1, "quantiles": [81.3, 102.15, 151.7]},
        ),
        (
            [{"rates": [*STEADY, *FAST]}],
            {"hour": [12.0] * 9 + [20.0] * 9},
            {"periods": 1, "quantiles": [100.085, 115.4, 130.715]},
        ),
        (
            [{"rates": [100.0] * 9 + WIDE}],
            {"hour": [12.0] * 9 + [20.0] * 10},
            {"periods": 1, "quantiles": [87.42, 100.0, 140.72]},
        ),
        (
            [{"rates": [*STEADY, *WIDE]}],
            {"hour": [12.0] * 9 + [20.0] * 10},
            {"periods": 1, "quantiles": [87.42, 100.5, 140.72]},
        ),
        ([DISK], {"beside": [1.0] + [0.0] * 8}, {"beside": 1, "quantiles": [100.04, 100.4, 100.76]}),
    ],
)
def test_what_is_said_of_throughput(own, more, said):
    assert_facts(measured(*own, **more), **said)


def test_what_varies_unusually_is_told_and_what_does_not():
    own = [{"rates": [each + n for each in STEADY], "stripes": n, "tier": "hot"} for n in (1, 2, 3)]
    varied = measured(*own, {"rates": WIDE, "tier": "cold"})
    assert_facts(varied, spreads=1)
    steady = measured(*own, {"rates": FAST, "tier": "cold"})
    assert_facts(steady, spreads=1)


def test_few_runs_are_to_be_repeated_and_other_kinds_are_counted():
    assert_facts(measured({"rates": [1.0]}), few=True, quantiles=[1.0, 1.0, 1.0])
    assert measured(DISK).recommendation == ""
    many: list[BackupStudy] = [study(DISK) for _ in range(12)]
    found = SAID.findings(throughput.measured(many, LIMITS))
    assert_facts(found[0], others=2, quantiles=[100.04, 100.4, 100.76])


# Preferences.


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (AGAINST, {"told": 1, "servers": ["A"]}),
        ({"preference": "SECONDARY_ONLY"}, {"told": 1, "servers": ["A"]}),
        ({"preference": "PRIMARY"} | ON_SECONDARY, {"told": 1, "servers": ["A"]}),
        ({"preference": "NONE", "priority": 0}, {"told": 1, "servers": ["A"]}),
    ],
)
def test_backups_against_a_preference_are_told_with_their_counts(more, said):
    (found,) = SAID.findings(judged(*(log(n, **more) for n in range(3))))
    assert_facts(found, **said)
    full = [log(n, kind="full", **more) for n in (4, 5, 6)]
    (both,) = SAID.findings(judged(*(log(n, **more) for n in range(3)), *full))
    assert_facts(both, told=2, servers=["A"])


def test_a_chain_on_several_servers_a_gap_and_a_missing_backup_are_told():
    rows = [log(1), log(2), log(3, server="B"), log(4, server="C")]
    (spread,) = SAID.findings(judged(*rows))
    assert_facts(spread, ag="AG", servers=3, databases=["Sales"])
    chain = [log(1, 1, 3), log(2, 3, 6), log(3, 6, 9), log(4, 9, 12), log(5, 12, 15)]
    (_gap,) = SAID.findings(judged(*chain, log(6, 30, 40)))
    (_last,) = SAID.findings(judged(*chain, log(6, 30, 40), log(7, 50, 60)))


@pytest.mark.parametrize(
    ("rows", "databases", "said"),
    [
        (
            [],
            [OF_GROUP],
            {"database": "Sales", "never": True, "databases": ["Sales"], "replicas": ["A", "B"]},
        ),
        ([log(1)], [OF_GROUP], {"database": "Sales", "never": False, "is_end": True, "databases": ["Sales"]}),
        (
            [log(39)],
            [OF_GROUP],
            {"database": "Sales", "never": False, "is_end": False, "databases": ["Sales"]},
        ),
        (
            [],
            [OF_GROUP, OF_GROUP | {"database": "Stock", "database_key": "stock"}],
            {"databases": ["Sales", "Stock"], "replicas": ["A", "B"]},
        ),
    ],
)
def test_log_that_was_not_backed_up_is_told(rows, databases, said):
    (found,) = SAID.findings(judged(*rows, known=watched((0, 40)), databases=databases))
    assert_facts(found, **said)


# Pages.


def of_buffers(*of: tuple[int, list[float]]) -> BackupStudy:
    return study(*({"buffer_count": count, "rates": rates} for count, rates in of))


@pytest.mark.parametrize("why", ["edge", "steep", "scattered"])
def test_why_there_is_no_estimate_is_said(why):
    assert SAID.text("between.why", {"why": why}) != ""


def test_what_stays_open_is_said():
    told = [SAID.text(f"open.{name}", {}) for name in ("buffers", "starts", "throughput")]
    assert all(told)
    for n in (1, 2):
        assert SAID.text("open.nothing", {"n": n, "databases": 1}) != ""


def summed(**more: Any) -> str:
    usual = {"n": 3, "databases": 1, "database": None, "outcomes": {}, "seeded": 0, "findings": []}
    return SAID.page("summary", usual | more).strip()


@pytest.mark.parametrize(
    ("platform", "said"),
    [
        ("Linux", {"platform": "Linux", "data": 1, "logs": None}),
        ("Windows", {"data": 1, "logs": None, "platform": "Windows"}),
    ],
)
def test_files_that_are_filled_with_zeros_have_the_remedy_of_their_system(platform, said):
    row = {
        "host_id": "A",
        "is_data": True,
        "seconds": 12.0,
        "bytes": 2**30,
        "path": "/data/x.mdf",
        "line": 7,
        "time": None,
        "time_local": None,
        "instant": None,
        "operation": None,
    }
    (found,) = SAID.findings(failures.slow_zeroing([row], LIMITS, {"A": platform}))
    assert_facts(found, **said)
