"""Small captures of powercfg: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator

ACTIVE = "Power Scheme GUID: 381b4222-f694-41f0-9685-ff5bb260df2e  (Balanced)\n"
PLANS = """
Existing Power Schemes (* Active)
-----------------------------------
Power Scheme GUID: 381b4222-f694-41f0-9685-ff5bb260df2e  (Balanced)
Power Scheme GUID: 8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c  (High performance) *
Power Scheme GUID: a1841308-3541-4fab-bc81-f71556f20b4a  (Power saver)
"""


def captures() -> Iterator[tuple[str, bytes]]:
    yield "SQL1_PowerCfg.txt", PLANS.replace("\n", "\r\n").encode()
