"""Streams of log from a primary to its replicas: who sent to whom and when, hop by hop, and what is known beside them."""

from __future__ import annotations

from pathlib import Path

from agtrace.history.base import Maker, Sources


def sql(name: str) -> str:
    """Read a query that lies beside this."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


MAKER = Maker((), lambda _view: {}, Sources())
