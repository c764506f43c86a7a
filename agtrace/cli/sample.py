"""``agtrace sample``: a bundled case for trying out agtrace."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

import click

from agtrace.cli.options import verbose_option
from agtrace.cli.outcome import DONE
from agtrace.cli.terminal import one_line, say
from agtrace.errors import CaseError, is_full

TUTORIALS = "tutorials"


@click.command("sample")
@click.argument("name", required=False)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder to create. Default: NAME in the current folder.",
)
@verbose_option
def command(name: str | None, out: Path | None) -> int:
    """Copy the captures of the sample NAME into a new folder. Without NAME, list the samples.

    "agtrace sample tutorials" copies eight notebooks that explain the samples.

    \b
    agtrace sample
    agtrace sample failover_lease_cpu
    """
    from agtrace.bundled import sample, shows, tutorials

    if name is None:
        about = shows()
        width = max(map(len, about), default=0)
        for each, text in about.items():
            say(f"{each.ljust(width)}  {text}")
        return DONE
    if name == TUTORIALS:
        target = out or Path(name)
        _copy(tutorials(), target)
        say(f"{one_line(str(target))}: {len(list(target.glob('*.ipynb')))} notebooks")
        say(f"Next: jupyter lab {one_line(str(target))}")
        return DONE
    source, target = sample(name), out or Path(name)
    _copy(source, target)
    say(f"{one_line(str(target))}: {sum(path.is_file() for path in target.rglob('*')):,} captures")
    say(f"Next: agtrace report {one_line(str(target))}")
    return DONE


def _copy(source: Path, target: Path) -> None:
    """Copy a sample atomically.

    Raises
    ------
    CaseError
        The target exists, or cannot be created; no partial copy is left.
    """
    # Help is shown without the store.
    from agtrace.store.files import TEMPORARY

    if os.path.lexists(target):
        raise CaseError(f"{target}: exists already", "name another folder with --out")
    made = [folder for folder in target.absolute().parents if not folder.exists()]
    staged = target.with_name(f".{target.name}.{os.urandom(4).hex()}{TEMPORARY}")
    try:
        shutil.copytree(source, staged, ignore=shutil.ignore_patterns(".agtrace*", "agtrace-report"))
        staged.rename(target)
    except BaseException as error:
        shutil.rmtree(staged, ignore_errors=True)
        for folder in made:
            with contextlib.suppress(OSError):
                folder.rmdir()
        if is_full(error):
            raise CaseError(
                f"{target}: the disk is full", "free some space, or name another --out"
            ) from error
        if isinstance(error, OSError):
            raise CaseError(f"{target}: cannot be made ({error})") from error
        raise
