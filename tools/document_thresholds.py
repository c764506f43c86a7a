"""Write docs/diagnostics/thresholds.md and docs/diagnostics/thresholds_tasks.md from agtrace/thresholds.py.

python tools/document_thresholds.py           write it
python tools/document_thresholds.py --check   check that they are up to date (status 1 when not)
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import fields
from pathlib import Path

from agtrace.thresholds import Thresholds

DOCS = Path(__file__).resolve().parent.parent / "docs" / "diagnostics"
PLACE = re.compile(
    r"(?<=<!-- thresholds: written by tools/document_thresholds.py -->\n).*(?=<!-- end of thresholds -->)",
    re.S,
)
TASKS = ("backup_", "seeding_", "compare_", "commit_", "tie_", "interval_", "steady_", "routed_", "replay_")
"""How the thresholds of the second page begin: those of tasks that people run and compare."""


def listed(is_task: bool) -> str:
    """Return the list of a page, in the order of the declarations."""
    rows = []
    for each in fields(Thresholds):
        if each.name.startswith(TASKS) == is_task:
            unit, meaning = each.metadata["unit"], each.metadata["meaning"]
            value = f"{each.default:g}" if unit == "ratio" else f"{each.default:g} {unit}"
            rows.append(f"- `{each.name}` {value}: {meaning}")
    return "\n".join(rows)


def main() -> int:
    """Write or check the pages, and return the exit status."""
    parser = argparse.ArgumentParser(description="Write the lists of thresholds.")
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    status = 0
    for name, is_task in (("thresholds", False), ("thresholds_tasks", True)):
        page = DOCS / f"{name}.md"
        before = page.read_text(encoding="utf-8")
        after = PLACE.sub(f"\n{listed(is_task)}\n\n".replace("\\", r"\\"), before)
        if before != after and check:
            print(f"docs/diagnostics/{name}.md is not up to date: run python tools/document_thresholds.py")
            status = 1
        elif before != after:
            page.write_text(after, encoding="utf-8", newline="\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
