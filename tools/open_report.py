"""Open a page of a report in a browser without a window, and check that it shows what a report shows.

    python tools/open_report.py REPORT/index.html

Status 1 where the page does not load, complains in the console, draws no timeline, or names no finding.
Without a browser of the Chromium family nothing is opened, which is reported in a line.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from agtrace.errors import AgtraceError
from agtrace.report.browser import find_browser

OPTIONS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--enable-logging=stderr", "--virtual-time-budget=20000", "--dump-dom",
)  # fmt: skip
TIMELINE = '<svg class="timeline"'
WORST = ("critical", "warning")


def faults(page: Path, shown: subprocess.CompletedProcess[str]) -> list[str]:
    """Return what is wrong with a page as the browser showed it."""
    found = [line for line in shown.stderr.splitlines() if "CONSOLE" in line and "rror" in line]
    findings = json.loads((page.parent / "findings.json").read_text(encoding="utf-8"))
    titles = [each["title"] for each in findings if each["severity"] in WORST]
    if TIMELINE not in shown.stdout:
        found.append("its timeline was not drawn")
    if titles and not any(title.split(",")[0] in shown.stdout for title in titles):
        found.append("no finding of findings.json is on the page")
    return found


def main(arguments: list[str]) -> int:
    """Open the page that is named, and return the exit status."""
    page = Path(arguments[0]).resolve()
    try:
        browser = find_browser()
    except AgtraceError as error:
        print(f"{page.name} was not opened: {error}")
        return 0
    with tempfile.TemporaryDirectory(prefix="open-report-") as profile:
        command = [browser, *OPTIONS, f"--user-data-dir={profile}", page.as_uri()]
        shown = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    found = faults(page, shown)
    for fault in found:
        print(f"{page}: {fault}", file=sys.stderr)
    if not found:
        print(f"{page} was opened: timeline and findings are shown, no complaint")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
