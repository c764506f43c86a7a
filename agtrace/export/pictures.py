"""Figures as PNG files, drawn by a browser of this machine through kaleido, without the network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace import interrupts
from agtrace.errors import AgtraceError, in_one_line
from agtrace.extras import need
from agtrace.report.browser import find_browser

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

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
    """Write a PNG of each figure; those that fail are added to the failures of the contents.

    Parameters
    ----------
    place
        Returns the path of a file by its name.
    contents
        The figures.
    """
    pictures = [(place(f"{name}.png"), figure) for name, figure in contents.figures()]
    draw(pictures)
    for path, _figure in pictures:
        if not path.is_file():
            contents.failures.append(f"{path.name}: the browser did not draw it")


def draw(pictures: Sequence[tuple[Path, Figure]], scale: int = SCALE) -> None:
    """Draw figures into PNG files; one that fails is not there.

    Raises
    ------
    MissingExtraError
        The extra ``export`` is not installed.
    AgtraceError
        There is no browser, or it failed.
    """
    if not pictures:
        return
    browser = check_installed()
    import kaleido

    drawn = [
        {
            "fig": figure.to_dict(),
            "path": path,
            "opts": {"format": "png", "width": WIDTH, "height": figure.layout.height, "scale": scale},
        }
        for path, figure in pictures
    ]
    try:
        # Its own default would fetch the typesetter of formulas from the network.
        kaleido.write_fig_from_object_sync(drawn, kopts={"mathjax": False, "path": browser})
    except Exception as error:
        interrupts.raise_again(error)
        raise AgtraceError(f"the browser drew no figures: {in_one_line(error)}") from error
