"""``agtrace kit``: a folder for a customer, which collects the captures for a question."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from agtrace.cli.options import Opening, Place, case_options
from agtrace.cli.outcome import DONE
from agtrace.cli.terminal import one_line, say
from agtrace.errors import CaseError

if TYPE_CHECKING:
    from agtrace.kit import Plan

NAMES = ("transport", "seeding", "backup", "health", "commit")
"""The available kits; tests keep them equal to `agtrace.kit.kinds`, which is slow to import."""
VERSIONS = ("2014", "2016", "2017", "2019", "2022", "2025")


@click.command("kit")
@click.argument("name", required=False, type=click.Choice(NAMES), metavar="[NAME]")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder to create. Default: agtrace-kit-NAME in the current folder.",
)
@click.option(
    "--for",
    "case",
    type=Place(),
    metavar="CASE",
    help="Only what this case lacks, host by host. Without NAME: one folder for each question that the "
    "case answers in part.",
)
@click.option(
    "--version",
    type=click.Choice(VERSIONS),
    help="Version of SQL Server. Default: that of the case; otherwise the kit suits all versions.",
)
@case_options
def command(
    name: str | None, out: Path | None, case: Path | str | None, version: str | None, opening: Opening
) -> int:
    """Write a folder for a customer: scripts for Windows and Linux, and instructions to run them.

    NAME is the question: transport (a replica falls behind), seeding, backup, health (failovers) or commit
    (slow commits). The scripts change nothing except their own counters, events and trace flags, which
    they remove. The result is a case for agtrace report.

    \b
    agtrace kit
    agtrace kit transport -o for-the-customer
    agtrace kit seeding --version 2019
    agtrace kit --for case-1234 -o what-is-missing
    """
    if case is None:
        return _say_kits() if name is None else _write(name, out, version)
    return _write_for(case, name, out, version, opening)


def _say_kits() -> int:
    from agtrace.kit import kinds

    for each in kinds().values():
        say(f"{each.name:<10} {each.about}")
    return DONE


def _write(name: str, out: Path | None, version: str | None) -> int:
    from agtrace.kit import kind_of, plan, write

    planned = plan(kind_of(name), int(version) if version else None)
    target = out or Path(f"agtrace-kit-{name}")
    write(planned, target)
    _say_written(planned, target)
    return DONE


def _write_for(
    case: Path | str, name: str | None, out: Path | None, version: str | None, opening: Opening
) -> int:
    from agtrace.kit import write
    from agtrace.kit.lacking import lacking

    with opening.open(case) as opened:
        found = lacking(opened, [name] if name else [], int(version) if version else None)
    shown = one_line(str(case))
    if not found:
        say(f"{shown} lacks nothing that a kit collects.")
        return DONE
    whole = out or Path(f"agtrace-kit-{name or 'missing'}")
    if not name and whole.exists():
        raise CaseError(f"{whole}: exists already", "name another folder with --out")
    for each in found:
        target = whole if name else whole / each.plan.kind.name
        write(each.plan, target, case=Path(str(case)).name, hosts=each.hosts)
        _say_written(each.plan, target)
        for host, titles in each.hosts:
            say(f"  {one_line(host)}: {'; '.join(titles)}")
    return DONE


def _say_written(planned: Plan, target: Path) -> None:
    newest = VERSIONS[-1]
    for_version = planned.version or f"{planned.kind.least} to {newest}"
    say(f"{one_line(str(target))}: {planned.kind.about} (SQL Server {for_version})")
    say(f"To run it: {one_line(str(target / 'README.txt'))}")
