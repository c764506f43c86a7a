"""Small captures of fltmc: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator

FILTERS = """
Filter Name                     Num Instances    Altitude    Frame
------------------------------  -------------  ------------  -----
WdFilter                                5       328010         0
bindflt                                 0       409800         0
AVLegacy                                        389998.99   <Legacy>
"""
INSTANCES = """
Filter                Volume Name                              Altitude        Instance Name       Frame   SprtFtrs  VlStatus
--------------------  -------------------------------------  ------------  ----------------------  -----   --------  --------
WdFilter              C:                                        328010     WdFilter Instance         0     0000000f
UCPD                                                            385250.5   UCPD - Top Instance       0     0000000f
WdFilter              \\Device\\Mup                               328010     WdFilter Instance         0     0000000f
"""  # noqa: E501


def captures() -> Iterator[tuple[str, bytes]]:
    yield "SQL1_20260301T1015558810_FLTMC_Filters.out", FILTERS.replace("\n", "\r\n").encode()
    yield "SQL1_20260301T1015558811_FLTMC_Instances.out", INSTANCES.replace("\n", "\r\n").encode()
