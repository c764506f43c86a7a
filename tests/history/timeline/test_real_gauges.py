"""Samples of processors in real files of system_health: on Linux no machine is busy because its gauge stands
still.
"""

from __future__ import annotations

import shutil

import pytest

import agtrace
from tests.shared import CAPTURES, needs_captures

STILL = (
    "HodHod", "IPSGeolocalization", "Restaurant", "SEP409-G13-CODE-BE", "WarehouseManagemen", "orders_api",
    "mssql__",
)  # fmt: skip
"""Files of SQL Server on Linux: idle is 0 in every sample."""


@needs_captures
@pytest.mark.parametrize("name", STILL)
def test_no_machine_is_busy_where_idle_is_0_in_every_sample(name, tmp_path):
    for path in (CAPTURES / "xel").glob(f"{name}*system_health*.xel"):
        shutil.copy(path, tmp_path)
    with agtrace.open_case(tmp_path) as opened:
        assert opened.sql("select * from timeline where kind = 'processors_busy'").fetchall() == []
        assert opened.sql("select count(*) from captures where reader = 'xel'").fetchall() != [(0,)]
