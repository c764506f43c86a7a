"""Write the inputs of each question into docs/capture.md and docs/capture/, from their needs.py.

python tools/document_needs.py           write the pages
python tools/document_needs.py --check   check that they are up to date (status 1 when not)
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
KINDS = {"counter": "Counters", "event": "Events", "topic": "Topics", "relation": "Relations"}


def page(analysis: type[Analysis]) -> str:
    """Return the page of a question: its inputs, by the capture that has them."""
    parts = [f"# Captures for: {analysis.title}\n\n{analysis.question}\n", "[How to capture](../capture.md)."]
    for capture in dict.fromkeys(map(_capture, analysis.needs)):
        parts.append(f"\nCapture: {capture}\n")
        parts += [
            f"- {names(need)} ({need.where}): {need.gives}"
            for need in analysis.needs
            if _capture(need) == capture
        ]
    return "\n".join(parts) + "\n"


def _capture(need: Need) -> str:
    return need.capture.rstrip(".").replace("docs/capture.md, section", "capture.md, section")


def names(need: Need) -> str:
    """Return the names that are read; counters of one object together."""
    if need.kind != "counter" or need.names == ("*",):
        kind = KINDS[need.kind] if len(need.names) > 1 else KINDS[need.kind].removesuffix("s")
        return f"{kind} " + ", ".join(f"`{name}`" for name in need.names)
    objects: dict[str, list[str]] = {}
    for path in need.names:
        thing, _, counter = path.rpartition("\\")
        objects.setdefault(thing, []).append(f"`{counter}`")
    return "; ".join(f"{thing}: {', '.join(each)}" for thing, each in objects.items())


def main() -> int:
    """Write or check the pages, and return the exit status."""
    parser = argparse.ArgumentParser(description="Write the inputs of each question.")
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    asked = {name: analysis for name, analysis in analyses().items() if analysis.needs}
    after = {PAGE.with_suffix("") / f"{name}.md": page(analysis) for name, analysis in asked.items()}
    index = "\n".join(f"- [{each.title}](capture/{name}.md)" for name, each in asked.items())
    after[PAGE] = PLACE.sub(lambda _found: f"\n{index}\n\n", PAGE.read_text(encoding="utf-8"))
    old = [each for each in after if not each.is_file() or each.read_text("utf-8") != after[each]]
    for each in old:
        if check:
            name = each.relative_to(PAGE.parent)
            print(f"docs/{name} is not up to date: run python tools/document_needs.py")
            continue
        each.parent.mkdir(exist_ok=True)
        each.write_text(after[each], encoding="utf-8", newline="\n")
    return int(check and bool(old))


if __name__ == "__main__":
    sys.exit(main())
