"""Writers of small console texts: netsh, robocopy and ping output as the tools print them."""

from __future__ import annotations

from datetime import datetime, timedelta

NETSH_2008_R2 = {
    "Receive-Side Scaling State": "enabled",
    "Chimney Offload State": "automatic",
    "NetDMA State": "enabled",
    "Direct Cache Acess (DCA)": "disabled",
    "Receive Window Auto-Tuning Level": "normal",
    "Add-On Congestion Control Provider": "ctcp",
    "ECN Capability": "disabled",
    "RFC 1323 Timestamps": "disabled",
}
NETSH_2012_R2 = NETSH_2008_R2 | {
    "Chimney Offload State": "disabled",
    "NetDMA State": "disabled",
    "Add-On Congestion Control Provider": "none",
    "ECN Capability": "enabled",
    "Initial RTO": "3000",
    "Receive Segment Coalescing State": "enabled",
    "Non Sack Rtt Resiliency": "disabled",
    "Max SYN Retransmissions": "2",
}
NETSH_2019 = {
    "Receive-Side Scaling State": "enabled",
    "Receive Window Auto-Tuning Level": "normal",
    "Add-On Congestion Control Provider": "default",
    "ECN Capability": "enabled",
    "RFC 1323 Timestamps": "disabled",
    "Initial RTO": "3000",
    "Receive Segment Coalescing State": "enabled",
    "Non Sack Rtt Resiliency": "disabled",
    "Max SYN Retransmissions": "2",
    "Fast Open": "disabled",
    "Fast Open Fallback": "enabled",
    "HyStart": "enabled",
    "Pacing Profile": "off",
}


def text_of(*lines: str, end: str = "\r\n") -> str:
    """Join lines, each with its line end."""
    return "".join(line + end for line in lines)


def netsh_text(values: dict[str, str], title: str = "TCP Global Parameters") -> str:
    """Return ``netsh interface tcp show global`` with these labels and values."""
    body = (f"{label:36}: {value} " for label, value in values.items())
    return text_of("Querying active state...", "", title, "-" * 46, *body, "")


def robocopy_text(
    destination: str,
    *,
    started: datetime,
    copied: int,
    speed: int,
    source: str = "c:\\temp\\",
    options: str = "/DCOPY:DA /COPY:DAT /R:1000000 /W:30",
) -> str:
    """Return the log of a copy of one file, with ``/BYTES`` (sizes in full)."""
    took = timedelta(seconds=round(copied / speed))
    return text_of(
        "",
        "-" * 79,
        "   ROBOCOPY     ::     Robust File Copy for Windows                              ",
        "-" * 79,
        "",
        f"  Started : {started:%A, %B} {started.day}, {started:%Y %I:%M:%S %p}",
        f"   Source : {source}",
        f"     Dest : {destination}",
        "",
        "    Files : file.zip",
        "\t    ",
        f"  Options : {options} ",
        "",
        "-" * 78,
        "",
        f"\t                   1\t{source}",
        f"\t    New File  \t\t{copied}\tfile.zip",
        "  0.0%\r 50.0%\r100%  ",
        "",
        "-" * 78,
        "",
        "               Total    Copied   Skipped  Mismatch    FAILED    Extras",
        "    Dirs :         1         0         1         0         0         0",
        "   Files :         1         1         0         0         0         0",
        f"   Bytes : {copied:9} {copied:9}         0         0         0         0",
        f"   Times : {took!s:>9} {took!s:>9}                       0:00:00   0:00:00",
        "",
        "",
        f"   Speed : {speed:19} Bytes/sec.",
        f"   Speed : {speed * 60 / 2**20:19.3f} MegaBytes/min.",
        f"   Ended : {started + took:%A, %B} {(started + took).day}, {started + took:%Y %I:%M:%S %p}",
        "",
    )


def ping_text(target: str, address: str, times_ms: list[int | None]) -> str:
    """Return Windows' ping output; None is a request that timed out."""
    answered = [time for time in times_ms if time is not None]
    lost = len(times_ms) - len(answered)
    replies = (
        "Request timed out."
        if time is None
        else f"Reply from {address}: bytes=32 time{f'={time}' if time else '<1'}ms TTL=118"
        for time in times_ms
    )
    summary = [
        f"Ping statistics for {address}:",
        f"    Packets: Sent = {len(times_ms)}, Received = {len(answered)}, "
        f"Lost = {lost} ({100 * lost // len(times_ms)}% loss),",
    ]
    if answered:
        mean = sum(answered) // len(answered)
        summary += [
            "Approximate round trip times in milli-seconds:",
            f"    Minimum = {min(answered)}ms, Maximum = {max(answered)}ms, Average = {mean}ms",
        ]
    announced = f"Pinging {target} [{address}] with 32 bytes of data:"
    return text_of("", announced, *replies, "", *summary)
