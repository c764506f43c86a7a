"""Figures as PNG files, drawn by a browser of this machine through kaleido, without the network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace import interrupts
from agtrace.errors import AgtraceError, in_one_line
from agtrace.extras import need
from agtrace.report.browser import find_browser

if TYPE_CHECKING:
    from agtrace.export.contents import Contents

WIDTH = 1200
SCALE = 2


def check_installed() -> str:
    """Return the browser that draws; raise if it or the extra ``export`` is not installed.

    Raises
    ------
    MissingExtraError
        The extra is not.
    AgtraceError
        There is no browser.
    """
    need("export", "PNG", "kaleido", "plotly")
    return find_browser()


def write_pictures(place: Callable[[str], Path], contents: Contents) -> None:
    """Write a picture of each figure; those that fail are told in the contents.

    Parameters
    ----------
    place
        Gives the path of a file by its name.
    contents
        The figures.
    """
    import kaleido

    drawn = [
        {
            "fig": figure.to_dict(),
            "path": place(f"{name}.png"),
            "opts": {"format": "png", "width": WIDTH, "height": figure.layout.height, "scale": SCALE},
        }
        for name, figure in contents.figures()
    ]
    if not drawn:
        return
    try:
        # Its own default would fetch the typesetter of formulas from the network.
        kaleido.write_fig_from_object_sync(drawn, kopts={"mathjax": False, "path": check_installed()})
    except Exception as error:
        interrupts.raise_again(error)
        raise AgtraceError(f"the browser drew no figures: {in_one_line(error)}") from error
    for each in drawn:
        if not each["path"].is_file():
            contents.failures.append(f"{each['path'].name}: the browser did not draw it")
