"""Small captures of perfmon text logs: what damage starts from, and texts that say the rest of what it can
say.
"""

from __future__ import annotations

from collections.abc import Iterator

from simulation.formats.pdh_text import write_pdh
from tests.readers.pdh_text.test_contract import typical_log


def captures() -> Iterator[tuple[str, bytes]]:
    yield "perf.csv", typical_log()
    yield "perf.tsv", typical_log(kind="TSV", encoding="utf-16-le", quote="")


def said() -> Iterator[tuple[str, bytes]]:
    yield "perf.csv", write_pdh([r"\\H\Memory\Available MBytes", "why it was collected"], [[1, ""]])
