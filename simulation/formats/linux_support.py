"""What SQL LogScout leaves of a Linux host: raw counters, and reports of sysstat."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

WIDTHS = (("runtime", 23), ("object_name", 128), ("counter_name", 128), ("instance_name", 128),
          ("cntr_value", 20), ("cntr_type", 11))  # fmt: skip

Counter = tuple[str, str, str, int, int]
"""Object, counter, instance, value and type."""


def look(at: datetime, counters: Sequence[Counter], width: int = 80) -> str:
    """Return a snapshot, as sqlcmd breaks it at its screen width."""
    title = " ".join(name.ljust(size) for name, size in WIDTHS)
    rule = " ".join("-" * size for _name, size in WIDTHS)
    rows = []
    for group, counter, instance, value, kind in counters:
        stamp = at.isoformat(" ", "milliseconds")
        rows.append(f"{stamp:23} {group:128} {counter:128} {instance:128} {value:20} {kind:11}")
    lines = ["-- sql server performance counters --"]
    for text in (title, rule, *rows):
        lines += [text[begin : begin + width] for begin in range(0, len(text), width)]
    return "\n".join([*lines, "", ""])


MPSTAT = """Linux 5.14.0-362.el9.x86_64 (contoso-l1) \t03/01/2026 \t_x86_64_\t(2 CPU)

11:59:50 PM  CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
11:59:55 PM  all   10.00    1.00    4.00    5.00    0.50    1.50    0.00    0.00    0.00   78.00
11:59:55 PM    0   20.00    0.00    4.00    5.00    0.00    1.00    0.00    0.00    0.00   70.00

11:59:55 PM  CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
12:00:00 AM  all   50.00    0.00   10.00    0.00    0.00    0.00    0.00    0.00    0.00   40.00
12:00:00 AM    0   60.00    0.00   10.00    0.00    0.00    0.00    0.00    0.00    0.00   30.00

Average:     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
Average:     all   30.00    0.50    7.00    2.50    0.25    0.75    0.00    0.00    0.00   59.00
"""

IOSTAT = """Linux 5.14.0-362.el9.x86_64 (contoso-l1) \t03/01/2026 \t_x86_64_\t(2 CPU)

03/01/2026 10:15:45 AM
Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util
sda             10.00    100.00     0.00   0.00    2.50    10.00   20.00    400.00     0.00   0.00    5.00    20.00    0.00      0.00     0.00   0.00    0.00     0.00    0.00    0.00    0.12  25.00

03/01/2026 10:16:00 AM
Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util
sda              0.00      0.00     0.00   0.00    0.00     0.00    0.00      0.00     0.00   0.00    0.00     0.00    0.00      0.00     0.00   0.00    0.00     0.00    0.00    0.00    0.00   0.00
"""  # noqa: E501

SAR = """Linux 5.14.0-362.el9.x86_64 (contoso-l1) \t03/01/2026 \t_x86_64_\t(2 CPU)

10:15:30 AM     IFACE   rxpck/s   txpck/s    rxkB/s    txkB/s   rxcmp/s   txcmp/s  rxmcst/s   %ifutil
10:15:45 AM        lo      1.00      1.00      0.10      0.10      0.00      0.00      0.00      0.00
10:15:45 AM      eth0    200.00    300.00     50.00    100.00      0.00      0.00      0.00      0.01
"""
