"""Decode the output of ``netsh interface tcp show global`` to facts, topic ``tcp_global``.

Source of the layout: the command's output on Windows Server 2008 R2 to 2025. A block is a title, a
ruler of dashes and lines ``label : value``; the order of the lines never changed, later versions
only add and drop some. ``Get-NetTCPSetting`` prints one list per template; the template Internet,
which ``netsh ... set global`` writes to, is given the same topic, the others ``tcp_setting``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from agtrace.readers.fact_text import Decoded, Fact, Fault, host_of
from agtrace.readers.netsh_tcp.labels import LEVELS, PROPERTIES, PROVIDERS, WORDS, key_of, level_of, value_of
from agtrace.readers.text_lines import Line, TextLines, lines_of

# Of lines without blanks at their ends.
_RULER = re.compile(r"-{20,}")
_PAIR = re.compile(r"(?P<label>[^\s:：*][^:：]{0,79}?)\s*[:：]\s*(?P<value>[^\s\\].{0,79})")
_PROPERTY = re.compile(r"(?P<label>\w+(?:\((?:ms|MSS)\))?)\s*:\s*(?P<value>\S.{0,79})?")
_HEURISTICS = re.compile(r"\*\* .*autotuninglevel")
_REMOTE = re.compile(r"\bnetsh\s+-r\s+(?P<host>[\w.-]+)|^\[(?P<session>[\w.-]+)\]: PS ", re.IGNORECASE)
_DASHES = "-" * 20
_FIRST_PROPERTY = "settingname "
_LEAST = len("[h]: PS ")
"""Characters of the shortest line that means something outside of a block."""
MAX_PAIRS = 500
"""Lines of one output that are read; Windows writes fewer than thirty."""
_MS_KEYS = {"initial_rto_ms", "min_rto_ms"}


@dataclass
class _Block:
    """One output of the command: (key, label, value, line) in file order."""

    first_line: int
    host: str | None = None
    pairs: list[tuple[str | None, str, str, int]] = field(default_factory=list)
    heuristics: int | None = None
    powershell: bool = False
    unfinished: int = 0
    """Number of the last line where it has no line end."""

    def known(self) -> set[str | None]:
        return {pair[0] for pair in self.pairs}

    def ended(self) -> _Block:
        """Return the block, now that it is complete."""
        self.name_by_order()
        return self

    def name_by_order(self) -> None:
        """Find the auto-tuning level by its place where its label is in an unknown language.

        It stands right before the congestion control provider, whose values no other line has.
        """
        if "autotuning_level" in self.known():
            return
        for number in range(1, len(self.pairs)):
            key, label, value, line = self.pairs[number - 1]
            follower = self.pairs[number]
            is_provider = follower[0] == "congestion_provider" or follower[2] in PROVIDERS
            if key is None and level_of(value) in LEVELS and is_provider:
                self.pairs[number - 1] = ("autotuning_level", label, value, line)
                if follower[0] is None:
                    self.pairs[number] = ("congestion_provider", *follower[1:])
                return


def recognise(text: str) -> bool:
    """Return whether a text contains at least one output of the commands."""
    if _DASHES not in text and _FIRST_PROPERTY not in text.lower():
        return False
    return any(_is_global(block) or block.powershell for block in _blocks(lines_of([text])))


def decode(text: TextLines) -> Decoded:
    """Yield one item per output of the command, and a fault for each that is cut off."""
    item = 0
    for block in _blocks(text):
        if block.powershell:
            yield from _powershell_facts(block, item)
        elif _is_global(block):
            _, label, value, line = block.pairs[-1]
            if line == block.unfinished and value not in WORDS:
                # Half a value says nothing.
                block.pairs.pop()
                message = f"{label}: the text may end in its value"
                yield Fault("unfinished_line", message, "info")
            if "timestamps" not in block.known():
                yield _cut_off(block)
            yield from _global_facts(block, item)
        else:
            continue
        item += 1


def _cut_off(block: _Block) -> Fault:
    message = f"the TCP settings from line {block.first_line} on end before their last lines"
    return Fault("truncated", message)


def _is_global(block: _Block) -> bool:
    """Return whether a netsh block is global (not supplemental, heuristics, ...)."""
    keys = block.known()
    return not block.powershell and ("autotuning_level" in keys) and len(keys - {None}) >= 2


def _blocks(lines: Iterable[Line]) -> Iterator[_Block]:
    """Yield the blocks as they end."""
    block: _Block | None = None
    host: str | None = None
    for number, line, terminated in lines:
        if block is None and len(line) < _LEAST:
            continue
        begun = None
        line = line.strip()
        if ("-" in line or line.startswith("[")) and (remote := _REMOTE.search(line)):
            host = host_of(remote["host"] or remote["session"])
        if _DASHES in line and _RULER.fullmatch(line):
            begun = _Block(number, host)
        elif line[: len(_FIRST_PROPERTY)].lower() == _FIRST_PROPERTY and (pair := _PROPERTY.fullmatch(line)):
            begun = _Block(number, host, powershell=True)
            begun.pairs.append(("setting_name", pair["label"], pair["value"] or "", number))
        if begun:
            if block is not None:
                yield block.ended()
            block = begun
        elif block is not None:
            block.unfinished = 0 if terminated else number
            if not _continue(block, number, line):
                yield block.ended()
                block = None
    if block is not None:
        yield block.ended()


def _continue(block: _Block, number: int, line: str) -> bool:
    """Take one more line into a block; False when the block is over."""
    if len(block.pairs) >= MAX_PAIRS:
        return False
    if block.powershell:
        pair = _PROPERTY.fullmatch(line)
        if pair is None:
            return False
        key = PROPERTIES.get(pair["label"].lower())
        if key and pair["value"]:
            block.pairs.append((key, pair["label"], pair["value"].lower(), number))
        return True
    if _HEURISTICS.match(line):
        block.heuristics = number
        return True
    pair = _PAIR.fullmatch(line)
    if pair is None:
        # A blank line may precede the note on heuristics, which has no colon either.
        return not line or block.heuristics is not None
    key = key_of(pair["label"])
    gap = number - (block.pairs[-1][3] if block.pairs else block.first_line)
    # Redirected through PowerShell, every second line is blank.
    if gap == 1 or (gap == 2 and key):
        block.pairs.append((key, pair["label"], value_of(pair["value"]), number))
        return True
    return False


def _global_facts(block: _Block, item: int) -> list[Fact]:
    facts: list[Fact] = []
    seen: set[str] = set()
    if block.host:
        facts.append(Fact("tcp_global", item, "host", block.host, line=block.first_line))
    for key, label, value, line in block.pairs:
        name = key if key and key not in seen else f"other:{label}"
        seen.add(name)
        text = level_of(value) if name == "autotuning_level" else value
        facts.append(Fact("tcp_global", item, name, text, "ms" if name in _MS_KEYS else None, line))
    if block.heuristics:
        # The line says that the level shown is not the configured one.
        key = "autotuning_by_heuristics"
        facts.append(Fact("tcp_global", item, key, "true", line=block.heuristics))
    return facts


def _powershell_facts(block: _Block, item: int) -> list[Fact]:
    values = {key: (value, line) for key, _, value, line in block.pairs if key}
    name = values["setting_name"][0]
    topic = "tcp_global" if name.lower() == "internet" else "tcp_setting"
    facts = [Fact(topic, item, "host", block.host, line=block.first_line)] if block.host else []
    by_policy = values.get("autotuning_level_effective", ("", 0))[0] == "grouppolicy"
    level_key = "autotuning_level_group_policy" if by_policy else "autotuning_level_local"
    if level_key in values:
        level, line = values[level_key]
        facts.append(Fact(topic, item, "autotuning_level", level_of(level), line=line))
    for key, (value, line) in values.items():
        if not key.startswith("autotuning_level"):
            facts.append(Fact(topic, item, key, value, "ms" if key in _MS_KEYS else None, line))
    return facts
