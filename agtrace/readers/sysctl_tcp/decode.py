"""From the text of ``sysctl`` to facts, topic ``tcp_sysctl``.

Source of names, units and order of values: Documentation/networking/ip-sysctl.rst of Linux.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agtrace.readers.fact_text import Decoded, Fact, Fault
from agtrace.readers.text_lines import Line, TextLines, lines_of

_LINE = re.compile(r"net[./](?P<of>ipv4[./]tcp|core)[_./](?P<name>[a-z_]{1,40}) = (?P<value>[^\r\n]{0,80})")
_FIRST = "net.ipv4.tcp_"
_SWITCHES = {
    "window_scaling": "[01]", "moderate_rcvbuf": "[01]", "timestamps": "[012]", "sack": "[01]",
    "slow_start_after_idle": "[01]", "mtu_probing": "[012]", "congestion_control": r"[\w-]{1,40}",
}  # fmt: skip
_THREE = {"rmem": ("rmem_min", "rmem_default", "rmem_max"), "wmem": ("wmem_min", "wmem_default", "wmem_max")}
_BYTES = re.compile(r"\d{1,12}")


def recognise(text: str) -> bool:
    """Return whether a text contains a line of the output with a known TCP setting."""
    return _FIRST in text.replace("/", ".") and any(_settings(lines_of([text])))


def decode(text: TextLines) -> Decoded:
    """Yield one item per output: a repeated setting begins the next one."""
    item, seen = 0, set[str]()
    for found in _settings(text):
        if isinstance(found, Fault):
            yield found
            continue
        if found.key in seen:
            item, seen = item + 1, set()
        seen.add(found.key)
        yield found._replace(item=item)


def _settings(lines: Iterator[Line] | TextLines) -> Decoded:
    for number, line, terminated in lines:
        match = _LINE.fullmatch(line.strip())
        if match is None:
            continue
        name, value = match["name"], match["value"].strip()
        is_core = match["of"] == "core"
        if not is_core and name in _SWITCHES:
            # A word at the end of a text may be half of one.
            is_value = re.fullmatch(_SWITCHES[name], value) and (terminated or len(value) == 1)
            given: dict[str, tuple[str, str | None]] = {name: (value, None)} if is_value else {}
        elif not is_core and name in _THREE:
            given = _buffers(_THREE[name], value, is_whole=terminated)
        elif is_core and name in ("rmem_max", "wmem_max"):
            given = _buffers((f"core_{name}",), value, is_whole=terminated)
        else:
            continue
        if not given:
            yield Fault("bad_value", f"{name}: its value cannot be read (line {number})")
        for key, (each, unit) in given.items():
            yield Fact("tcp_sysctl", 0, key, each, unit, number)


def _buffers(names: tuple[str, ...], value: str, *, is_whole: bool) -> dict[str, tuple[str, str | None]]:
    """Return the sizes of a line; empty if it may end in the middle of a number."""
    sizes = value.split()
    if len(sizes) != len(names) or not is_whole or not all(map(_BYTES.fullmatch, sizes)):
        return {}
    return {name: (str(int(size)), "B") for name, size in zip(names, sizes, strict=True)}
