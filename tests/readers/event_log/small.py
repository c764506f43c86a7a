"""Small event logs of each dialect: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator

from simulation.formats.event_log import EVENTS, export_csv, german, logscout_csv, logscout_out, sdp_csv
from simulation.formats.evtx import evtx, evtx_of_templates


def captures() -> Iterator[tuple[str, bytes]]:
    yield "A_EventLog_System.csv", logscout_csv().encode("utf-16")
    yield "A_EventLog_System.out", logscout_out(when=german).encode()
    yield "A_System.csv", sdp_csv().encode()
    yield "export.csv", export_csv().encode()
    yield "System.evtx", evtx(EVENTS)
    yield "Templates.evtx", evtx_of_templates(EVENTS)
