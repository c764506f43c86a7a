"""Small captures of every reader: what damage starts from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from tests.make import seeding_dmv as dmv
from tests.make.host_facts import NETSH_2012_R2, netsh_text, ping_text, robocopy_text, text_of
from tests.make.workload_tools import STRESS_HEAD, count_log, driver_console, stress_row, timed_log
from tests.readers.agent_logs.test_agent_logs import AGENT
from tests.readers.errorlog.test_contract import small_log
from tests.readers.hammerdb.test_hammerdb import REPORT
from tests.readers.netsh_tcp.test_netsh_tcp import POWERSHELL
from tests.readers.pdh_text.test_contract import typical_log as pdh_log
from tests.readers.perfmon_blg.test_contract import typical_log as blg_log
from tests.readers.ping.test_ping import LINUX
from tests.readers.seeding_dmv.test_contract import COPIES
from tests.readers.sqlquerystress.test_sqlquerystress import TEXT
from tests.readers.xel.test_xel import states

STARTED = datetime(2019, 3, 2, 10, 11, 12)


class Small(NamedTuple):
    """A capture in the form in which it lies in a folder."""

    reader: str
    name: str
    data: bytes


def small_captures() -> Iterator[Small]:
    """Give at least one capture of every reader."""
    yield Small("agent_logs", "SQLAGENT.OUT", AGENT.format("?").encode() * 20)
    yield Small("errorlog", "ERRORLOG", small_log().windows())
    yield Small("errorlog", "ERRORLOG.1", small_log().linux())
    yield Small("pdh_text", "perf.csv", pdh_log())
    yield Small("pdh_text", "perf.tsv", pdh_log(kind="TSV", encoding="utf-16-le", quote=""))
    yield Small("perfmon_blg", "perf.blg", blg_log(20))
    yield Small("xel", "AlwaysOn_health_0_131532683190890000.xel", states(20))
    texts = {
        "netsh_tcp": (netsh_text(NETSH_2012_R2), POWERSHELL),
        "ping": (ping_text("JBSAG3", "10.2.0.4", [31, 30, None, 33]), LINUX),
        "robocopy": (
            robocopy_text("\\\\jbsag3\\temp\\", started=STARTED, copied=10**9, speed=24_117_248),
        ),
        "hammerdb": (
            timed_log(STARTED, users=4, nopm=101_789, tpm=468_610),
            driver_console(users=2, minutes=3, readings=[0, 70_700, 70_788]),
            count_log(STARTED, [0, 324_540, 324_300]),
            json.dumps(REPORT, indent=2),
        ),
        "sqlquerystress": (text_of(STRESS_HEAD, _row(1), _row(2)), TEXT),
        "seeding_dmv": (
            dmv.write_csv(COPIES, dmv.PHYSICAL),
            dmv.write_ssms_text(COPIES, dmv.PHYSICAL),
            dmv.write_json(COPIES, dmv.PHYSICAL),
        ),
    }
    for reader, samples in texts.items():
        for number, text in enumerate(samples):
            yield Small(reader, f"{reader}{number}.txt", text.encode())


def _row(number: int) -> str:
    return stress_row(
        f"0f8fad5b-d9cb-469f-a165-70867728950{number}", "3/28/2019 10:15:02 AM", 3.09, number
    )
