"""Arguments are checked against what the client was told, and errors name the nearest."""

from __future__ import annotations

import pytest

from agtrace.errors import CaseError
from agtrace.mcp.arguments import Parameter, arguments, schema
from agtrace.mcp.tools import TOOLS
from tests.folded import folded

PARAMETERS = (
    Parameter("query", "One SELECT.", is_needed=True),
    Parameter("most", "How many.", int, 100, 1, 1000),
    Parameter("minutes", "Length.", float, 1.0, 0.001, 60),
    Parameter("state", "Result.", choice=("problem", "fine")),
    Parameter("counters", "Names.", list),
    Parameter("local", "Local time.", bool, False),
)


def test_defaults_fill_what_is_left_out_or_null():
    assert arguments(PARAMETERS, {"query": "x", "most": None}) == {
        "query": "x", "most": 100, "minutes": 1.0, "state": None, "counters": None, "local": False,
    }  # fmt: skip


def test_values_that_clients_write_in_another_type_are_taken():
    found = arguments(PARAMETERS, {"query": "x", "most": 5.0, "minutes": 2, "counters": "Log"})
    assert (found["most"], found["minutes"], found["counters"]) == (5, 2.0, ["Log"])


@folded(
    ("given", "said"),
    [
        ({}, "the argument query is missing - One SELECT."),
        ({"querry": "x"}, "there is no argument 'querry' - nearest: query"),
        ({"zzz": 1}, "there is no argument 'zzz' - there are: query, most, minutes, state, counters, local"),
        ({"query": 1}, "query=1 is not a text"),
        ({"query": "x", "most": 0}, "most=0 is too small - at least 1"),
        ({"query": "x", "most": 10**9}, "most=1000000000 is too large - at most 1000"),
        ({"query": "x", "most": 1.5}, "most=1.5 is not a whole number"),
        ({"query": "x", "most": True}, "most=True is not a whole number"),
        ({"query": "x", "minutes": float("nan")}, "minutes=nan is too small"),
        ({"query": "x", "state": "fin"}, "state='fin' is not known - nearest: fine"),
        ({"query": "x", "counters": [1]}, "counters=[1] is not a list of texts"),
        ({"query": "x", "counters": ["a"] * 51}, "counters is too long"),
        ({"query": "x" * 20_001}, "query is too long - at most 20,000 characters"),
        ({"query": "x", "local": 1}, "local=1 is not a truth value"),
    ],
)
def test_a_wrong_argument_is_an_error(given, said):
    with pytest.raises(CaseError) as raised:
        arguments(PARAMETERS, given)
    assert str(raised.value).startswith(said)


def test_the_schema_has_the_same_bounds():
    told = schema(PARAMETERS)
    assert told["required"] == ["query"]
    assert told["additionalProperties"] is False
    assert told["properties"]["most"] == {
        "type": "integer", "description": "How many.", "minimum": 1, "maximum": 1000, "default": 100,
    }  # fmt: skip
    assert told["properties"]["state"]["enum"] == ["problem", "fine"]


@folded("tool", TOOLS)
def test_each_tool_takes_the_arguments_that_it_declares(tool):
    import inspect

    _served, *taken = inspect.signature(tool.answer).parameters
    assert taken == [each.name for each in tool.parameters]


def test_the_tools_cover_what_an_assistant_needs():
    assert [tool.name for tool in TOOLS] == [
        "list_cases", "summary", "findings", "checked", "relations", "sql", "log_around", "figure", "ticket",
        "what_to_capture",
    ]  # fmt: skip
