"""What is said of backups, of verdicts made by hand: each line where its facts are there, none where not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.backup import best, failures, sides, throughput
from agtrace.diagnostics.backup.between import page
from agtrace.diagnostics.backup.sides import READER, UNDECIDED, WRITER
from agtrace.diagnostics.backup.studies import SAID, BackupStudy
from agtrace.diagnostics.backup.volumes import READ, WRITE, Side
from agtrace.say.finding import Finding
from tests.diagnostics.backup.made import LIMITS, seen, side, study, watched_study
from tests.diagnostics.backup.test_preferred import AGAINST, OF_GROUP, ON_SECONDARY, judged, log, watched

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


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "1 volume, 5 ms a read, 100 MB/s; 1 volume, 6 ms a write, 100 MB/s; CPU 20 % (2 runs, 40"),
        ({"cpu": None}, "100 MB/s (2 runs, 40 samples)."),
        ({"card_busy": 12.4}, "; network card 12 % ("),
        ({"is_inferred": True}, "which disks hold the database is inferred from what was read"),
        ({"is_inferred": True, "facts": {"operation": "restore"}.items(), "reason": "restore read"},
         "inferred from what was written"),
        ({"read": side(READ, ("F:", 5.0, 100.0), ("G:", 9.0, 50.0), ("H:", None, 9.0))},
         "2 volumes, 5 to 9 ms a read, 50 to 100 MB/s each, 150 MB/s in all"),
        ({"write": Side(WRITE)}, "writes were not captured"),
        ({"runs": 1, "samples": 1}, "(1 run, 1 sample)."),
        ({"reason": "card"}, "the network card that carries the backup is full"),
    ],
)  # fmt: skip
def test_what_was_seen_of_the_sides_is_told(more, said):
    (found,) = limited(READER, **more)
    assert said in found.narrative


def test_the_others_and_those_that_are_not_decided_are_told():
    (both,) = limited(READER, READER)
    assert "The same side caps 1 x DISK, 50 x 1,024 KB." in both.narrative
    (open_one,) = limited(READER, UNDECIDED)
    assert "Still undecided: 1 x DISK, 50 x 1,024 KB." in open_one.narrative
    assert "To decide the others: " in open_one.recommendation
    assert [each.id for each in limited(WRITER, READER)] == ["backup.reader_limited", "backup.writer_limited"]


def test_what_to_do_about_a_restore_is_of_its_sides():
    facts = {"operation": "restore"}.items()
    (reader,) = limited(READER, facts=facts, reason="restore read")
    (writer,) = limited(WRITER, facts=facts, reason="restore write")
    assert reader.title == "Reading the backup caps the full restore of Sales"
    assert writer.title == "Writing the database caps the full restore of Sales"
    assert writer.recommendation.startswith("Spread the data files over more or faster volumes, none of")


def test_a_backup_to_nul_with_the_same_buffers_decides():
    reader = limited(nulls=True)
    assert "reaches 97 % of what a backup to NUL with the same buffers does" in reader[0].narrative
    assert limited(READER, UNDECIDED, nulls=True)[0].confidence == 0.85


def test_how_many_configurations_each_side_caps_is_told():
    of = watched_study(
        DISK, {"rates": FAST, "buffer_count": 50}, {"rates": SLOW, "stripes": 2},
        verdicts=(READER, WRITER, UNDECIDED),
    )  # fmt: skip
    (told,) = sides.say_sides([of, watched_study(DISK)])
    assert told.startswith(
        "Full backup of Sales, 3 configurations seen by perfmon: reading the database caps 1,"
    )
    (one,) = sides.say_sides([watched_study(DISK, verdicts=(READER,))])
    assert "1 configuration seen by perfmon: reading the database caps 1." in one
    (two,) = sides.say_sides([watched_study(DISK, URL, verdicts=(READER, UNDECIDED))])
    assert "caps 1 and 1 not decided." in two


WAYS = [f"{act} {less}{way}" for act in ("backup", "restore") for less in ("", "without ")
        for way in ("read", "write")]  # fmt: skip


@pytest.mark.parametrize("reason", [*WAYS, "few", "card", "neither", "null"])
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
    {"rates": STEADY, "cache": "OFF"}, {"rates": FAST, "cache": "ON"},
    {"rates": FAST, "cache": "OFF", "stripes": 4}, {"rates": STEADY, "cache": "ON", "stripes": 4},
]  # fmt: skip
TIERS = [{"rates": STEADY, "tier": "hot", "media": "URL"}, {"rates": FAST, "tier": "cold", "media": "URL"},
         {"rates": SLOW, "tier": "hot"}]  # fmt: skip


@pytest.mark.parametrize(
    ("own", "more", "said"),
    [
        ([DISK, LARGE], {}, "Against the default, 1 x DISK, 7 x 1,024 KB (100 MB/s, n = 9), that is +30 %"),
        ([LARGE, {"rates": SLOW, "buffer_count": 60}], {}, "so the gain over the default is not known"),
        ([DISK, {"rates": SLOW, "buffer_count": 50}], {}, "1 x DISK, 7 x 1,024 KB has the highest median"),
        ([DISK | {"buffer_count": None}, {"rates": SLOW, "buffer_count": None, "stripes": 2}], {},
         "buffers not captured"),
        ([DISK, {"rates": [101.0] * 9, "buffer_count": 50}], {},
         "takes 7 MB and reaches 100 MB/s, 99 % of it"),
        ([DISK, URL], {}, "URL against DISK, all else equal: 130 MB/s against 100 MB/s"),
        ([DISK, URL, {"rates": FAST, "stripes": 2}, {"rates": SLOW, "stripes": 2, "media": "URL"}], {},
         "URL against DISK, all else equal: 130 MB/s against 100 MB/s, +30 %"),
        ([DISK, {"rates": SLOW, "media": "URL"}, {"rates": FAST, "media": "URL", "stripes": 8}], {},
         "so DISK is not the faster one in general"),
        (TIERS, {}, "To URL, tier from "),
        (CACHED, {}, "What it does depends on the rest, so no effect of its own is claimed"),
        ([DISK, {"rates": [each + 0.01 for each in STEADY], "buffer_count": 50}], {},
         "which is no difference that these runs can show"),
        ([DISK, {"rates": FAST, "stripes": 4}, {"rates": SLOW, "stripes": 2}], {},
         "these runs do not confirm it: from 2 to 4 targets"),
        ([DISK, {"rates": SLOW, "stripes": 4}, {"rates": STEADY, "stripes": 2}], {},
         "more targets were not faster, so these runs agree with it"),
    ],
)  # fmt: skip
def test_what_is_said_of_the_fastest(own, more, said):
    assert said in fastest(*own, **more).narrative


URL_OF = {"rates": STEADY, "media": "URL"}, {"rates": SLOW, "media": "URL", "buffer_count": 50}


@pytest.mark.parametrize(
    ("own", "more", "said"),
    [
        ([DISK, LARGE], {},
         "Use 1 x DISK, 50 x 1,024 KB (BACKUP .. WITH BUFFERCOUNT = 50, MAXTRANSFERSIZE = 1048576)"),
        ([DISK, {"rates": SLOW, "buffer_count": 50}], {}, "Keep 1 x DISK, 7 x 1,024 KB: 100 MB/s."),
        ([{"rates": [100.0] * 9, "buffer_count": 20}, {"rates": [101.0] * 9, "buffer_count": 50}], {},
         "99 % of the fastest, with 20 MB of buffers instead of 50 MB"),
        ([DISK | {"buffer_count": None}, {"rates": FAST, "buffer_count": None, "checksum": True}], {},
         "buffers not captured, checksum on: 130 MB/s."),
        ([DISK, LARGE], {"facts": {"operation": "restore"}.items()},
         "To separate reading from writing: RESTORE"),
        ([DISK, LARGE, {"rates": [200.0], "media": "NUL"}], {}, "Use 1 x DISK"),
        ([DISK, LARGE], {"facts": {"host_id": ""}.items()},
         "on the server run `BACKUP DATABASE [Sales] TO DISK = 'NUL'"),
        ([DISK, LARGE, {"rates": FAST, "stripes": 2}], {}, "Next combination worth a test: "),
        ([DISK, LARGE], {"verdicts": (UNDECIDED, READER)}, "The best one is held back by reading"),
        (URL_OF, {}, "block blobs take up to 64 URLs and MAXTRANSFERSIZE up to 4 MB"),
        (URL_OF, {"facts": {"version": "12.0.1"}.items()},
         "a page blob (all that this version writes) takes one URL"),
        (URL_OF, {"facts": {"version": None}.items()}, "a page blob (up to 2014) takes one URL"),
        (URL_OF, {"bytes": [np.nan] * 18}, "195 GB at 4 MB. An existing blob"),
    ],
)  # fmt: skip
def test_what_is_advised_of_the_fastest(own, more, said):
    found = fastest(*own, **more).recommendation
    assert said in found


def test_a_configuration_that_nothing_separates_is_told_how():
    assert "To separate reading from writing" in fastest(DISK, LARGE).recommendation
    beside_nul = fastest(DISK, LARGE, {"rates": [200.0], "media": "NUL"}).recommendation
    assert "To separate" not in beside_nul


# Throughput.


def measured(*own: dict[str, Any], **more: Any) -> Finding:
    (found,) = SAID.findings(throughput.measured([study(*own, **more)], LIMITS))
    return found


COLD = {"idle_s": [0.0] * 10 + [6000.0] * 10}
WARMING = [each * 0.5 for each in WIDE] + WIDE * 2


@pytest.mark.parametrize(
    ("own", "more", "said"),
    [
        ([DISK], {}, "9 runs in 1 configuration, 9 min in all. p5 100 MB/s, p50 100 MB/s, p95 101 MB/s."),
        ([DISK, LARGE], {}, "The median goes from 100 MB/s (1 x DISK, 7 x 1,024 KB) to 130 MB/s"),
        ([{"rates": [1.0]}], {}, "1 run in 1 configuration"),
        ([DISK], {"facts": {"os": "Windows", "memory_mb": 4096, "product": ""}.items()},
         "The same in all runs: SQL Server RTM, Windows, 8 logical processors, 4,096 MB of RAM"),
        ([DISK | {"tier": "hot", "compression": True}], {"facts": {"processors": None}.items()},
         "compression on and tier hot."),
        ([DISK | {f"f{n}": n for n in range(20)}], {}, " and 10 more."),
        ([DISK], {"files": [1.0] * 9, "volumes": [2.0] * 9}, "1 data file and 2 volumes."),
        ([{"rates": WIDE * 2}], COLD, "throughput is the same as in the 10 warm runs"),
        ([{"rates": [each / 2 for each in WIDE] + WIDE}], {"idle_s": [6000.0] * 10 + [0.0] * 10},
         "against the 10 warm runs of the same configurations"),
        ([{"rates": [*FAST, *FAST, *SLOW]}], {"idle_s": [0.0] * 9 + [1200.0] * 9 + [6000.0] * 9},
         "Disks turn cold after 20 to 100 idle minutes"),
        ([{"rates": [*SLOW, *FAST, *FAST]}], {"warm_s": [0.0] * 9 + [400.0] * 9 + [2000.0] * 9},
         "Disks are warm again 0 to 7 minutes after the first run"),
        ([{"rates": WIDE * 2}], {"hour": [12.0] * 10 + [20.0] * 10},
         "Evening and night against working hours (n = 10 against 10): no different level"),
        ([{"rates": [*STEADY, *FAST]}], {"hour": [12.0] * 9 + [20.0] * 9}, "against 9): +30 %"),
        ([{"rates": [100.0] * 9 + WIDE}], {"hour": [12.0] * 9 + [20.0] * 10},
         "its variation cannot be compared"),
        ([{"rates": [*STEADY, *WIDE]}], {"hour": [12.0] * 9 + [20.0] * 10}, "variation +"),
        ([DISK], {"beside": [1.0] + [0.0] * 8},
         "1 run had another backup or restore of the server beside it."),
    ],
)  # fmt: skip
def test_what_is_said_of_throughput(own, more, said):
    assert said in measured(*own, **more).narrative


def test_what_varies_unusually_is_told_and_what_does_not():
    own = [{"rates": [each + n for each in STEADY], "stripes": n, "tier": "hot"} for n in (1, 2, 3)]
    varied = measured(*own, {"rates": WIDE, "tier": "cold"})
    assert "unusually high variation." in varied.narrative
    steady = measured(*own, {"rates": FAST, "tier": "cold"})
    assert "high variation is not visible." in steady.narrative


def test_few_runs_are_to_be_repeated_and_other_kinds_are_counted():
    assert measured({"rates": [1.0]}).recommendation.startswith("Repeat each configuration")
    assert measured(DISK).recommendation == ""
    many: list[BackupStudy] = [study(DISK) for _ in range(12)]
    found = SAID.findings(throughput.measured(many, LIMITS))
    assert "The tables show the other 2 kinds of backups." in found[0].narrative


# Preferences.


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (AGAINST, "though its preference is SECONDARY: 3 of 3 log backups"),
        ({"preference": "SECONDARY_ONLY"}, "though its preference is SECONDARY_ONLY: 3 of 3 log backups"),
        ({"preference": "PRIMARY"} | ON_SECONDARY, "run on a secondary, though its preference is PRIMARY"),
        ({"preference": "NONE", "priority": 0}, "run on A, which its backup priority excludes"),
    ],
)  # fmt: skip
def test_backups_against_a_preference_are_told_with_their_counts(more, said):
    (found,) = SAID.findings(judged(*(log(n, **more) for n in range(3))))
    assert said in found.title
    full = [log(n, kind="full", **more) for n in (4, 5, 6)]
    (both,) = SAID.findings(judged(*(log(n, **more) for n in range(3)), *full))
    assert "3 of 3 log backups and 3 of 3 full backups" in both.narrative


def test_a_chain_on_several_servers_a_gap_and_a_missing_backup_are_told():
    rows = [log(1), log(2), log(3, server="B"), log(4, server="C")]
    (spread,) = SAID.findings(judged(*rows))
    assert spread.title == "The log backups of AG lie on several servers: A (2), B (1), C (1)"
    chain = [log(1, 1, 3), log(2, 3, 6), log(3, 6, 9), log(4, 9, 12), log(5, 12, 15)]
    (gap,) = SAID.findings(judged(*chain, log(6, 30, 40)))
    (last,) = SAID.findings(judged(*chain, log(6, 30, 40), log(7, 50, 60)))
    assert ("It is the last of 2 such gaps." in last.narrative, "such gaps" in gap.narrative) == (True, False)


@pytest.mark.parametrize(
    ("rows", "databases", "said"),
    [
        ([], [OF_GROUP], "none of them shows a log backup of Sales, then or at another time."),
        ([log(1)], [OF_GROUP],
         "none of them shows a log backup of Sales then; that is where the captures end."),
        ([log(39)], [OF_GROUP], "none of them shows a log backup of Sales then."),
        ([], [OF_GROUP, OF_GROUP | {"database": "Stock", "database_key": "stock"}],
         "It is the longest; so it is of Sales and Stock."),
    ],
)  # fmt: skip
def test_log_that_was_not_backed_up_is_told(rows, databases, said):
    (found,) = SAID.findings(judged(*rows, known=watched((0, 40)), databases=databases))
    assert said in found.narrative


# Pages.


def of_buffers(*of: tuple[int, list[float]]) -> BackupStudy:
    return study(*({"buffer_count": count, "rates": rates} for count, rates in of))


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ([(7, STEADY), (14, [110.0] * 9), (28, FAST)], "can be predicted from the others"),
        ([(7, STEADY)], "No configuration lies between tested ones closely enough"),
        (
            [
                (7, [80.0] * 5),
                (10, [84.0] * 5),
                (14, [88.0] * 5),
                (20, [60.0, 92.0, 130.0]),
                (28, [96.0] * 5),
            ],
            "nothing can be held against",
        ),
    ],
)
def test_estimates_between_tested_ones_are_told(own, said):
    assert said in SAID.page("between", page([of_buffers(*own)]))


@pytest.mark.parametrize("why", ["edge", "steep", "scattered"])
def test_why_there_is_no_estimate_is_said(why):
    assert SAID.text("between.why", {"why": why}) != ""


def test_what_stays_open_is_said():
    told = [SAID.text(f"open.{name}", {}) for name in ("buffers", "starts", "throughput")]
    assert all(told)
    assert SAID.text("open.none", {"database": "Sales"}).endswith("a backup or restore of Sales.")
    for n in (1, 2):
        assert SAID.text("open.nothing", {"n": n, "databases": 1}) != ""
    facts = {"study": "full backup of Sales", "how": "a test", "names": ["a", "b"]}
    assert SAID.text("open.unseen", facts).startswith("Full backup of Sales: which side limits it")
    assert "for a and b the counters do not decide" in SAID.text("open.undecided", facts)


def test_points_are_a_list_without_marks_of_code():
    assert SAID.page("points", {"points": ["Use `A`.", "Keep it."]}).strip().splitlines() == [
        "- Use A&#46;", "- Keep it&#46;"
    ]  # fmt: skip


def summed(**more: Any) -> str:
    usual = {"n": 3, "databases": 1, "database": None, "outcomes": {}, "seeded": 0, "findings": []}
    return SAID.page("summary", usual | more).strip()


def test_the_summary_counts_and_leads_with_the_fastest():
    assert summed(n=0) == "The captures tell of no backup and no restore."
    assert summed(n=0, database="Sales") == "The captures tell of no backup and no restore of Sales."
    outcomes = {"completed": 2, "failed": 1, "lost": 0, "cut off": 1}
    assert summed(outcomes=outcomes, seeded=2).startswith(
        "3 backups and restores of 1 database: 2 completed, 1 failed and 1 cut off. 2 of them are the two"
    )
    found = [measured(DISK), fastest(DISK, LARGE), fastest(DISK, URL)]
    told = summed(findings=found)
    assert told.count("is the fastest tested") >= 3
    assert told.splitlines()[0].count("fastest tested") == 1


@pytest.mark.parametrize(
    ("platform", "said"), [("Linux", "On Linux no right is needed"), ("Windows", "Grant the")]
)
def test_files_that_are_filled_with_zeros_have_the_remedy_of_their_system(platform, said):
    row = {
        "host_id": "A", "is_data": True, "seconds": 12.0, "bytes": 2**30, "path": "/data/x.mdf", "line": 7,
        "time": None, "time_local": None, "instant": None, "operation": None,
    }  # fmt: skip
    (found,) = SAID.findings(failures.slow_zeroing([row], LIMITS, {"A": platform}))
    assert found.recommendation.startswith(said)
