"""The reports that several tests look at, each made once."""

from __future__ import annotations

import pytest

from agtrace.report import report
from simulation.formats.pdh_text import write_pdh
from tests.ready import made_once

HOST = "<img src=x onerror=alert(1)>"
DATABASE = "<script>alert(2)<_script>"


def pages_of(result):
    return [result.index, *result.pages.values()]


@pytest.fixture(scope="session")
def sample_report(read_sample, tmp_path_factory):
    """The report of the sample case, made once."""
    return made_once(
        tmp_path_factory, "sample report", lambda folder: report(read_sample, folder / "out", jobs=2)
    )


@pytest.fixture(scope="session")
def hostile_report(tmp_path_factory):
    """The report of a case whose host and database are markup."""
    return made_once(tmp_path_factory, "hostile report", _hostile)


def _hostile(case):
    named = [
        ("SQLServer:Database Replica", DATABASE, "Log Send Queue"),
        ("SQLServer:Database Replica", DATABASE, "Log Bytes Received/sec"),
        ("SQLServer:Database Replica", DATABASE, "Recovery Queue"),
        ("SQLServer:Availability Replica", f"{DATABASE}:{HOST}", "Bytes Received from Replica/sec"),
        ("SQLServer:Databases", DATABASE, "Log Bytes Flushed/sec"),
    ]
    paths = [f"\\\\{HOST}\\{name}({instance})\\{counter}" for name, instance, counter in named]
    rows = [[n * 1000, 5e5, 10, 5e5, 5e5] for n in range(60)]
    (case / "log.csv").write_bytes(
        write_pdh([*paths, f"\\\\{HOST}\\{HOST}\\{HOST}"], [[*r, 1] for r in rows])
    )
    (case / f"{DATABASE}.txt").write_text("not a capture")
    return report(case)
