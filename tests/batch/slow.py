"""A case that never ends, and what it has started by then."""

from __future__ import annotations

import time
from collections.abc import Callable

from agtrace import memory
from agtrace.batch.work import CaseJob, Worked, run_case
from agtrace.engines.base import Share
from agtrace.engines.workers import Workers
from tests.engines import works


def slow_case(job: CaseJob, seen: Callable[[int], None]) -> Worked:
    if job.name == "case1":
        Workers(1).submit(Share(1, memory.GB), works.sleep, 300)
        time.sleep(300)
    return run_case(job, seen)
