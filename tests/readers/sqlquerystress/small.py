"""Small captures of SQLQueryStress results: what damage starts from, and texts that say the rest of what it
can say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from simulation.formats.host_facts import text_of
from simulation.formats.workload_tools import STRESS_HEAD, stress_row
from tests.readers.sqlquerystress.test_sqlquerystress import JSON, TEXT


def captures() -> Iterator[tuple[str, bytes]]:
    yield "sqlquerystress0.txt", text_of(STRESS_HEAD, _row(1), _row(2)).encode()
    yield "sqlquerystress1.txt", TEXT.encode()


def said() -> Iterator[tuple[str, bytes]]:
    yield "result.json", json.dumps(JSON).encode()


def _row(number: int) -> str:
    return stress_row(f"0f8fad5b-d9cb-469f-a165-70867728950{number}", "3/28/2019 10:15:02 AM", 3.09, number)
