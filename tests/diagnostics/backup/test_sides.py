"""Which side caps a backup: by what perfmon saw, and by backups to NUL; made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from agtrace.diagnostics.backup import sides, volumes
from agtrace.diagnostics.backup.rows import Alone
from agtrace.diagnostics.backup.sides import READER, UNDECIDED, WRITER, NullTest, StudySides
from agtrace.diagnostics.backup.volumes import READ, WRITE, Side, Volume
from tests.behind import texts
from tests.diagnostics.asking import record
from tests.diagnostics.backup.made import LIMITS, MB, of_host, part, seen, side, study, watched_study

# Volumes.


def test_volumes_of_a_way():
    found = [
        part(1, "disk_read", "F:", 100.0), part(1, "disk_read_ms", "F:", 5.0), part(1, "disk_written",
        "E:", 7.0),
        of_host(1, "cpu", 1.0),
    ]  # fmt: skip
    assert volumes.volumes(found, READ) == [Volume("F:", 5.0, 100.0), Volume("E:", None, 0.0)]
    assert volumes.volumes(found, WRITE) == [Volume("F:", None, 0.0), Volume("E:", None, 7.0)]


# What is judged.

FILES = [r"F:\Sales.mdf"]
PLACE = {"file_names": FILES, "device_names": r"E:\Sales.bak"}


def watched(
    read: float | None = 5.0, write: float | None = 5.0, n: int = 20, **more: list[Any]
) -> dict[int, list[Any]]:
    """Both ways of F: and E: while operations 0 and 1 ran."""
    found: dict[int, list[Any]] = {}
    for number in (0, 1):
        rows: list[Any] = [
            part(number, "disk_read", "F:", 100.0 * MB, n),
            part(number, "disk_written", "E:", 90.0 * MB, n),
        ]
        rows += [part(number, "disk_read_ms", "F:", read, n)] if read is not None else []
        rows += [part(number, "disk_write_ms", "E:", write, n)] if write is not None else []
        found[number] = [*rows, *more.get("beside", [])]
    return found


def judged(found: dict[int, list[Any]], place: Any = PLACE, **facts: Any) -> sides.Seen:
    of = study(
        {"rates": [100.0, 200.0]},
        {"rates": [300.0], "buffer_count": 9},
        facts=facts,
        operation_id=[0.0, 1.0, 2.0],
    )
    return sides._judge(
        of, of.configurations[0], sorted(found), found, record(Alone, **PLACE | place), LIMITS
    )


@pytest.mark.parametrize(
    ("read", "write", "verdict", "reason"),
    [
        (15.0, 7.5, READER, "backup read"),
        (14.9, 5.0, UNDECIDED, "neither"),
        (15.0, 7.6, UNDECIDED, "neither"),
        (7.5, 15.0, WRITER, "backup write"),
        (None, 15.0, UNDECIDED, "backup without read"),
        (15.0, None, UNDECIDED, "backup without write"),
        (None, None, UNDECIDED, "backup without read"),
    ],
)
def test_the_side_that_waits_twice_as_long_caps_it(read, write, verdict, reason):
    found = judged(watched(read, write))
    assert (found.verdict, found.reason) == (verdict, reason)


def test_what_was_seen_of_a_configuration():
    beside = [of_host(0, "cpu", 30.0), of_host(0, "card_sent_busy", 20.0), of_host(0, "network_sent", 1e7)]
    found = judged(watched(5.0, 6.0, beside=beside))
    assert (found.read, found.write) == (side(READ, ("F:", 5.0, 100.0)), side(WRITE, ("E:", 6.0, 90.0)))
    assert (found.cpu, found.card_busy, found.network_rate) == (30.0, 20.0, 1e7)
    assert (found.samples, found.runs, found.mb_per_s, found.is_inferred) == (40, 2, 150.0, False)
    assert found.ways == (found.read, found.write)


@pytest.mark.parametrize(
    ("busy", "devices", "verdict", "reason"),
    [
        (80.0, r"\\nas\share\x.bak", WRITER, "card"),
        (79.9, r"\\nas\share\x.bak", UNDECIDED, "backup without write"),
        (80.0, "https://account.blob/x.bak", WRITER, "card"),
        (80.0, r"E:\x.bak", UNDECIDED, "neither"),
        (None, r"\\nas\share\x.bak", UNDECIDED, "backup without write"),
    ],
)
def test_a_full_card_caps_a_backup_to_another_machine(busy, devices, verdict, reason):
    beside = [] if busy is None else [of_host(0, "card_sent_busy", busy)]
    found = judged(watched(beside=beside), {"device_names": devices})
    assert (found.verdict, found.reason) == (verdict, reason)


def test_a_restore_reads_the_backup_and_receives():
    rows = {
        0: [
            part(0, "disk_read", "E:", 90.0 * MB), part(0, "disk_read_ms", "E:", 5.0), part(0,
            "disk_written", "F:", 80.0 * MB),
            part(0, "disk_write_ms", "F:", 30.0), of_host(0, "card_received_busy", 40.0), of_host(0,
            "card_sent_busy", 9.0),
            of_host(0, "network_received", 7.0), of_host(0, "network_sent", 8.0),
        ]
    }  # fmt: skip
    found = judged(rows, operation="restore")
    assert (found.read, found.write) == (side(READ, ("E:", 5.0, 90.0)), side(WRITE, ("F:", 30.0, 80.0)))
    assert (found.verdict, found.reason, found.card_busy, found.network_rate) == (
        WRITER, "restore write", 40.0, 7.0,
    )  # fmt: skip
    full = {0: [*rows[0][:-4], of_host(0, "card_received_busy", 80.0)]}
    remote = judged(full, {"device_names": r"\\nas\share\x.bak"}, operation="restore")
    assert (remote.verdict, remote.reason) == (READER, "card")


# Backups to NUL.


@pytest.mark.parametrize(("rate", "verdict"), [(90.0, READER), (89.9, WRITER)])
def test_a_backup_to_nul_with_the_same_buffers_decides(rate, verdict):
    of = study({"rates": [rate]}, {"rates": [100.0], "media": "NUL"}, {"rates": [99.0], "buffer_count": 9})
    (test,) = sides.null_tests(of, LIMITS)
    assert (test.configuration, test.null) == (of.configurations[0], of.configurations[1])
    assert (round(test.share, 3), test.verdict) == (rate / 100, verdict)


@pytest.mark.parametrize("other", [{"buffer_count": 9}, {"max_transfer_size_kb": 64}, {"compression": True}])
def test_a_backup_to_nul_with_other_buffers_decides_nothing(other):
    assert (
        sides.null_tests(study({"rates": [90.0]}, {"rates": [100.0], "media": "NUL"} | other), LIMITS) == []
    )


def decided(*, null: str | None, by: str) -> StudySides:
    made = watched_study({"rates": [100.0]}, {"rates": [200.0], "buffer_count": 9}, verdicts=(by, UNDECIDED))
    if null:
        own = made.study.configurations
        made.nulls.append(NullTest(own[0], own[1], 0.95, null))
    return made


@pytest.mark.parametrize(
    ("null", "by", "verdict", "undecided", "has_finding"),
    [
        (None, UNDECIDED, UNDECIDED, 2, False),
        (None, READER, READER, 1, True),
        (WRITER, READER, WRITER, 1, True),
        (READER, UNDECIDED, READER, 1, True),
    ],
)
def test_a_backup_to_nul_decides_before_perfmon(null, by, verdict, undecided, has_finding):
    of = decided(null=null, by=by)
    assert of.verdict(of.study.configurations[0]) == verdict
    assert (len(of.undecided), of.has_finding) == (undecided, has_finding)


def test_a_configuration_that_nobody_saw_has_no_verdict():
    of = watched_study({"rates": [100.0]}, {"rates": [200.0], "buffer_count": 9}, verdicts=(READER,))
    assert of.verdict(of.study.configurations[1]) is None
    nobody = watched_study({"rates": [100.0]})
    assert nobody.has_finding is False


def test_the_volume_that_moved_most_over_several_configurations():
    of = watched_study({"rates": [1.0]}, {"rates": [2.0], "buffer_count": 9}, verdicts=(READER, READER))
    first, second = of.sides
    of.sides[1] = seen(of.study, 1, read=side(READ, ("F:", 5.0, 70.0), ("G:", 5.0, 130.0)), write=Side(WRITE))
    assert [(each.label, who, volume.name) for each, who, volume in of.most()] == [
        ("most read of one volume, mean of a configuration", of.sides[1], "G:"),
        ("most write of one volume, mean of a configuration", first, "E:"),
    ]
    assert StudySides(of.study, [second], []).most() == []
    still = [seen(of.study, n, read=side(READ, ("F:", None, 0.0)), write=Side(WRITE)) for n in (0, 1)]
    assert StudySides(of.study, still, []).most() == []


# What is told.


def test_each_side_that_caps_a_study_is_judged():
    of = watched_study(
        {"rates": [100.0]}, {"rates": [200.0], "buffer_count": 9}, {"rates": [90.0], "buffer_count": 11},
        verdicts=(READER, WRITER, UNDECIDED),
    )  # fmt: skip
    reader, writer = sides.limited([of])
    assert (reader.id, reader.said, reader.severity, reader.confidence) == (
        "backup.reader_limited", "limited", "notice", 0.75
    )  # fmt: skip
    assert (writer.id, writer.facts["side"]) == ("backup.writer_limited", "backup writer")
    assert reader.facts["seen"] is of.sides[0]
    assert (reader.facts["others"], reader.facts["rest"]) == ([], ["1 x DISK, 11 x 1,024 KB"])
    assert reader.subject == {"host": "A", "database": "Sales", "operation": "full backup"}
    assert texts(sides.say_sides, [of])["limited.by_study"]["caps"] == [
        ("backup reader", 1), ("backup writer", 1), ("", 1)
    ]  # fmt: skip
    assert sides.limited([watched_study({"rates": [100.0]}, verdicts=(UNDECIDED,))]) == []


def test_a_side_is_less_sure_where_its_volumes_are_inferred_and_surer_by_a_backup_to_nul():
    of = watched_study({"rates": [100.0]}, {"rates": [99.0], "buffer_count": 9}, verdicts=(READER, READER))
    of.sides[1] = seen(of.study, 1, READER, is_inferred=True)
    assert sides.limited([of])[0].confidence == 0.6
    own = of.study.configurations
    of.nulls.append(NullTest(own[0], own[1], 0.95, READER))
    made = sides.limited([of])[0]
    assert made.confidence == 0.85
    assert next((each.label, each.value, each.unit, each.source) for each in made.evidence) == (
        "1 x DISK, 7 x 1,024 KB: share of the backup to NUL", 0.95, "ratio", "ERRORLOG, n = 1 and 1"
    )  # fmt: skip
    assert made.facts["nulls"] == of.nulls


def test_the_evidence_of_a_side():
    of = watched_study({"rates": [100.0]}, verdicts=(READER,))
    of.sides[0] = seen(
        of.study, 0, READER, read=side(READ, ("F:", 20.4567891, 100.0), ("G:", None, 50.0)), card_busy=45.0
    )
    (made,) = sides.limited([of])
    name = "1 x DISK, 7 x 1,024 KB: "
    assert [(each.label, each.value, each.unit, each.source) for each in made.evidence] == [
        (f"{name}time of a read, mean", 20.457, "ms", "perfmon, F: and G:, n = 40"),
        (f"{name}read by all of F: and G:, mean", 157290000.0, "B/s", "perfmon, F: and G:, n = 40"),
        (f"{name}time of a write, mean", 6.0, "ms", "perfmon, E:, n = 40"),
        (f"{name}write by all of E:, mean", 104860000.0, "B/s", "perfmon, E:, n = 40"),
        (f"{name}CPU, mean", 20.0, "%", "perfmon, % Processor Time, n = 40"),
        (f"{name}network card, share of its bandwidth", 0.45, "ratio", "perfmon, network cards, n = 40"),
    ]


def test_volumes_that_hardly_move_still_stand_for_the_database_and_ones_that_do_not_move_never():
    def inferred(rate: float) -> list[str]:
        found = {0: [part(0, "disk_read", "F:", rate), part(0, "disk_written", "E:", 90.0 * MB)]}
        seen_of = judged(found, {"file_names": []})
        assert seen_of.is_inferred
        return seen_of.read.names

    assert [inferred(rate) for rate in (0.5, 9.0, 0.0)] == [["F:"], ["F:"], []]


def test_a_database_of_which_no_volume_was_seen_has_none():
    found = judged({0: [part(0, "disk_written", "E:", 90.0 * MB)]}, {"file_names": []})
    assert (found.read.names, found.is_inferred) == ([], True)
