"""Compute the differences between the clocks of hosts, from connections that both ends logged."""

from __future__ import annotations

from agtrace.store import CaseView
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def estimate_skew(view: CaseView) -> None:
    """Fill ``skew`` from the ERRORLOGs, and from AlwaysOn_health for hosts whose ERRORLOGs are not there."""
    if len(view.rows("select host_id from hosts limit 2")) < 2:
        return
    if "connection" not in view.topics and not view.fields("error_reported"):
        return
    view.run(_sql("skew_told.sql"))
    if view.fields("error_reported") >= {"error_number", "message"}:
        view.run(_sql("skew_kept.sql"))
    view.run(_sql("skew.sql"))
