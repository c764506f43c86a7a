"""Error numbers that texts name, and the product's own text of each."""

from __future__ import annotations

import pytest

from agtrace.say.error_texts import SQL_SERVER, WINDOWS, error_text, meanings, named_errors
from tests.folded import folded


@folded(
    ("text", "numbers"),
    [
        ("Error: 35206, Severity: 16, State: 1.", ["35206"]),
        ("No entry (35206, 35202) shows that", ["35206", "35202"]),
        ("encountered SQL Server error 41005, and the", ["41005"]),
        ("due to exception 41034.", ["41034"]),
        ("messages 1480: no, message 1480", ["1480"]),
        ("errors 823 or 824", []),
        ("error 823 or 3041", ["823", "3041"]),
        ("Operating system error 112(There is)", ["112"]),
        ("notification key 3 (Error code 5073).", ["5073"]),
        ("Error: 10054, an existing", ["10054"]),
        ("trace flag 1462", []),
        ("an error of 1480 ms", []),
        ("error 823.5 ms", []),
        ("message 99999", []),
        ("after 47104 events (47104)", ["47104"]),
        ("a share of (19406.5)", []),
        ("error 112", []),
    ],
)
def test_numbers_are_errors_where_the_text_names_them_so(text, numbers):
    found = list(named_errors(text))
    assert [each.number for each in found] == numbers
    assert [text[each.start : each.end] for each in found] == numbers


@pytest.mark.parametrize(
    ("number", "product", "text"),
    [
        (9001, SQL_SERVER, "The log for database '…' is not available"),
        (1480, SQL_SERVER, error_text(1480)[:-1] + "."),
        (41005, SQL_SERVER, "Failed to obtain the Windows Server Failover Clustering (WSFC) resource handle"),
        (
            41093,
            SQL_SERVER,
            "Always On: The local replica of availability group '…' is going offline because",
        ),
        (112, WINDOWS, "There is not enough space on the disk."),
        (112, SQL_SERVER, ""),
    ],
)
def test_a_text_is_that_of_its_product(number, product, text):
    found = error_text(number, product)
    assert found.startswith(text)
    assert bool(found) == bool(text)


def test_a_line_that_is_the_message_itself_is_not_explained():
    line = (
        "error_number=35202, severity=10, message=A connection for availability group 'AG' from availability"
    )
    assert meanings(line) == ""
    assert meanings("Failed (Error code 5073). Again: error code 5073") == (
        "5073: The cluster node is shutting down."
    )
