"""Write into docs/capture.md what each question reads, from agtrace/diagnostics/<name>/needs.py.

python tools/document_needs.py           write it
python tools/document_needs.py --check   say whether it is up to date (status 1 when not)
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from agtrace.diagnostics import Analysis, analyses
from agtrace.diagnostics.need import Need

PAGE = Path(__file__).resolve().parent.parent / "docs" / "capture.md"
PLACE = re.compile(
    r"(?<=<!-- needs: written by tools/document_needs.py -->\n).*(?=<!-- end of needs -->)", re.S
)
KINDS = {"counter": "Counters", "event": "Events", "topic": "Topics", "relation": "What happened"}


def section(analysis: type[Analysis]) -> str:
    """Give the section of a question."""
    rows = [
        f"### {analysis.title}\n\n{analysis.question}\n",
        "| reads | on | the answer gains | capture |",
        "|---|---|---|---|",
    ]
    rows += [
        f"| {names(need)} | {need.where} | {need.gives} | {need.capture.rstrip('.')} |"
        for need in analysis.needs
    ]
    return "\n".join(rows) + "\n"


def names(need: Need) -> str:
    """Name what is read; counters of one object together."""
    if need.kind != "counter" or need.names == ("*",):
        return f"{KINDS[need.kind]}: " + ", ".join(f"`{name}`" for name in need.names)
    objects: dict[str, list[str]] = {}
    for path in need.names:
        thing, _, counter = path.rpartition("\\")
        objects.setdefault(thing, []).append(f"`{counter}`")
    return "; ".join(f"{thing}: {', '.join(each)}" for thing, each in objects.items())


def main() -> int:
    """Write or check, and give the exit status."""
    parser = argparse.ArgumentParser(description="Write what each question reads.")
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    before = PAGE.read_text(encoding="utf-8")
    sections = [section(analysis) for analysis in analyses().values() if analysis.needs]
    after = PLACE.sub(lambda _found: "\n" + "\n".join(sections) + "\n", before)
    if check and before != after:
        print("docs/capture.md is not up to date: run python tools/document_needs.py")
        return 1
    if before != after:
        PAGE.write_text(after, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
