"""``agtrace what-if``: replay of the captured load through a changed chain."""

from __future__ import annotations

from pathlib import Path

import click

from agtrace import strict_json
from agtrace.cli.options import Opening, case_argument, case_options, settings_option
from agtrace.cli.outcome import DONE
from agtrace.cli.terminal import say

POSITIVE = click.FloatRange(min=0, min_open=True)


@click.command("what-if")
@case_argument
@click.option(
    "--replica", metavar="NAME", help="Replica whose stream is replayed. Optional if there is only one."
)
@click.option("--window", type=click.Choice(["scaled"]), help="Scale the TCP receive window.")
@click.option("--capacity", type=POSITIVE, metavar="K", help="The path carries K times its observed limit.")
@click.option("--rtt", type=POSITIVE, metavar="MS", help="Round trip of the path in ms.")
@click.option(
    "--loss",
    type=click.FloatRange(0, 1, max_open=True),
    metavar="SHARE",
    help="Share of segments lost, 0 to 1.",
)
@click.option("--disk", type=POSITIVE, metavar="K", help="Make the replica's log disk K times as fast.")
@click.option("--redo", type=POSITIVE, metavar="K", help="Make the replica's redo K times as fast.")
@click.option("--compression", type=click.Choice(["on", "off"]), help="Compression of the log stream.")
@click.option("--commit", type=click.Choice(["synchronous", "asynchronous"]), help="Commit mode.")
@click.option("--load", type=POSITIVE, metavar="K", help="Generate K times the log.")
@click.option("--replicas", type=click.IntRange(1, 8), metavar="N", help="Wait for N such replicas.")
@click.option("--seeding", type=POSITIVE, metavar="MB/S", help="Reserve this much of the path for a seeding.")
@click.option("--json", "as_json", is_flag=True, help="Print the estimate as JSON (docs/what_if.md).")
@settings_option
@case_options
def command(
    case: Path | str,
    replica: str | None,
    window: str | None,
    capacity: float | None,
    rtt: float | None,
    loss: float | None,
    disk: float | None,
    redo: float | None,
    compression: str | None,
    commit: str | None,
    load: float | None,
    replicas: int | None,
    seeding: float | None,
    as_json: bool,
    thresholds: dict[str, float],
    opening: Opening,
) -> int:
    """Replay the captured load of CASE with a change and estimate queue, catch-up time and commits.

    Estimates have a 90 % band. They are offered only if replaying the unchanged load reproduces the
    captures; otherwise the reason is printed. Several changes apply together.

    \b
    agtrace what-if case-1234 --replica SQL3 --window scaled
    agtrace what-if case-1234 --replica SQL3 --rtt 20 --load 1.5 --json
    """
    from agtrace.replay.outcome import as_json as json_of

    with opening.open(case, thresholds=thresholds) as opened:
        found = opened.what_if(
            replica,
            window=window,
            capacity=capacity,
            rtt=rtt,
            loss=loss,
            disk=disk,
            redo=redo,
            compression=None if compression is None else compression == "on",
            commit=commit,
            load=load,
            replicas=replicas,
            seeding=None if seeding is None else seeding * 1e6,
        )
    if as_json:
        say(strict_json.dumps(json_of(found), indent=2))
    else:
        say(repr(found))
    return DONE
