"""The small text files of the case: ping output and robocopy logs, netsh output, as Windows writes them."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from simulation.formats.host_facts import NETSH_2012_R2, netsh_text, ping_text

FILE_GB = 10
"""The copied file, in GB as Explorer shows it."""


def lines(*text: str) -> bytes:
    """Return lines as Windows programs write them to a redirected file."""
    return ("\r\n".join(text) + "\r\n").encode("ascii")


def netsh(auto_tuning: str, rss: str) -> bytes:
    """Return ``netsh interface tcp show global`` of Windows Server 2012 R2."""
    settings = {"Receive-Side Scaling State": rss, "Receive Window Auto-Tuning Level": auto_tuning}
    return netsh_text(NETSH_2012_R2 | settings).encode("ascii")


def robocopy(host: str, bytes_per_second: int, started: datetime, gigabytes: int = FILE_GB) -> bytes:
    """Return the log of ``robocopy c:\\temp\\ \\\\host\\temp file.zip`` for a file of some GB.

    Without ``/BYTES``: sizes are rounded and carry a letter.
    """
    seconds = round(gigabytes * 2**30 / bytes_per_second)
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
        f"\t    New File  \t\t{gigabytes:6.1f} g\tfile.zip",
        *(f"{percent:3}%  " for percent in range(0, 101, 10)),
        "",
        rule,
        "",
        "               Total    Copied   Skipped  Mismatch    FAILED    Extras",
        "    Dirs :         1         0         1         0         0         0",
        "   Files :         1         1         0         0         0         0",
        f"   Bytes :{gigabytes:8.3f} g{gigabytes:8.3f} g         0         0         0         0",
        f"   Times : {took:>9} {took:>9}                       0:00:00   0:00:00",
        "",
        "",
        f"   Speed : {bytes_per_second:19} Bytes/sec.",
        f"   Speed : {bytes_per_second * 60 / 2**20:19.3f} MegaBytes/min.",
        f"   Ended : {moment(started + timedelta(seconds=seconds))}",
        "",
    )


def handshakes(opened: list[tuple[str, str, int, float]], scales: tuple[int, ...], began: datetime) -> bytes:
    """Return what ``tshark -t ad`` prints for connections opened to port 5022.

    Parameters
    ----------
    opened
        Client, server, port of the client and round trip in seconds.
    scales
        Factors of the window scale that the server of each answers with; 0 for no option.
    """
    printed, time = [], began
    for (client, server, port, trip), factor in zip(opened, scales, strict=True):
        answer = f" WS={factor}" if factor else ""
        for sender, receiver, ports, flags in (
            (client, server, f"{port} → 5022", "[SYN] Seq=0 Win=65535 Len=0 MSS=1460 WS=256"),
            (server, client, f"5022 → {port}",
             f"[SYN, ACK] Seq=0 Ack=1 Win=65535 Len=0 MSS=1460{answer}"),
        ):  # fmt: skip
            number = len(printed) + 1
            printed.append(
                f"{number:5} {time:%Y-%m-%d %H:%M:%S.%f} {sender:>12} → {receiver:<12} TCP 66 {ports} "
                f"{flags} SACK_PERM=1"
            )
            time += timedelta(seconds=trip)
    return ("\n".join(printed) + "\n").encode()


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
    """Return the output of ``ping -n 20 host``; a round trip below a millisecond reads ``time<1ms``."""
    times = [int(mean_ms + swing_ms * (2 * chance.random() - 1)) for _ in range(count)]
    return ping_text(f"{host}.corp.example", address, times).encode("ascii")
