"""``agtrace sql``: a query over a case, or over the results of many."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import click

from agtrace.cli.options import Place, case_options
from agtrace.cli.outcome import DONE
from agtrace.cli.rows import write_csv, write_table
from agtrace.errors import CaseError


@click.command("sql", short_help="Ask a case, or the results of many cases, in SQL.")
@click.argument("place", metavar="CASE|RESULTS", type=Place())
@click.argument("query")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV, as into a pipe or file.")
@case_options
def command(
    place: Path | str,
    query: str,
    as_csv: bool,
    store: str | None,
    jobs: int | None,
    utc_offsets: dict[str, int | str],
    no_case_settings: bool,
    follow_links: bool,
    trust_store: bool,
) -> int:
    """Run one query (DuckDB's SQL) over the relations of docs/store.md, and print its rows.

    The first argument is the folder of a case, where what is new is read first, or the folder that
    'agtrace batch' or 'agtrace watch' wrote: there each relation has a column "case". Rows come as a
    table on a terminal, as CSV otherwise. A query only reads.

    \b
    agtrace sql case-1234 "select * from backups"
    agtrace sql reports "select id, count(*) from findings group by all order by 2 desc"
    agtrace sql reports 'select "case", severity, title from findings' > findings.csv
    """
    import pyarrow as pa

    from agtrace.batch.asking import is_results, open_results
    from agtrace.opening import open_case
    from agtrace.store.connection import asked

    with contextlib.ExitStack() as opened:
        if is_results(place):
            connection = opened.enter_context(open_results(place))
            rows = asked(connection.sql, query)
        else:
            case = opened.enter_context(
                open_case(
                    place,
                    store,
                    jobs=jobs,
                    utc_offsets=utc_offsets,
                    case_settings=not no_case_settings,
                    follow_links=follow_links,
                    trust_store=trust_store,
                )
            )
            rows = asked(case.sql, query)
        try:
            if as_csv or not sys.stdout.isatty():
                write_csv(rows)
            else:
                write_table(rows)
        except pa.ArrowException as error:
            # What DuckDB meets while rows are on their way comes as Arrow's error.
            raise CaseError(f"the query: {' '.join(str(error).split())}") from error
    return DONE
