"""A small log of SQL LogScout: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator

TEXT = (
    "2026-03-01 10:14:02.148\tINFO\tInitializing log C:\\out\\output\\internal\\##SQLLOGSCOUT.LOG \n"
    "2026-03-01 10:13:56.230\tINFO\tSQL LogScout version: 6.24.11.02 \n"
    "2026-03-01 10:14:02.659\tINFO\tPlease select one of the following scenarios:\n \n"
    "2026-03-01 10:14:02.677\tINFO\t0 \t Basic \n"
    "2026-03-01 10:14:32.077\tINFO\tScenario Console input: 1+4 \n"
    "2026-03-01 10:14:32.208\tINFO\tThe scenarios selected are: 'GeneralPerf AlwaysOn Basic' \n"
    "2026-03-01 10:14:41.911\tINFO\tYou selected instance 'CONTOSO1\\SALES' to collect diagnostic data.  \n"
    "2026-03-01 10:14:45.934\tINFO\tCollecting logs for 'GeneralPerf' scenario \n"
)


def captures() -> Iterator[tuple[str, bytes]]:
    yield "##SQLLOGSCOUT.LOG", TEXT.replace("\n", "\r\n").encode()
