"""The questions of agtrace as attributes of a case, for type checkers and editors.

Each is created on first access (`agtrace.case.Case.__getattr__`); a test checks that the list is complete.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agtrace.diagnostics.access import Access
    from agtrace.diagnostics.backup import Backup
    from agtrace.diagnostics.commit_latency import CommitLatency
    from agtrace.diagnostics.comparison import Comparison
    from agtrace.diagnostics.database import Databases
    from agtrace.diagnostics.distributed import Distributed
    from agtrace.diagnostics.health import Health
    from agtrace.diagnostics.overview import Overview
    from agtrace.diagnostics.percentiles import Percentiles
    from agtrace.diagnostics.readable import Readable
    from agtrace.diagnostics.redo import Redo
    from agtrace.diagnostics.seeding import Seeding
    from agtrace.diagnostics.transport import Transport
    from agtrace.diagnostics.workload import Workload


class Questions:
    """The questions of a report, as attributes of a case."""

    if TYPE_CHECKING:
        access: Access
        backup: Backup
        commit_latency: CommitLatency
        comparison: Comparison
        database: Databases
        distributed: Distributed
        health: Health
        overview: Overview
        percentiles: Percentiles
        readable: Readable
        redo: Redo
        seeding: Seeding
        transport: Transport
        workload: Workload
