"""Cluster logs as Get-ClusterLog writes them."""

from __future__ import annotations

from datetime import datetime, timedelta

START = datetime(2026, 2, 28, 22, 10, 41, 4000)
STARVED = (
    "[RES] SQL Server Availability Group <AG1>: [hadrag] Lease timeout detected, logging perf counter data "
    "collected so far",
    "[RES] SQL Server Availability Group <AG1>: [hadrag] Date/Time, Processor time(%), Available "
    "memory(bytes), Avg disk read(secs), Avg disk write(secs)",
    "[RES] SQL Server Availability Group <AG1>: [hadrag] 2/28/2026 22:10:21.0, 98.412331, "
    "912341504.000000, 0.002113, 0.214400",
    "[RES] SQL Server Availability Group <AG1>: [hadrag] 2/28/2026 22:10:31.0, 99.000001, "
    "912341500.000000, 0.002000, 0.300000",
)


class ClusterLog:
    """Writes the log of a node, entry by entry.

    Parameters
    ----------
    offset_minutes
        What the log calls the offset: UTC minus local time.
    utc
        Whether it was generated in UTC.
    """

    def __init__(self, node: str = "CONTOSO1", offset_minutes: int = 300, *, utc: bool = False) -> None:
        self.time = START
        self._shift = timedelta(minutes=offset_minutes if utc else 0)
        words = "Coordinated Universal Time (UTC)" if utc else "local time"
        self.lines = [
            "[=== Cluster ===]",
            "",
            "UTC = localtime + time zone offset; the time zone offset of this machine is "
            f"{offset_minutes} minutes, or {offset_minutes / 60:g} hours",
            f"The logs were generated using {words}",
            f"Current node: name ({node}) id (1)",
            "",
            "[=== Resources ===]",
            "_embeddedFailureAction,_groupId,name",
            "2,11111111-2222-4333-8444-555555555555,AG1",
            "",
        ]

    def section(self, title: str) -> ClusterLog:
        self.lines += [f"[=== {title} ===]", ""]
        return self

    def add(self, level: str, text: str, *more: str, channel: str = "") -> ClusterLog:
        """Add an entry with its continuation lines, 250 ms after the last one."""
        at = self.time + self._shift
        stamp = f"{at:%Y/%m/%d-%H:%M:%S}.{at.microsecond // 1000:03}"
        front = f"[{channel}] " if channel else ""
        self.lines.append(f"{front}00001a2c.000020b8::{stamp} {level:5} {text}")
        self.lines += more
        self.time += timedelta(milliseconds=250)
        return self

    def text(self) -> str:
        return "\r\n".join(self.lines) + "\r\n"

    def windows(self) -> bytes:
        return self.text().encode("utf-16")


def starved(**more: object) -> ClusterLog:
    """Return a log of an expired lease, with its samples."""
    log = ClusterLog(**more)  # type: ignore[arg-type]
    log.section("System").add(
        "DBG", "Cluster node 'CONTOSO2' was removed.", "", "Run the wizard.", channel="System"
    )
    log.section("Cluster Logs")
    for level, text in zip(("ERR", "WARN", "WARN", "WARN"), STARVED, strict=True):
        log.add(level, text)
    log.add("INFO", "[RCM] move of group AG1 from CONTOSO1(1) to CONTOSO2(2) of type MoveType::Manual")
    return log.add("INFO", "MTimer(OneGroupMovetimer): [Total: 0 ms ( 0 s )]")


def over_the_end_of_daylight_saving(**more: bool) -> ClusterLog:
    """Return a log with two sections, in each of which the clock is set back by an hour."""
    log = ClusterLog(offset_minutes=300, **more).section("System")
    for _section in range(2):
        for minute in (30, 40, 50, 60, 65, 5, 10, 20, 80):
            log.time = datetime(2026, 11, 1, 0, 40) + timedelta(minutes=minute)
            log.add("INFO", f"at {minute}")
        log.section("Cluster Logs")
    return log
