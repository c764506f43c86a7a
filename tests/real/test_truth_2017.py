"""No claim about the real group is false in any part of its files: each left out, each host alone, each kind
alone.
"""

from __future__ import annotations

from random import Random

import pytest

from tests.effort import IS_THOROUGH, fresh_seed, thorough
from tests.real.cases import parts_of_the_group
from tests.real.judged import findings
from tests.real.truth_2017 import false
from tests.shared import CAPTURES, needs_captures

pytestmark = pytest.mark.complete

ALWAYS = ("system_health alone", "AlwaysOn_health alone")
"""Parts that every run takes beside the one that it draws: they are small, and say least."""
PARTS = list(parts_of_the_group()) if CAPTURES.is_dir() else []


@needs_captures
@thorough
@pytest.mark.parametrize(
    "part", [one for one in PARTS if IS_THOROUGH or one.name.endswith(ALWAYS)], ids=lambda part: part.title
)
def test_a_part_of_the_files_says_less_and_never_something_else(part):
    assert list(false(findings(part))) == []


@needs_captures
def test_so_does_a_part_that_is_drawn():
    part = Random(fresh_seed()).choice(PARTS)
    assert list(false(findings(part))) == [], part.title
