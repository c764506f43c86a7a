"""What can be asked, and what is refused."""

from __future__ import annotations

import pytest

from agtrace.errors import CaseError
from agtrace.replay.change import Change


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"capacity": 0.0}, "capacity = 0.0 is no positive number"),
        ({"rtt_ms": float("nan")}, "rtt_ms = nan is no positive number"),
        ({"load": -1}, "load = -1 is no positive number"),
        ({"loss": 1.0}, "loss = 1.0 is no share of segments"),
        ({"window": "wide"}, "window = 'wide' is not known"),
        ({"commit": "async"}, "commit = 'async' is no commit mode"),
        ({"replicas": 9}, "replicas = 9 is no number of replicas"),
    ],
)
def test_a_value_that_no_chain_has_is_refused(given, said):
    with pytest.raises(CaseError, match=said):
        Change(**given)


def test_what_is_changed_is_named():
    assert Change(window="scaled", load=2.0).given == {"window": "scaled", "load": 2.0}
    assert Change().is_nothing
