"""A local browser that prints pages without a window and without network access."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from agtrace import interrupts
from agtrace.errors import AgtraceError
from agtrace.store.scratch import prefix

NAMED = "AGTRACE_BROWSER"
"""Environment variable with the path of the browser, if none of `NAMES` is found."""

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
    "microsoft-edge",
)
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
LONGEST_S = 180
DRAWN_MS = 20_000
"""Time of the page until its figures are drawn; it runs faster than real time."""


def find_browser() -> str:
    """Return the path of a browser of the Chromium family.

    Raises
    ------
    AgtraceError
        No browser was found.
    """
    named = os.environ.get(NAMED)
    if named:
        if found := shutil.which(named):
            return found
        raise AgtraceError(f"{NAMED}={named}: no program is there", "name Chromium, Chrome or Edge")
    for name in NAMES:
        # Windows searches the current folder first, which may contain untrusted files.
        if (found := shutil.which(name)) and Path(found).absolute().parent != Path.cwd():
            return found
    for place in PLACES:
        if Path(place).is_file():
            return place
    raise AgtraceError(
        "no browser that can print pages was found",
        f"install Chromium, Chrome or Edge (Debian: apt-get install chromium), or name it in {NAMED}",
    )


def print_page(browser: str, page: Path, target: Path) -> None:
    """Print a page of a report as PDF.

    Parameters
    ----------
    browser
        As returned by `find_browser`.
    page
        The page; it is opened from the file system.
    target
        The file to write.

    Raises
    ------
    AgtraceError
        The browser failed, or took too long.
    """
    with tempfile.TemporaryDirectory(prefix=prefix("browser"), ignore_cleanup_errors=True) as folder:
        words = [
            browser, "--headless=new", "--disable-gpu", "--no-first-run", "--disable-extensions",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--no-default-browser-check", f"--user-data-dir={folder}", "--no-pdf-header-footer",
            f"--virtual-time-budget={DRAWN_MS}", f"--print-to-pdf={target}",
        ]  # fmt: skip
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            # Its sandbox refuses this user; the pages are agtrace's own, and their policy allows nothing else
            # to run.
            words.append("--no-sandbox")
        running = subprocess.Popen(
            [*words, page.absolute().as_uri()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        with running, interrupts.stopped_by(running.kill):
            try:
                status = running.wait(LONGEST_S)
            except subprocess.TimeoutExpired:
                running.kill()
                raise AgtraceError(
                    f"{page.name}: the browser took longer than {LONGEST_S} s to print it"
                ) from None
            except BaseException:
                running.kill()
                raise
    if not target.is_file() or target.stat().st_size == 0:
        raise AgtraceError(f"{page.name}: {browser} did not print it (status {status})")
