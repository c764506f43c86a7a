"""What is told of an analysis that fails: where it broke in this package, nothing of what was captured."""

from __future__ import annotations

import pytest

from agtrace.diagnostics import failed
from agtrace.diagnostics.need import Need
from agtrace.errors import RelationError

pytestmark = pytest.mark.analysis_fails


def outside() -> Exception:
    try:
        raise KeyError("a secret")
    except KeyError as error:
        return error


def inside() -> Exception:
    """Return an error that passed this package on its way, and ends outside of it."""

    class Names(tuple):
        def __iter__(self):
            raise KeyError("a secret")

    try:
        Need("counter", Names("x"), "", "")
    except KeyError as error:
        return error
    raise AssertionError("it has to fail")


def told(error):
    one = failed.finding("redo", error)
    mark = one.evidence[3].value
    said = one.narrative.removesuffix(
        f" The other analyses do not rest on it. Failures of the same origin bear the same mark, {mark}."
    )
    return said, [(each.label, each.value) for each in one.evidence[:3]]


def test_an_error_from_elsewhere_has_no_place():
    assert told(outside()) == (
        "It ended with an internal error, KeyError in unknown.",
        [("analysis", "redo"), ("error", "KeyError"), ("place", "unknown")],
    )


def test_the_place_is_the_innermost_line_of_this_package():
    said, evidence = told(inside())
    place = evidence[2][1]
    assert place.startswith("agtrace.diagnostics.need:")
    assert said == f"It ended with an internal error, KeyError in {place}."


def test_of_a_relation_its_cause_is_told():
    said, evidence = told(RelationError("roles", outside()))
    assert said == (
        "The relation roles, on which it rests, ended with an internal error, KeyError in unknown."
    )
    assert evidence[1] == ("error", "KeyError")


def test_of_another_error_what_it_arose_from_is_not_told():
    error = ValueError("a secret")
    error.__cause__ = outside()
    assert told(error)[1][1] == ("error", "ValueError")


@pytest.mark.parametrize("error", [outside(), inside()])
def test_nothing_of_the_error_itself_is_told(error):
    assert "secret" not in repr(failed.finding("redo", error))
    assert failed.finding("redo", error).id == failed.ID
