"""What a database needs whose recovery something outside of it stopped."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.database import Databases
from tests.diagnostics.database.faults import FAULT, entries
from tests.diagnostics.tiny import case


@pytest.mark.parametrize(
    ("error", "remedy"),
    [(33111, "certificate"), (5133, "create the folder"), (5149, "free space"), (3437, "MSDTC")],
)
def test_a_recovery_that_something_outside_stopped_is_resumed_and_not_seeded(error, remedy):
    made = entries(case(messages=FAULT), (95, 4, "spid20s", error, "text"), (100, 50, "spid20s", 3414, "x"))
    made.run("update messages set line = 50")
    (found,) = Databases(made).findings()
    assert remedy in found.recommendation
    assert "ot seed" in found.recommendation or "not damaged" in found.recommendation
