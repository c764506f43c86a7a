"""Runs are found by themselves: by hand, by seeding, and by the labels that people give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.history.seedings.compression import Compressed, Reason
from agtrace.history.transfers.by_hand import read_joins
from agtrace.history.transfers.run import GIVEN, MANUAL, SEEDING, TWO_STEPS
from tests.diagnostics.backup.cases import traced
from tests.diagnostics.comparison.cases import by_hand, found, joined, made, restored, seeding, steps
from tests.diagnostics.workload.cases import trial

PAGES = 12_800_000
BAK, SHARED = r"E:\Backup\db.bak", r"\\A\Backup\db.bak"
BACKUP = made("db", 415, 415, PAGES, BAK)
RESTORE = restored("db", 1445, 1030, PAGES, SHARED)


def only(view, operations=()):
    runs, told = found(view, operations)
    assert len(runs) == 1, runs
    return runs[0], told


# Backup, restore and join


def test_a_backup_its_restore_on_another_host_and_the_join_there():
    run, told = only(by_hand(BACKUP, RESTORE + joined("db", 1446)))
    assert steps(run) == "backup A 415, restore B 1030, join B 1"
    assert (run.method, run.database, run.source, run.target) == (MANUAL, "db", "A", "B")
    assert (run.seconds, run.database_bytes, run.unseen) == (1446, PAGES * 8192, ())
    assert told == []


def test_a_gap_is_a_step_of_its_own():
    late = restored("db", 1745, 1030, PAGES, SHARED)
    run, _told = only(by_hand(BACKUP, late + joined("db", 2000)))
    assert steps(run) == "backup A 415, wait 300, restore B 1030, wait 255, join B 0"
    assert run.seconds == 2000


def test_without_a_join_it_is_a_run_of_two_steps_and_says_so():
    run, _told = only(by_hand(BACKUP, RESTORE))
    assert (run.method, steps(run)) == (TWO_STEPS, "backup A 415, restore B 1030")
    assert run.unseen == ("no join of the database on B was captured: the run ends with its restore.",)


@pytest.mark.parametrize(
    ("restore", "settings"),
    [
        pytest.param(restored("db", 415 + 3700 + 1030, 1030, PAGES, SHARED), {}, id="gap too long"),
        pytest.param(restored("db", 415 + 130 + 1030, 1030, PAGES, SHARED),
                     {"thresholds": {"compare_gap_minutes": 2}}, id="gap longer than the case allows"),
        pytest.param(restored("other", 1445, 1030, PAGES, SHARED), {}, id="another database"),
        pytest.param(restored("db", 1445, 1030, 9_000_000, SHARED), {}, id="other pages"),
        pytest.param(restored("db", 1445, None, PAGES, r"\\A\Backup\old.bak"), {}, id="pages not known, "
        "another file"),
        pytest.param(restored("db", 400, 100, PAGES, SHARED), {}, id="began before the backup ended"),
    ],
)  # fmt: skip
def test_what_is_no_run(restore, settings):
    runs, told = found(by_hand(BACKUP, restore + joined("db", 9000), settings=settings))
    assert (runs, told) == ([], [])


def test_a_restore_on_the_same_host_is_no_run():
    assert found(by_hand(BACKUP + RESTORE, joined("db", 1446)))[0] == []


def test_a_join_too_late_belongs_to_no_run():
    run, _told = only(by_hand(BACKUP, RESTORE + joined("db", 1445 + 3700)))
    assert run.method == TWO_STEPS


def test_a_join_before_the_restore_is_another_one():
    run, _told = only(by_hand(BACKUP, joined("db", 10) + RESTORE))
    assert run.method == TWO_STEPS


def test_signs_of_one_join_make_its_length():
    signs = joined("db", 1445.2) + joined("db", 1448) + joined("db", 1700)
    run, _told = only(by_hand(BACKUP, RESTORE + signs))
    assert steps(run) == "backup A 415, restore B 1030, join B 3"


def test_the_statement_that_joins_is_one_of_its_signs():
    view = by_hand(BACKUP, RESTORE + joined("db", 1457))
    view.events.add("events_alwayson_ddl_executed")
    view.run(
        "create table events_alwayson_ddl_executed (_content_id varchar, _time timestamptz, statement "
        "varchar, ddl_phase varchar)"
    )
    view.run(
        "insert into events_alwayson_ddl_executed values "
        "('errorlog-1', '2024-03-04 12:24:15+00', 'alter database [DB] set hadr availability group = [g]', "
        "'begin'), "
        "('errorlog-1', '2024-03-04 12:24:16+00', 'alter database [DB] set hadr availability group = [g]', "
        "'commit'), "
        "('errorlog-0', '2024-03-04 12:24:14+00', 'alter availability group [g] add database [db]', 'begin')"
    )
    run, _told = only(view)
    assert steps(run) == "backup A 415, restore B 1030, wait 10, join B 2"


@pytest.mark.parametrize(
    ("name", "written"),
    [("[x]]y", "[[x]]]]y]"), ('say "x"', '"say ""x"""'), ("a b", "[a b]"), ("plain", "plain")],
)
def test_the_statement_names_a_database_in_any_quotes(name, written):
    view = by_hand([], joined(name, 1457))
    view.events.add("events_alwayson_ddl_executed")
    view.run(
        "create table events_alwayson_ddl_executed (_content_id varchar, _time timestamptz, statement "
        "varchar, ddl_phase varchar)"
    )
    view.run(
        "insert into events_alwayson_ddl_executed values ('errorlog-1', '2024-03-04 12:24:15+00', "
        f"'ALTER DATABASE {written} SET HADR AVAILABILITY GROUP = [g];', 'commit')"
    )
    joins = read_joins(view)
    assert [(host, what) for host, database, _time, what in joins if database == name] == [
        ("B", "statement commit"), ("B", "connection"),
    ]  # fmt: skip


def test_a_copy_on_a_server_where_the_database_never_joins_is_no_run():
    later = [(1445 + 3700, "spid9s", "Something else is said.")]
    runs, _told = found(by_hand(BACKUP, RESTORE + later))
    assert runs == []


def test_nightly_copies_on_a_test_server_are_no_runs():
    night = 86_400
    source, target = BACKUP, RESTORE
    for n in (1, 2):
        source = source + made("db", n * night + 415, 415, PAGES, BAK)
        target = target + restored("db", n * night + 1445, 1030, PAGES, SHARED)
    runs, _told = found(by_hand(source, target))
    assert runs == []


def test_a_label_makes_a_run_of_a_copy_that_never_joined():
    runs = "copy | | 2024-03-04T12:00:00 | 2024-03-04T12:30:00"
    later = [(1445 + 3700, "spid9s", "Something else is said.")]
    run, told = only(by_hand(BACKUP, RESTORE + later, runs=runs))
    assert (run.method, run.label, told) == (TWO_STEPS, "copy", [])


def test_a_host_whose_times_cannot_be_placed_is_said():
    runs, _told = found(by_hand(BACKUP, RESTORE + joined("db", 1446), utc=False))
    assert runs == []


def test_log_backups_and_restores_before_the_join_are_steps_of_it():
    log, share = r"E:\Backup\db.trn", r"\\A\Backup\db.trn"
    source = BACKUP + made("db", 1460, 10, 5000, log, log=True)
    target = RESTORE + restored("db", 1470, 8, 5000, share, log=True) + joined("db", 1471)
    run, _told = only(by_hand(source, target))
    assert steps(run) == (
        "backup A 415, restore B 1030, wait 5, log backup A 10, wait 2, log restore B 8, join B 1"
    )


def test_log_shipping_without_a_join_adds_no_steps():
    target = RESTORE + restored("db", 1470, 8, 5000, r"\\A\Backup\db.trn", log=True)
    run, _told = only(by_hand(BACKUP, target))
    assert steps(run) == "backup A 415, restore B 1030"


def test_where_the_begin_of_the_restore_was_not_captured_it_shares_a_step_with_the_wait():
    unknown = restored("db", 1445, None, PAGES, SHARED)
    run, _told = only(by_hand(BACKUP, unknown + joined("db", 1446)))
    assert steps(run) == "backup A 415, wait and restore B 1030, join B 1"
    assert run.unseen[0].startswith("when the restore on B began was not captured")


def test_where_the_begin_of_the_backup_was_not_captured_it_cannot_be_timed():
    runs, told = found(by_hand(BACKUP[:1], RESTORE + joined("db", 1446)))
    assert runs == []
    assert told == [
        "A backup of db on A was restored on B; when the backup began was not captured (message 3014, or "
        "trace flags "
        "3004 and 3605)."
    ]


def test_of_two_restores_the_one_that_led_to_the_join_counts():
    again = restored("db", 2500, 1030, PAGES, SHARED)
    run, _told = only(by_hand(BACKUP, RESTORE + again + joined("db", 2501)))
    assert steps(run) == "backup A 415, wait 1055, restore B 1030, join B 1"


def test_two_secondaries_are_two_runs():
    view = by_hand(BACKUP, RESTORE + joined("db", 1446))
    view.run(
        "insert into messages select replace(content_id, '1', '2') as content_id, 'C' as host_id, "
        "* exclude (content_id, host_id) from messages where host_id = 'B'"
    )
    view.run(
        "insert into captures by name select * replace ('errorlog-2' as content_id, 'errorlog-2' as "
        "capture_id, "
        "'C' as host_id) from captures where host_id = 'B' and kind = 'SQL Server ERRORLOG'"
    )
    runs, _told = found(view)
    assert [(run.number, run.source, run.target) for run in runs] == [(1, "A", "B"), (2, "A", "C")]


def test_the_stream_of_a_seeding_is_no_backup_by_hand():
    device = "{2105F23C-13D4-5445-B03C-38C55B760B7F}"
    source = made("db", 415, 415, PAGES, device, media="VIRTUAL_DEVICE")
    target = restored("db", 416, 0.5, PAGES, device)
    assert found(by_hand(source, target + joined("db", 417)))[0] == []


def test_whether_the_backup_was_compressed_is_a_factor_where_it_was_traced():
    source = traced("db", 0, 415, pages=PAGES, devices=f"'{BAK}'", sets=3)
    run, _told = only(by_hand(source, restored("db", 1445, 1030, PAGES, SHARED)))
    assert run.factors == (("backup compression", "on"),)


# Seeding


def test_a_seeding_is_cut_by_its_states():
    run, _told = only(by_hand([], []), [seeding(0, 53, 441, 480, slot=2)])
    assert run.method == SEEDING
    assert steps(run) == "request 2, wait for a slot A 51, copy 388, catch-up B 39"
    assert (run.seconds, run.database_bytes) == (480, 100_000_000_000)


def test_of_a_seeding_whose_states_are_unknown_the_copy_is_what_is_left():
    operation = seeding(53, 53, 441, 441)
    blind = replace(operation, source=replace(operation.source, states=()), target=None)
    run, _told = only(by_hand([], []), [blind])
    assert steps(run) == "copy 388"
    assert run.unseen == ("its states were not captured: its duration is that of the copy alone.",)


@pytest.mark.parametrize("outcome", ["failed", "cut_off", "running"])
def test_a_seeding_that_did_not_complete_is_no_run(outcome):
    runs, _told = found(by_hand([], []), [seeding(0, 5, 400, 480, outcome=outcome)])
    assert runs == []


@pytest.mark.parametrize(
    ("flag", "verdict", "factor"),
    [
        (True, True, "trace flag 9567 on"),
        (False, False, "trace flag 9567 off"),
        (None, True, "compressed"),
        (None, False, "not compressed"),
        (None, None, None),
    ],
)
def test_compression_is_a_factor(flag, verdict, factor):
    from agtrace.history.transfers.seeded import find

    judged = {1: Compressed(verdict, 0.4, 1.0, 1, False, flag, Reason("decided"))}
    ((run,), _others) = find([seeding(0, 5, 400, 480)], judged)
    assert dict(run.factors).get("compression") == factor


# Labelled windows

DAY = "2024-03-05T12"


def test_a_label_names_the_run_that_lies_in_its_window_and_adds_its_factors():
    runs = f"tier 1 | disk=premium | {DAY}:00:00 | {DAY}:09:00"
    run, told = only(by_hand([], [], runs=runs), [seeding(0, 53, 441, 480)])
    assert (run.label, run.run_id, run.factors, run.method) == (
        "tier 1",
        "0",
        (("disk", "premium"),),
        SEEDING,
    )
    assert told == []


def test_one_label_over_several_runs_gives_its_factors_to_each():
    runs = f"premium | disk=premium | {DAY}:00:00 | {DAY}:59:00"
    view = by_hand([], [], runs=runs)
    named, _told = found(view, [seeding(0, 5, 400, 480), seeding(1000, 1005, 1400, 1480, number=2)])
    assert [run.label for run in named] == ["premium", "premium"]


def test_a_window_that_holds_no_run_is_one_by_itself():
    runs = f"""
    seeding, as labelled | | {DAY}:00:00 | {DAY}:08:00
    part of it | | {DAY}:01:00 | {DAY}:02:00
    idle | load=none | {DAY}:30:00 | {DAY}:40:00
    """
    named, told = found(by_hand([], [], runs=runs), [seeding(0, 53, 441, 480)])
    assert [(run.label, run.method, run.seconds) for run in named] == [
        ("seeding, as labelled", SEEDING, 480),
        ("part of it", GIVEN, 60),
        ("idle", GIVEN, 600),
    ]
    assert told == []


def test_windows_that_other_pages_compare_are_left_to_them():
    runs = f"""
    users 4 | | {DAY}:00:00 | {DAY}:08:00
    buffers 7 | | 2024-03-04T12:00:00 | 2024-03-04T12:30:00
    """
    view = by_hand(traced("db", 10, 60), [], runs=runs)
    trial(view, "plain", 4, tpm=100.0, run_s=100.0, at=60)
    named, _told = found(view)
    assert named == []
