"""Small texts of a Pacemaker cluster."""

from __future__ import annotations

from collections.abc import Iterator

LOG = """Mar 01 10:15:30.123 contoso-l1 pacemakerd          [1234] (main) \tnotice: Starting Pacemaker 2.1.6
Mar 01 10:15:31.001 contoso-l1 pacemaker-controld  [1240] (do_state_transition) \tnotice: State transition S_STARTING -> S_PENDING
"""  # noqa: E501

STATUS = """Cluster name: contosocl
Cluster Summary:
  * Stack: corosync (Pacemaker is running)
  * Current DC: contoso-l1 (version 2.1.6) - partition with quorum
"""


def captures() -> Iterator[tuple[str, bytes]]:
    yield "pacemaker.log", LOG.encode()
    yield "contoso-l1_os_pcs.info", STATUS.encode()
