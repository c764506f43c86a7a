"""Events of the Windows event logs, each once however many files tell it."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View


def make(view: View) -> dict[str, pa.Table]:
    """Give the events of all hosts in the order of time."""
    sql = Path(__file__).with_name("os_events.sql").read_text(encoding="utf-8")
    return {"os_events": view.table(sql)}


MAKER = Maker(("os_events",), make, Sources(tables=("os_events",)))
