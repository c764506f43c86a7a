"""The colours of figures: one meaning each within a page.

Items that can appear on one page have separate palettes without shared colours. In dark mode each colour is
replaced (report/templates/figures.js).
"""

from __future__ import annotations

from collections.abc import Iterable

# Okabe and Ito's palette: distinguishable with every common colour vision, and in grey.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#5C5C5C")
"""Of series that none of the palettes below applies to."""
INK = "#1f2933"
FAINT = "#7b8794"
GRID = "#e4e7eb"
BAND = "#f0a30a"

# Paul Tol's muted and medium-contrast schemes, also suitable for colour blindness; the pale ones last.
HOSTS = ("#332288", "#CC6677", "#117733", "#882255", "#44AA99", "#AA4499", "#999933", "#88CCEE", "#DDCC77")
DATABASES = ("#004488", "#997700", "#994455", "#6699CC", "#EE99AA", "#EECC66")
STEPS = (*COLOURS, "#8C510A", "#762A83")
"""Of the steps of log from a commit to its redo, and of the marks of a group's events."""

ROLES = {"primary": COLOURS[0], "secondary": COLOURS[2], "resolving": COLOURS[4], "away": COLOURS[6]}
"""Of a replica's role, including the timeline."""
RESOURCES = {"network": DATABASES[2], "disk": DATABASES[1], "redo": DATABASES[3]}
"""Of the resources that a copy uses."""


def host_colours(hosts: Iterable[str]) -> dict[str, str]:
    """Return the colour of each host of a case, the same in every figure that shows hosts."""
    return {host: HOSTS[n % len(HOSTS)] for n, host in enumerate(sorted(set(hosts)))}
