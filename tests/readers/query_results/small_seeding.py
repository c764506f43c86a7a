"""Small captures of exports of the seeding DMVs: what damage starts from, and texts that say the rest of what
it can say.
"""

from __future__ import annotations

from collections.abc import Iterator

from simulation.formats import seeding_dmv as dmv
from tests.readers.query_results.test_seeding_contract import COPIES

EXTRA = {
    "sampled_utc": "2020-01-02 03:04:05", "getdate": "2020-01-02 03:04:05", "server_name": "S",
    "free_bytes": 1, "read_bytes_per_second": 1, "age_ms": 2, "free_kb": 3, "free_mb": 4, "note": "kept",
}  # fmt: skip
TIME, ID = "2020-01-02 03:04:05.000", "0f8fad5b-d9cb-469f-a165-708677289501"
AUTOMATIC = dict.fromkeys(("start_time", "completion_time"), TIME) | dict.fromkeys(
    ("ag_id", "ag_db_id", "ag_remote_replica_id", "operation_id"), ID
)
FAILED = {"end_time_utc": TIME, "failure_message": "why", "failure_time_utc": "2020-01-02 03:04:05"}


def captures() -> Iterator[tuple[str, bytes]]:
    for number, write in enumerate((dmv.write_csv, dmv.write_ssms_text, dmv.write_json)):
        yield f"seeding_dmv{number}.txt", write(COPIES, dmv.PHYSICAL).encode()


def said() -> Iterator[tuple[str, bytes]]:
    """Yield rows with the columns that people add."""
    physical = [row | FAILED | EXTRA for row in COPIES]
    yield "physical.csv", dmv.write_csv(physical, (*dmv.PHYSICAL, *EXTRA)).encode()
    automatic = dict.fromkeys(dmv.AUTOMATIC, "1") | AUTOMATIC | EXTRA
    yield "automatic.csv", dmv.write_csv([automatic], (*dmv.AUTOMATIC, *EXTRA)).encode()
