"""What axe-core, the accessibility checker, finds wrong with a page that a browser shows.

``python -m tests.report.axe FOLDER ..`` looks at every page of the reports that lie in the folders, in light
and in dark, and says what is wrong with any.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from tests.report.browser import Browser, browser

INSTALLED = Path("axe") / "node_modules" / "axe-core" / "axe.min.js"
"""Where ``make axe`` puts it, below the environment that Python runs in."""

# Folds are opened: what is hidden is not looked at.
LOOK = """(async (rules) => {
  for (const fold of document.querySelectorAll('details')) fold.open = true;
  const { violations } = await axe.run(document, {resultTypes: ['violations'], preload: false, ...(rules && {runOnly: rules})});
  return violations.flatMap((rule) => rule.nodes.map((node) =>
    `${rule.id} (${node.impact}): ${node.target.join(' ')}: ${[...node.any, ...node.all, ...node.none].map((each) => each.message).join('; ')}`));
})"""  # noqa: E501
OF_COLOURS = '["color-contrast", "link-in-text-block"]'
"""All that can differ between light and dark."""


def axe_script() -> str:
    """Return axe-core; the calling test skips if it is missing."""
    path = Path(sys.prefix) / INSTALLED
    if not path.is_file():
        pytest.skip("axe-core is not installed: 'make axe' does, where npm is")
    return path.read_text(encoding="utf-8")


def violations(tab: Browser, page: Path, script: str) -> list[str]:
    """Open a page and give what axe finds wrong with it in light, then in dark, in words."""
    tab.open(page)
    tab.run(f"{script};0")
    found = [f"{page.name}, light: {each}" for each in tab.run(f"{LOOK}()")]
    tab.prefer(dark=True)
    return found + [f"{page.name}, dark: {each}" for each in tab.run(f"{LOOK}({OF_COLOURS})")]


def main(folders: list[str]) -> int:
    """Look at the reports; 1 where anything is wrong."""
    wrong, seen = 0, 0
    with tempfile.TemporaryDirectory() as scratch, browser(Path(scratch)) as tab:
        script = axe_script()
        for page in sorted(page for folder in folders for page in Path(folder).rglob("*.html")):
            seen += 1
            for each in violations(tab, page, script):
                wrong += 1
                print(f"{page.parent.name}: {each}", flush=True)
    print(f"{seen} pages, {wrong} violations")
    return int(wrong > 0 or not seen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
