"""health.workers: the worker threads that groups need against those that there may be."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health import Health
from tests.behind import assert_facts
from tests.diagnostics.health.test_readiness import database, primary, secondary
from tests.diagnostics.tiny import case


def look(databases, *names):
    """Return a primary with databases, and replicas beside it."""
    rows = [primary(), *(secondary(name) for name in names)]
    return rows + [database("A", name=f"D{n}") for n in range(databases)]


STATE = "A | 500 | component_health | component=query_processing; max_workers={}; workers_created=90"


def judged(*rows, **more):
    found = Health(case(relations="\n".join(rows), **more)).findings()
    return [f for f in found if f.id == "health.workers"]


STARTED = """
A | startup | 0 | logical_processors | 4 | 10
A | startup | 0 | edition | Enterprise Edition (64-bit) | 10
A | startup | 0 | product_version | {} | 10
"""


@pytest.mark.complete
def test_what_is_set_counts_before_what_would_be_computed():
    option = "A | - | server_options | option=max worker threads; value=1000"
    assert judged(*look(159, "B", "C"), option, facts=STARTED.format("15.0.4261.1")) == []
    (found,) = judged(*look(160, "B", "C"), option, facts=STARTED.format("15.0.4261.1"))
    assert_facts(found, needed=480, most=1000, how="configured", left=960)
