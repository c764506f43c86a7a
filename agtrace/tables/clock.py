"""The Arrow schema of the relation ``reference_clock``."""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import column, relation

REFERENCE_CLOCK = relation(
    "host, with how far its clock is ahead of the reference clock of the case",
    [
        column("host_id", pa.string(), "host", nullable=False),
        column(
            "reference_host",
            pa.string(),
            "host whose clock is the reference of the case; the same in each row",
            nullable=False,
        ),
        column(
            "by_host",
            pa.string(),
            "host whose clock its times use: the reference, or without a comparison to it, the host that "
            "it was compared with, or itself",
            nullable=False,
        ),
        column("ahead_us", pa.int64(), "how far its clock is ahead of by_host's; NULL: never compared", "us"),
    ],
)
