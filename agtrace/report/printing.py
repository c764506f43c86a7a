"""A report as one PDF: its pages one after another, each in the outline."""

from __future__ import annotations

import html
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from agtrace.report.browser import find_browser, print_page
from agtrace.store.scratch import prefix

FILE = "report.pdf"
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)


def print_report(pages: Sequence[Path], target: Path, say: Callable[[str], None]) -> None:
    """Print pages of a report into one PDF.

    Parameters
    ----------
    pages
        The pages, the first one first; they are opened from the file system.
    target
        The file to write.
    say
        Called with each step.

    Raises
    ------
    AgtraceError
        No browser was found, or it failed or took too long.
    """
    from pypdf import PdfReader, PdfWriter

    browser = find_browser()
    with tempfile.TemporaryDirectory(prefix=prefix("print"), ignore_cleanup_errors=True) as folder:
        whole = PdfWriter()
        for page in pages:
            say(f"printing {page.name}")
            printed = Path(folder) / f"{page.stem}.pdf"
            print_page(browser, page, printed)
            start = len(whole.pages)
            whole.append(PdfReader(printed), import_outline=False)
            whole.add_outline_item(title=_title(page), page_number=start)
        whole.write(target)


def _title(page: Path) -> str:
    found = _TITLE.search(page.read_text(encoding="utf-8")[:10_000])
    return html.unescape(found[1]).strip() if found else page.stem
