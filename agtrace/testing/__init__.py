"""Checks that every reader and diagnostic must pass, in agtrace, in a plugin folder or in a package.

Call the functions from tests; they raise AssertionError and need no test framework. With pytest,
``pytest.register_assert_rewrite("agtrace.testing")`` in a conftest.py shows the differing values.
"""

from agtrace.testing.analyses import check_analysis
from agtrace.testing.contract import (
    Tables,
    check_cuts,
    check_declared,
    check_empty,
    check_flips,
    check_order,
    check_read_twice,
    check_reader,
    check_same,
    check_same_in_any_block_size,
    read_all,
)
from agtrace.testing.declared import undeclared
from agtrace.testing.texts import check_text_reader, facts, facts_of, is_detected, issue_kinds

__all__ = [
    "Tables",
    "check_analysis",
    "check_cuts",
    "check_declared",
    "check_empty",
    "check_flips",
    "check_order",
    "check_read_twice",
    "check_reader",
    "check_same",
    "check_same_in_any_block_size",
    "check_text_reader",
    "facts",
    "facts_of",
    "is_detected",
    "issue_kinds",
    "read_all",
    "undeclared",
]
