"""Which questions used each capture, by what they declare to need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agtrace.diagnostics.need import Need
from agtrace.history.unused import given
from agtrace.measure.base import View

EVERY = "*"
"""Any counter at all."""


def used_by(view: View, needs: Mapping[str, Sequence[Need]]) -> dict[str, list[str]]:
    """Return the questions that used each content, by content_id, in the order of the report.

    Parameters
    ----------
    needs
        What each question needs, by its title. One that lacks what it cannot do without used nothing.
    """
    asked = {title: own for title, own in needs.items() if all(n.is_met(view) for n in own if n.lacking)}
    every = [need for own in asked.values() for need in own]
    relations, events = (
        {name for need in every if need.kind == kind for name in need.names} for kind in ("relation", "event")
    )
    return {
        content: [title for title, own in asked.items() if any(_meets(need, gave) for need in own)]
        for content, gave in given(view, relations, events).items()
    }


def _meets(need: Need, gave: set[tuple[str, str]]) -> bool:
    if need.kind == "counter" and EVERY in need.names:
        return any(kind == "counter" for kind, _name in gave)
    return any((need.kind, name) in gave for name in need.names)
