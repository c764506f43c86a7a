"""Names of hosts compare in one way: first DNS label, upper case, cut to 15 characters."""

from __future__ import annotations

from agtrace.resolve.names import host_name, is_meant, same_host
from tests.folded import folded


@folded(
    ("written", "compared"),
    [
        ("sql1", "SQL1"),
        ("SQL1.corp.example", "SQL1"),
        (r"\\sql1", "SQL1"),
        (r"sql1.corp.example\ONE", "SQL1"),
        ("TCP://sql1.corp.example:5022", "SQL1"),
        ("sql1:5022", "SQL1"),
        ("192.168.2.30", "192.168.2.30"),
        ("tcp://192.168.2.30:5022", "192.168.2.30"),
        (r"\\192.168.2.30\ONE", "192.168.2.30"),
        (".", None),
        ("", None),
        (None, None),
    ],
)
def test_a_name_is_compared_by_its_first_label(written, compared):
    assert host_name(written) == compared


def test_a_name_cut_to_15_characters_is_the_same_host():
    assert same_host("SQLPRODUCTION01", "SQLPRODUCTION0123")
    assert same_host("SQLPRODUCTION0123", "SQLPRODUCTION01")
    assert not same_host("SQLPRODUCTION", "SQLPRODUCTION0123")


@folded(
    ("wanted", "meant"),
    [
        ("sql1", True),
        ("SQL1.corp.example", True),
        (r"\\SQL1", True),
        ("SQL?", True),
        ("sql*", True),
        ("SQL*.corp.example", True),
        ("SQL12", False),
        ("SQL[1]", False),
        ("", False),
    ],
)
def test_who_is_asked_for_may_be_a_glob_or_any_spelling(wanted, meant):
    assert is_meant("SQL1", wanted) is meant
