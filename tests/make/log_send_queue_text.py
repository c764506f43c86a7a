"""The small text files of the case: ping output and robocopy logs, netsh output, as Windows writes them."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from tests.make.host_facts import NETSH_2012_R2, netsh_text, ping_text

FILE_BYTES = 10 * 2**30
"""The copied file: 10 GB as Explorer shows it."""


def lines(*text: str) -> bytes:
    """Give lines as Windows programs write them to a redirected file."""
    return ("\r\n".join(text) + "\r\n").encode("ascii")


def netsh(auto_tuning: str, rss: str) -> bytes:
    """Give ``netsh interface tcp show global`` of Windows Server 2012 R2."""
    settings = {"Receive-Side Scaling State": rss, "Receive Window Auto-Tuning Level": auto_tuning}
    return netsh_text(NETSH_2012_R2 | settings).encode("ascii")


def robocopy(host: str, bytes_per_second: int, started: datetime) -> bytes:
    """Give the log of ``robocopy c:\\temp\\ \\\\host\\temp file.zip`` for a 10 GB file.

    Without ``/BYTES``: sizes are rounded and carry a letter.
    """
    seconds = round(FILE_BYTES / bytes_per_second)
    took = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    rule = "-" * 78
    return lines(
        "",
        rule + "-",
        "   ROBOCOPY     ::     Robust File Copy for Windows                              ",
        rule + "-",
        "",
        f"  Started : {moment(started)}",
        "   Source : c:\\temp\\",
        f"     Dest : \\\\{host.lower()}\\temp\\",
        "",
        "    Files : file.zip",
        "\t    ",
        "  Options : /DCOPY:DA /COPY:DAT /R:1000000 /W:30 ",
        "",
        rule,
        "",
        "\t                   1\tc:\\temp\\",
        "\t    New File  \t\t  10.0 g\tfile.zip",
        *(f"{percent:3}%  " for percent in range(0, 101, 10)),
        "",
        rule,
        "",
        "               Total    Copied   Skipped  Mismatch    FAILED    Extras",
        "    Dirs :         1         0         1         0         0         0",
        "   Files :         1         1         0         0         0         0",
        "   Bytes :  10.000 g  10.000 g         0         0         0         0",
        f"   Times : {took:>9} {took:>9}                       0:00:00   0:00:00",
        "",
        "",
        f"   Speed : {bytes_per_second:19} Bytes/sec.",
        f"   Speed : {bytes_per_second * 60 / 2**20:19.3f} MegaBytes/min.",
        f"   Ended : {moment(started + timedelta(seconds=seconds))}",
        "",
    )


def moment(time: datetime) -> str:
    """Write a time as robocopy does on an English Windows."""
    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    months = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ]
    half = "AM" if time.hour < 12 else "PM"
    clock = f"{(time.hour - 1) % 12 + 1}:{time.minute:02}:{time.second:02} {half}"
    return f"{days[time.weekday()]}, {months[time.month - 1]} {time.day}, {time.year} {clock}"


def ping(
    host: str, address: str, mean_ms: float, swing_ms: float, chance: random.Random, count: int = 20
) -> bytes:
    """Give the output of ``ping -n 20 host``; a round trip below a millisecond reads ``time<1ms``."""
    times = [int(mean_ms + swing_ms * (2 * chance.random() - 1)) for _ in range(count)]
    return ping_text(f"{host}.corp.example", address, times).encode("ascii")
