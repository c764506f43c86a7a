"""The colours of figures: one meaning each, on light paper and on dark."""

from __future__ import annotations

import re

from agtrace.report import scripts
from agtrace.say import colours
from agtrace.say.colours import COLOURS, DATABASES, HOSTS, RESOURCES, ROLES, STEPS
from tests.folded import folded

PAPER = (colours.INK, colours.FAINT, colours.GRID, colours.BAND)
EVERY = [*PAPER, *STEPS, *HOSTS, *DATABASES]
ON_DARK = dict(re.findall(r'"(#[0-9a-f]{6})": "(#[0-9a-f]{6})"', scripts.template("figures.js")))


def test_no_two_palettes_share_a_colour():
    assert len({each.lower() for each in EVERY}) == len(EVERY)


def test_every_colour_is_another_one_on_dark_paper():
    assert [each for each in EVERY if each.lower() not in ON_DARK] == []
    assert len(set(ON_DARK.values())) == len(ON_DARK)


def test_roles_and_resources_are_told_apart():
    for own in (ROLES, RESOURCES):
        assert len(set(own.values())) == len(own)
    assert set(ROLES.values()) <= set(COLOURS)


def test_a_host_has_its_colour_whichever_others_a_figure_shows():
    assert colours.host_colours(["B", "A", "B"]) == {"A": HOSTS[0], "B": HOSTS[1]}


@folded("colour", ON_DARK.values())
def test_a_colour_on_dark_paper_can_be_seen(colour):
    if colour in (ON_DARK["#ffffff"], ON_DARK[colours.GRID]):
        return  # the paper itself, and lines that are not to be seen first
    assert (_light(colour) + 0.05) / (_light(ON_DARK["#ffffff"]) + 0.05) >= 3


def _light(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.1)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
