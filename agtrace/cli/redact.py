"""``agtrace redact``: a case without names, to be handed out, and the way back."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agtrace.cli.options import Opening, case_argument, case_options
from agtrace.cli.outcome import DONE, FAILED
from agtrace.cli.terminal import complain, one_line, say
from agtrace.errors import AgtraceError
from agtrace.printable import visible

LONGEST = 200
"""Characters of a line that are shown."""

if TYPE_CHECKING:
    from agtrace.redact.secret import Secret


@click.command("redact")
@case_argument
@click.argument("answer", required=False, type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder for the redacted case, outside the case.",
)
@click.option("--map", "is_map", is_flag=True, help="Translate ANSWER back: print it with the real names.")
@click.option(
    "--secret",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="File of the secret and its name map, created if missing. Use one file for all cases of a "
    "customer to compare them. Default: in your data folder, one per case.",
)
@click.option(
    "--around",
    metavar="TIME",
    help="Only what was logged around TIME (UTC unless it has an offset), and data without times: a "
    "small case that reproduces a wrong or missing finding.",
)
@click.option(
    "--minutes",
    type=float,
    default=15.0,
    show_default=True,
    metavar="N",
    help="Minutes before and after TIME.",
)
@case_options
def command(
    case: Path | str,
    answer: Path | None,
    out: Path | None,
    is_map: bool,
    secret: Path | None,
    around: str | None,
    minutes: float,
    opening: Opening,
) -> int:
    """Read new captures in the folder CASE and write its facts to DIR, without names.

    Hosts, instances, databases, groups, listeners, logins, domains, addresses, paths, devices, statements
    and ids become stable pseudonyms; text that cannot be judged is dropped and counted. Every command
    reads DIR with the same findings. Keep the secret and the map: they reverse the redaction. --map
    translates ANSWER (a file; default standard input) back.

    \b
    agtrace redact case-1234 -o to-send
    agtrace report to-send
    agtrace redact case-1234 -o to-send --around "2024-02-06 14:45:17"
    agtrace redact case-1234 --map answer.txt
    """
    if is_map == (out is not None) or (answer is not None and not is_map):
        raise click.UsageError(
            "give -o DIR for a case without names, or --map [ANSWER] to translate one back."
        )
    from agtrace.redact import redact, secret_of

    if is_map:
        say(visible(_translated(secret_of(case, opening.store, secret), answer).rstrip("\n")))
        return DONE
    from agtrace.cli.reading import read_new, say_redacted
    from agtrace.cli.shown import show_ingest
    from agtrace.moments import moment
    from agtrace.opening import nothing_usable
    from agtrace.redact.secret import read as read_secret

    if secret is not None and os.path.lexists(secret):
        # Before a case is read, which may take long.
        read_secret(secret)
    ingested = read_new(case, opening)
    show_ingest(ingested, str(case), most=10)
    if not ingested.usable:
        raise nothing_usable(case)
    made = redact(
        case,
        out or "",
        store=opening.store,
        secret=secret,
        case_settings=opening.case_settings,
        trust_store=opening.trust_store,
        around=None if around is None else moment(around),
        minutes=minutes,
    )
    say_redacted(made)
    _say_examples(made.examples)
    say(f"Redacted: {one_line(str(made.folder.absolute()))}")
    return FAILED if ingested.failed else DONE


def _say_examples(examples: list[tuple[str, str]]) -> None:
    """Show lines before and after, on standard error, since only the person redacting may see them."""
    if not examples:
        return
    complain("Check these lines before you send it (before and after; not part of the output):")
    for before, after in examples:
        complain(f"  - {one_line(before)[:LONGEST]}")
        complain(f"  + {one_line(after)[:LONGEST]}")


def _translated(secret: Secret, answer: Path | None) -> str:
    try:
        if answer is None or str(answer) == "-":
            return secret.translated(sys.stdin.read())
        return secret.translated(answer.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise AgtraceError(f"{answer}: {error.strerror or error}", "name the file with the answer") from error
