"""``agtrace sample``: a bundled case to look at."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from agtrace.cli.options import verbose_option
from agtrace.cli.outcome import DONE
from agtrace.cli.terminal import one_line, say
from agtrace.errors import CaseError


@click.command("sample", short_help="Copy a sample case to look at.")
@click.argument("name", required=False)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder to make. Default: NAME in the current folder.",
)
@verbose_option
def command(name: str | None, out: Path | None) -> int:
    """Copy the captures of the sample NAME into a new folder; without NAME say which there are.

    \b
    agtrace sample
    agtrace sample failover_lease_cpu
    """
    from agtrace.bundled import sample, shows

    if name is None:
        about = shows()
        width = max(map(len, about), default=0)
        for each, text in about.items():
            say(f"{each.ljust(width)}  {text}")
        return DONE
    source, target = sample(name), out or Path(name)
    try:
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(".agtrace*", "agtrace-report"))
    except FileExistsError as error:
        raise CaseError(f"{target}: exists already", "name another folder with --out") from error
    except (OSError, shutil.Error) as error:
        raise CaseError(f"{target}: cannot be made ({error})") from error
    say(f"{one_line(str(target))}: {sum(path.is_file() for path in target.rglob('*')):,} captures")
    say(f"To look at them: agtrace report {one_line(str(target))}")
    return DONE
