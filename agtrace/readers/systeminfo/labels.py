"""The labels of systeminfo, in the order in which it writes them in every language.

Source: systeminfo of Windows 10 and Windows Server 2016 to 2022 in English and French.
"""

from __future__ import annotations

import re

LABELS = (
    "Host Name", "OS Name", "OS Version", "OS Manufacturer", "OS Configuration", "OS Build Type",
    "Registered Owner", "Registered Organization", "Product ID", "Original Install Date", "System Boot Time",
    "System Manufacturer", "System Model", "System Type", "Processor(s)", "BIOS Version", "Windows Directory",
    "System Directory", "Boot Device", "System Locale", "Input Locale", "Time Zone", "Total Physical Memory",
    "Available Physical Memory", "Virtual Memory: Max Size", "Virtual Memory: Available",
    "Virtual Memory: In Use", "Page File Location(s)", "Domain", "Logon Server", "Hotfix(s)",
    "Network Card(s)",
)  # fmt: skip

LISTS = frozenset({"Processor(s)", "Hotfix(s)", "Network Card(s)"})
"""Labels whose value begins with the number of entries below it."""

_FIGURE = re.compile(r"\d")
_ANCHORS = {
    "OS Name": re.compile("Windows"),
    "OS Version": re.compile(r"\d{1,3}\.\d{1,3}\.\d{1,6} .*\d$"),
    "OS Manufacturer": re.compile("Microsoft"),
    "System Type": re.compile("x64|ARM64|X86"),
    "Processor(s)": _FIGURE,
    "Windows Directory": re.compile(r"[A-Za-z]:\\[^\\]*$"),
    "System Directory": re.compile(r"[A-Za-z]:\\.*\\"),
    "Boot Device": re.compile(r"\\Device\\"),
    "Time Zone": re.compile(r"\((?:UTC|GMT)"),
    "Total Physical Memory": _FIGURE,
    "Available Physical Memory": _FIGURE,
    "Virtual Memory: Max Size": _FIGURE,
    "Virtual Memory: Available": _FIGURE,
    "Virtual Memory: In Use": _FIGURE,
}
"""Values that look the same in every language: where they do, the order was kept up to them."""


def fits(label: str, value: str) -> bool | None:
    """Return whether a value fits under a label; None if any value may."""
    anchor = _ANCHORS.get(label)
    return None if anchor is None else anchor.search(value) is not None
