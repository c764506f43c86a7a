"""Write the table of docs/diagnostics/thresholds.md, from agtrace/thresholds.py.

python tools/document_thresholds.py           write it
python tools/document_thresholds.py --check   check that it is up to date (status 1 when not)
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import fields
from pathlib import Path

from agtrace.thresholds import Thresholds

PAGE = Path(__file__).resolve().parent.parent / "docs" / "diagnostics" / "thresholds.md"
PLACE = re.compile(
    r"(?<=<!-- thresholds: written by tools/document_thresholds.py -->\n).*(?=<!-- end of thresholds -->)",
    re.S,
)


def table() -> str:
    """Return the table of all thresholds, in the order of their declaration."""
    rows = ["| name | default | unit | meaning |", "|---|---|---|---|"]
    rows += [
        f"| `{each.name}` | {each.default:g} | {each.metadata['unit']} | {each.metadata['meaning']} |"
        for each in fields(Thresholds)
    ]
    return "\n".join(rows)


def main() -> int:
    """Write or check the page, and return the exit status."""
    parser = argparse.ArgumentParser(description="Write the table of thresholds.")
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    before = PAGE.read_text(encoding="utf-8")
    after = PLACE.sub(lambda _found: f"\n{table()}\n\n", before)
    if check and before != after:
        print("docs/diagnostics/thresholds.md is not up to date: run python tools/document_thresholds.py")
        return 1
    if before != after:
        PAGE.write_text(after, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
