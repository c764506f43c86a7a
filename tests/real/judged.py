"""The findings of real cases, and what was judged of each: ``python -m tests.real.judged`` lists what is not
judged yet.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import agtrace
from agtrace.say.finding import Finding
from tests.real.cases import RealCase, alone, together

PAGE = Path(__file__).with_name("judged.md")
KINDS = (
    "health.", "access.", "redo.", "readable.", "backup.failed", "backup.preference", "commit.",
    "distributed.", "quality.host_unknown",
)  # fmt: skip
VERDICTS = ("right", "noise", "wrong")
ALONE = "Each file alone"
"""The heading of the table of single files."""


class Judged(NamedTuple):
    """A row of the page."""

    case: str
    finding: str
    key: str
    verdict: str
    shown_by: str


def key(finding: Finding) -> str:
    """Return what identifies a finding in its case, however it is worded."""
    says = finding.to_dict()
    kept = {name: says[name] for name in ("id", "severity", "subject", "window", "confidence")}
    # The second is what a log is written by.
    kept["window"] = {edge: str(time)[:19] for edge, time in kept["window"].items()}
    if not kept["window"] and not kept["subject"]:
        kept["evidence"] = sorted((one["label"], str(one["value"])) for one in says["evidence"])
    text = json.dumps(kept, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def findings(case: RealCase) -> list[Finding]:
    """Return the findings of a case to be judged, by the prefixes of their ids."""
    with tempfile.TemporaryDirectory(prefix="real-") as name:
        folder = case.lay(Path(name) / "case")
        with agtrace.open_case(folder, Path(name) / "store") as opened:
            return [f for f in opened.findings() if f.id.startswith(KINDS)]


def judgements() -> dict[tuple[str, str], Judged]:
    """Read tests/real/judged.md: what was judged, by case and key.

    A table of a case stands under its name; that of the files alone names each file in its first column.
    """
    found: dict[tuple[str, str], Judged] = {}
    case = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if heading := re.fullmatch(r"### (.+)", line):
            case = heading[1]
        elif re.match(rf"\|.* \| ({'|'.join(VERDICTS)}) \| ", line) and line.startswith("| `"):
            *place, finding, number, verdict, shown_by = (
                cell.strip() for cell in line.strip("|").split(" | ", 4 if case == ALONE else 3)
            )
            name = f"{place[0].strip('`')} alone" if place else case
            found[name, number] = Judged(name, finding, number, verdict, shown_by)
    return found


def _unjudged(cases: Iterable[RealCase]) -> Iterator[tuple[RealCase, Finding]]:
    known = judgements() if PAGE.exists() else {}
    for case in cases:
        for finding in findings(case):
            if (case.title, key(finding)) not in known:
                yield case, finding


def main(arguments: list[str]) -> None:
    """Print what is not judged yet as rows for the page, with its words beside it."""
    chosen = {"together": together, "alone": alone}
    wanted = arguments or list(chosen)
    last = ""
    for case, one in _unjudged(case for name in wanted for case in chosen[name]()):
        if case.name != last:
            print(f"\n### {case.title}\n")
            last = case.name
        says = one.to_dict()
        print(
            f"| `{one.id}` | {key(one)} | ? | |  {one.severity} {says['window']} {one.confidence}\n"
            f"    {one.title}\n    {one.narrative[:600]}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
