"""What a kit collects answers every need of its questions; what it leaves to somebody's hands is named."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

import agtrace
from agtrace import kit
from agtrace.kit.lacking import lacking
from simulation.formats.xel import Event, XelFile, event_schema, filetime
from simulation.groups.cast import guid
from simulation.kits.collected import Servers
from simulation.samples import backup_tuning, commit_cases, direct_seeding, health_cases, log_send_queue
from simulation.samples.seeding_case_dmv import physical_row

pytestmark = pytest.mark.complete

BY_HAND = {"transport": [("tcp_handshake",), ("robocopy",), ("log_blocks",), ("hadr_requests",)]}
"""Needs that no script of the kit meets: README.txt tells how somebody does (a packet capture, 1 GB copied);
the events of log blocks are those of the kit of commits, too many for half an hour; and in the simulated
case no task of redo waits."""

ROLE_CHANGE = (
    '2013-06-03 16:00:01.10 spid30s     The availability group database "TPCE" is changing roles from '
    '"RESOLVING" to "PRIMARY" because the mirroring session or availability group failed over due to role '
    "synchronization. This is an informational message only. No user action is required."
)
RECOVERED = (
    "{} spid30s     Recovery completed for database {} (database ID 5) in 90 second(s) (analysis 20000 ms, "
    "redo 60000 ms, undo 10000 ms.) This is an informational message only. No user action is required."
)
SEEDING_FAILED = (
    "2013-06-03 16:10:01.10 spid31s     Automatic seeding of availability database 'TPCE' in availability "
    "group 'AG1' failed with a transient error. The operation will be retried."
)


def note(log, text):
    """Append a line to an ERRORLOG: something that the life of a sample has no occasion for."""
    data = log.read_bytes()
    encoding = "utf-16-le" if data.startswith(b"\xff\xfe") else "ascii"
    log.write_bytes(data + f"{text}\r\n".encode(encoding))


def reverted(folder, moment):
    """Add an AlwaysOn_health file that reports a revert, as SQL Server 2019 CU15 and later do."""
    schema = event_schema("hadr_trace_message", {"hadr_message": "unicode_string"})
    base = filetime(moment)
    told = [Event(schema, 0, {"hadr_message": "[HADR] Reverting database [Sales]: 40% complete"})]
    file = XelFile(base=base, run=guid("run"), guid=guid("AlwaysOn_health"), schemas=(schema,))
    (folder / f"AlwaysOn_health_0_{base}.xel").write_bytes(file.write(told))


def transport(folder):
    log_send_queue.write_case(folder, ping=True, minutes=10)
    note(folder / "JBSAG3" / "ERRORLOG", RECOVERED.format("2019-08-20 08:30:00.10", "JBDB"))
    pair = ("JBSAG2", "JBSAG3")
    return Servers(folder, "JBSAG", pair, "JBDB", datetime(2019, 8, 20, 7, 30), hosts=pair)


def seeding(folder):
    direct_seeding.write_case(folder)
    model = direct_seeding.build()
    over = {
        "start_time": "2016-12-06 13:38:59.117",
        "completion_time": "2016-12-06 13:47:02.640",
        "ag_id": str(model.ag_id).upper(),
        "ag_db_id": str(model.database_guid).upper(),
        "operation_id": str(model.seedings[0].operation_ids[0]).upper(),
        "is_source": 1,
        "current_state": "COMPLETED",
        "performed_seeding": 1,
        "error_code": 0,
        "number_of_attempts": 1,
        "database_name": model.database,
        "ag_name": model.ag,
    }
    running = physical_row(model, model.source, model.seedings[0], model.seedings[0].copy.start + 60)
    shown = {name: str(value) if isinstance(value, datetime) else value for name, value in running.items()}
    views = {"AG_hadr_automatic_seeding": [over], "AG_hadr_physical_seeding_stats": [shown]}
    pair = (model.source.name, model.target.name)
    moment = datetime(2016, 12, 6, 12, 57)
    return Servers(
        folder, model.ag, pair, model.database, moment, hosts=pair, more={pair[0]: views, pair[1]: views}
    )


def backup(folder):
    backup_tuning.write_case(folder)
    alone = ("AZSQL01",)
    log = folder / "AZSQL01" / "ERRORLOG"
    note(log, ROLE_CHANGE)
    note(log, SEEDING_FAILED)
    note(
        log,
        "2013-06-03 16:10:30.10 spid60      Setting database option ENCRYPTION to ON for database 'TPCE'.",
    )
    note(
        log,
        r"2013-06-03 16:11:01.10 spid60      Zeroing E:\Data\T.mdf from page 0 to 131072 (0x0 to 0x40000000)",
    )
    note(log, r"2013-06-03 16:11:04.10 spid60      Zeroing completed on E:\Data\T.mdf")
    return Servers(folder, "AG1", (*alone, "AZSQL02"), "TPCE", datetime(2013, 6, 3, 12, 0), hosts=alone)


def health(folder):
    health_cases.write_case(folder, "failover_lease_cpu")
    stopped = "The Database Mirroring endpoint has stopped listening for connections."
    note(folder / "HASQL2" / "ERRORLOG", f"2024-02-06 10:06:00.10 Server      {stopped}")
    log = folder / "HASQL2" / "ERRORLOG"
    note(log, RECOVERED.format("2024-02-06 10:07:30.10", "Sales"))
    note(
        log, "2024-02-06 10:08:00.10 spid60      I/O is frozen on database Sales. No user action is required."
    )
    reverted(folder / "HASQL1", datetime(2024, 2, 6, 15, 6, tzinfo=UTC))
    pair = ("HASQL1", "HASQL2")
    return Servers(folder, "SalesAG", pair, "Sales", datetime(2024, 2, 6, 11, 0), hosts=pair)


def commit(folder):
    commit_cases.write_case(folder, "commit_redo")
    pair = ("SQL1", "SQL2")
    return Servers(folder, "SalesAG", pair, "Sales", datetime(2024, 3, 12, 9, 0), hosts=pair)


LIVES = {each.__name__: each for each in (transport, seeding, backup, health, commit)}


@pytest.fixture(params=LIVES)
def collected(request, tmp_path):
    """A kit, and the case that it collects of servers whose life is known."""
    servers = LIVES[request.param](tmp_path / "servers")
    kind = kit.kind_of(request.param)
    kit.write(kit.plan(kind), tmp_path / "kit")
    servers.run(tmp_path / "kit", tmp_path / "case", lambda path: set(agtrace.read_xel(path)))
    with agtrace.open_case(tmp_path / "case") as case:
        yield kind, servers, case


def test_every_need_is_met_and_every_question_answered(collected):
    kind, servers, case = collected
    assert [need.names for need in kind.needs if not need.is_met(case.view)] == BY_HAND.get(kind.name, [])
    assert case.unanswered(kind.questions) == {}
    assert set(case.captures["status"]) == {"ingested"}
    assert set(case.captures["host_id"]) == set(servers.hosts)
    # Nothing more is asked of these hosts.
    left = {host: titles for each in lacking(case, [kind.name]) for host, titles in each.hosts}
    assert [host for host in left if host in servers.hosts] == []
