"""How often the tests that repeat themselves do so: a few hundred times, or their full count.

``make thorough`` (``AGTRACE_TESTS=thorough``) runs the full counts by hand; every other run a small
fixed share of them with the same seeds, so that the loop of a change stays short. What a simulator
draws is drawn anew in every run, from a seed that a failure shows: ``AGTRACE_TESTS_SEED`` draws it again.
"""

from __future__ import annotations

import os
from random import SystemRandom

import pytest

from agtrace.testing.effort import IS_THOROUGH, SHORT, times

__all__ = ["IS_THOROUGH", "SHORT", "fresh_seed", "thorough", "times"]

thorough = pytest.mark.thorough
"""Marks the tests whose count grows, so that ``make thorough`` runs these alone."""


def fresh_seed() -> int:
    """Return the seed of this run: ``AGTRACE_TESTS_SEED``, else a new one."""
    given = os.environ.get("AGTRACE_TESTS_SEED")
    return int(given) if given else SystemRandom().randrange(10**6)
