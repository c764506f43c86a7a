"""Seedings that were tried again and again and failed alike: told once, not a hundred times."""

from __future__ import annotations

from agtrace.diagnostics.seeding.failures import decode_all
from agtrace.diagnostics.seeding.study import Seeded, Study

FEW = 4
"""So many failures of one kind are still told one by one."""

Series = tuple[Seeded, ...]


def alike(found: Study) -> list[Series]:
    """Give the failures of one database between the same ends, for the same reasons, where many.

    Those that a later seeding mended are apart from those that nothing mended.
    """
    groups: dict[tuple[object, ...], list[Seeded]] = {}
    for each in found.seeded:
        operation = each.operation
        if operation.outcome not in ("failed", "cut_off"):
            continue
        mended = found.mended(operation)
        reasons = sorted(
            (d.failure.state is None, d.failure.state or 0, d.name, d.told)
            for d in decode_all(operation.failures)
        )
        key = (
            (operation.database or operation.database_guid or "").lower(),
            *((side.role, side.host) for side in operation.sides),
            operation.outcome,
            mended.number if mended else None,
            *reasons,
        )
        groups.setdefault(key, []).append(each)
    return [tuple(group) for group in groups.values() if len(group) > FEW]
