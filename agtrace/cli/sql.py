"""``agtrace sql``: a query over a case, or over the results of many."""

from __future__ import annotations

import contextlib
import re
import sys
from pathlib import Path
from typing import TextIO

import click

from agtrace.cli.options import Opening, Place, case_options, settings_option
from agtrace.cli.outcome import DONE
from agtrace.cli.rows import write_csv, write_json, write_rows, write_table
from agtrace.cli.terminal import complain, one_line, say
from agtrace.errors import CaseError

WHOLE = re.compile(r"-?(0|[1-9]\d*)")
DECIMAL = re.compile(r"-?(0|[1-9]\d*)\.\d+")


def parse_parameters(
    _ctx: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, float | str]:
    """Parse ``NAME=VALUE`` into values by name: numbers if possible, else text; always text in quotes."""
    found: dict[str, float | str] = {}
    for each in values:
        name, equals, value = each.partition("=")
        if not equals or not name.isidentifier():
            raise click.BadParameter(f"{each!r} is not NAME=VALUE")
        found[name] = _value(value)
    return found


def _value(text: str) -> float | str:
    if WHOLE.fullmatch(text):
        return int(text)
    if DECIMAL.fullmatch(text):
        return float(text)
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == "'" else text


def show_recipes(ctx: click.Context, _parameter: click.Parameter, relation: str | None) -> None:
    """Print the recipes of a relation, and end."""
    if relation is None or ctx.resilient_parsing:
        return
    from agtrace.interactive.recipes import recipes_of

    for recipe in recipes_of(None if relation == "all" else relation):
        say(f"-- {recipe.relation}: {recipe.task}\n{recipe.query};\n")
    ctx.exit()


@click.command("sql")
@click.argument("place", metavar="CASE|RESULTS", type=Place())
@click.argument("query", required=False)
@click.option(
    "-f",
    "--file",
    "script",
    type=click.File(encoding="utf-8"),
    metavar="FILE",
    help="Read the query from a file; - is standard input.",
)
@click.option(
    "-p",
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    callback=parse_parameters,
    help="Value of $NAME in the query: a number, or text (force text with single quotes). Repeatable.",
)
@click.option(
    "--recipes",
    metavar="RELATION",
    is_eager=True,
    expose_value=False,
    callback=show_recipes,
    help="Print five queries to begin with for a relation, or for all; needs no case.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV, the default for pipes and files.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of rows as JSON.")
@click.option(
    "--parquet",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the rows to a Parquet file, with their types.",
)
@settings_option
@case_options
def command(
    place: Path | str,
    query: str | None,
    script: TextIO | None,
    parameters: dict[str, float | str],
    as_csv: bool,
    as_json: bool,
    parquet: Path | None,
    thresholds: dict[str, float],
    opening: Opening,
) -> int:
    """Run one query (DuckDB SQL) over the relations of docs/store.md and print the rows.

    CASE is the folder of a case, whose new captures are read first, or the output folder of 'agtrace
    batch' or 'agtrace watch', where each relation has a column "case". Terminals show a table, pipes
    get CSV. Queries cannot write.

    \b
    agtrace sql --recipes backups
    agtrace sql case-1234 "select * from backups"
    agtrace sql case-1234 'select * from roles where host_id = $host' -p host=SQL1 --json
    agtrace sql case-1234 "from samples join counters using (counter_id)" --parquet samples.parquet
    agtrace sql reports "select id, count(*) from findings group by all order by 2 desc"
    agtrace sql reports 'select "case", severity, title from findings' > findings.csv
    """
    import pyarrow as pa

    from agtrace.batch.asking import is_results, open_results, set_aside
    from agtrace.store.connection import asked

    if (query is None) == (script is None):
        raise click.UsageError("say one query: as an argument, or with --file")
    if as_csv + as_json + (parquet is not None) > 1:
        raise click.UsageError("--csv, --json and --parquet exclude each other")
    text = script.read() if script else query or ""
    with contextlib.ExitStack() as opened:
        if is_results(place, trust=opening.trust_store):
            results = opened.enter_context(open_results(place, trust_store=opening.trust_store))
            rows = asked(lambda one: results.sql(one, parameters), text)
        else:
            if why := set_aside(place, trust=opening.trust_store):
                complain(why)
            case = opened.enter_context(opening.open(place, thresholds=thresholds))
            rows = asked(lambda one: case.sql(one, parameters), text)
        try:
            if parquet is not None:
                say(f"{one_line(str(parquet))}: {write_rows(rows, parquet):,} rows")
            elif as_json:
                write_json(rows)
            elif as_csv or not sys.stdout.isatty():
                write_csv(rows)
            else:
                write_table(rows)
        except pa.ArrowException as error:
            # Errors of DuckDB while rows are streamed arrive as errors of Arrow.
            raise CaseError(f"the query: {' '.join(str(error).split())}") from error
    return DONE
