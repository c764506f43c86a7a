"""Answers that are rows: of a query, and of the logs around a moment."""

from __future__ import annotations

import warnings

from agtrace.mcp import query as queries
from agtrace.mcp.answers import rows_of_frame
from agtrace.mcp.served import Served
from agtrace.mcp.untrusted import Answer
from agtrace.moments import moment


def sql(served: Served, case: str | None, query: str, most: int) -> Answer:
    """Return the first rows of a query."""
    name = served.name_of(case)
    rows, columns, is_more = queries.run(served.case(name), query, most)
    more = "aggregate, or select fewer rows and columns; most raises the number of rows"
    data = {"case": name, "columns": columns, "rows": rows}
    return Answer(data, "rows", total=None if is_more else len(rows), more=more)


def log_around(
    served: Served, case: str | None, time: str, minutes: float, host: str | None, local: bool, most: int
) -> Answer:
    """Return the lines nearest to a moment, in order of time."""
    name = served.name_of(case)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", UserWarning)
        found = served.case(name).around(time, minutes, host=host, tz="local" if local else "UTC")
    total, window = len(found), found.attrs["window"]
    if total > most:
        asked = moment(time, naive=local)
        distance = (found["time_local" if local else "time"] - asked).abs()
        found = found.loc[distance.sort_values(kind="stable").index[:most].sort_values()]
    data = {
        "case": name,
        "window": window,
        "notes": [str(each.message) for each in warned],
        "lines": rows_of_frame(found),
    }
    return Answer(data, "lines", total=total, more="ask for fewer minutes or one host")
