"""The words of the paths to the replicas: how they differ, and what looks at or sets the TCP settings of a host."""

from __future__ import annotations

from agtrace.history.streams.paths import USUAL, Path, Settings
from agtrace.say import words

SHOW = "netsh interface tcp show global"
NETSH = "netsh interface tcp set global rss=enabled autotuninglevel=normal"
SHOW_ON_LINUX = "sysctl net.ipv4.tcp_window_scaling net.ipv4.tcp_moderate_rcvbuf net.ipv4.tcp_rmem"
SYSCTL = "sysctl -w net.ipv4.tcp_window_scaling=1 net.ipv4.tcp_moderate_rcvbuf=1"


def say(found: list[Path], looks: list[Settings]) -> str:
    """Say in Markdown how the paths differ, and which TCP settings are odd; "" for nothing."""
    told = []
    # Copies of several windows: what came first is told first.
    copies = dict.fromkeys((p.link.replica, p.copy) for p in found if p.copy is not None)
    if copies:
        each = [f"{words.wire_rate(speed)}, to {name}" for name, speed in copies]
        told.append(f"A copy of one large file ran at {words.listing(each)}.")
    odd: dict[tuple[str, str], list[str]] = {}
    for one in looks:
        for name in one.odd:
            odd.setdefault((name, one.values[name]), []).append(one.host or one.path)
    for (name, value), hosts in odd.items():
        usual = f"; Windows sets {USUAL[name]}" if name in USUAL else "; most hosts differ"
        told.append(f"{name} is {value} on {words.listing(list(dict.fromkeys(hosts)))}{usual}.")
    if looks and not odd:
        told.append("No TCP setting stands out.")
    return "\n".join(f"- {words.md(text, 600)}" for text in told)
