"""Small captures of TCP settings: what damage starts from, and texts that say the rest of what it can say."""

from __future__ import annotations

from collections.abc import Iterator

from simulation.formats.host_facts import NETSH_2008_R2, NETSH_2012_R2, NETSH_2019, netsh_text
from tests.readers.netsh_tcp.test_netsh_tcp import POWERSHELL

RARE = """NonSackRttResiliency          : Disabled
MaxSynRetransmissions         : 2
ScalingHeuristics             : Disabled
"""


def captures() -> Iterator[tuple[str, bytes]]:
    yield "netsh_tcp0.txt", netsh_text(NETSH_2012_R2).encode()
    yield "netsh_tcp1.txt", POWERSHELL.encode()


def said() -> Iterator[tuple[str, bytes]]:
    more = NETSH_2008_R2 | NETSH_2019 | {"Proportional Rate Reduction": "enabled", "Quantum": "on"}
    heuristics = "** The above autotuninglevel setting is the result of Windows Scaling heuristics"
    text = netsh_text(more).rstrip() + f"\r\n\r\n{heuristics}\r\n"
    yield "netsh.txt", f"C:\\>netsh -r JBSAG3 interface tcp show global\r\n{text}".encode()
    settings = POWERSHELL.replace("Timestamps ", f"{RARE}Timestamps ")
    yield "settings.txt", f"[JBSAG1]: PS C:\\> Get-NetTCPSetting\n{settings}".encode()
