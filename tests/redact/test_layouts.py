"""Names in query results of every layout, in posts, events and samples are in no redacted file."""

from __future__ import annotations

import itertools

import pytest

from agtrace.ingest import ingest
from agtrace.redact import redact
from simulation.formats.query_results import LAYOUTS, Cell, Result
from simulation.formats.query_tables import TABLES
from tests.redact.searching import found

pytestmark = pytest.mark.complete

POST = """\
Dear {0},

> 2024-02-06 10:01:02.34 spid52      Login failed for user '{1}'. Reason: no. [CLIENT: 10.0.0.5]

replica_server_name\tdatabase_name\tis_suspended
{2}\t{3}\t1

| AGName | replica | DBName | sync_state |
|---|---|---|---|
| {4} | {5} | {6} | SYNCHRONIZED |

Thanks, {7}
"""
EVENTS = (
    "Event[0]:\r\n  Log Name: System\r\n  Source: Service Control Manager\r\n"
    "  Date: 2024-02-06T10:00:01.000\r\n  Event ID: 7034\r\n  User Name: {0}\\{1}\r\n  Computer: {2}\r\n"
    "  Description: \r\nThe {3} service ended.\r\n"
)
LINE = (
    r"sqlserver_performance,counter=Log\ Send\ Queue,instance={0},object=SQLServer:Database\ Replica,"
    "sql_instance={1} value=1 1707213600000000000\n"
)


def test_no_planted_name_is_found(tmp_path):
    case, secrets = tmp_path / "case", [f"Zq{number}kontor" for number in range(2_000)]
    case.mkdir()
    rest = iter(secrets)

    def planted(cell: Cell) -> Cell:
        return cell + next(rest) if isinstance(cell, str) and cell and not cell.isupper() else cell

    for name, layout in zip(TABLES, itertools.cycle(LAYOUTS), strict=False):
        rows = tuple(tuple(map(planted, row)) for row in TABLES[name].rows)
        (case / f"{name}.txt").write_text(LAYOUTS[layout](Result(TABLES[name].columns, rows)))
    for text, count, name in ((POST, 8, "post.txt"), (EVENTS, 4, "events.txt"), (LINE, 2, "telegraf.txt")):
        (case / name).write_text(text.format(*itertools.islice(rest, count)))
    assert ingest(case).usable
    redact(case, tmp_path / "out")
    assert next(rest) > "Zq50"
    assert found(tmp_path / "out", set(secrets)) == {}
