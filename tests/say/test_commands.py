"""Names of a capture inside commands that are copied and run."""

from __future__ import annotations

import pytest

from agtrace.say.commands import identifier, literal


@pytest.mark.parametrize(
    ("name", "as_identifier", "as_literal"),
    [
        ("Sales", "[Sales]", "N'Sales'"),
        ("a]b", "[a]]b]", "N'a]b'"),
        ("it's", "[it's]", "N'it''s'"),
        (r"SQL1\DEV", r"[SQL1\DEV]", r"N'SQL1\DEV'"),
    ],
)
def test_a_name_is_quoted_as_t_sql_takes_it(name, as_identifier, as_literal):
    assert (identifier(name), literal(name)) == (as_identifier, as_literal)


@pytest.mark.parametrize("name", [None, "", "a`b", "two  spaces", "line\nbreak", "x" * 300, "\u202eSales"])
def test_a_name_that_text_would_change_is_a_gap(name):
    assert (identifier(name), literal(name)) == ("[...]", "N'...'")


def test_powershell_takes_a_string_without_a_prefix():
    assert literal("O'Neil", "") == "'O''Neil'"
