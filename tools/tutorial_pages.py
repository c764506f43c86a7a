"""Pages of the site from executed notebooks: text, code, tables, and figures that follow the site's colours.

A notebook is JSON, so nothing is needed that builds the site without agtrace. plotly.js is the copy that
agtrace ships for its reports.
"""

from __future__ import annotations

import gzip
import html
import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "notebooks" / "tutorials"
PLOTLY = "application/vnd.plotly.v1+json"
SHARED = (r"^const ON_DARK = \{.*?^\};", r"^function decoded\(.*?^\}")
"""What the pages of the site and of reports both need: colours on dark paper, and typed arrays."""
_STYLE = re.compile(r"<style.*?</style>", re.DOTALL)
_TABLE = re.compile(r'<table border="1" class="dataframe">')


def pages() -> dict[str, str]:
    """Return the Markdown of each tutorial by the place of its page."""
    return {f"tutorials/{path.stem}.md": page(path) for path in sorted(FOLDER.glob("*.ipynb"))}


def titles() -> list[dict[str, str]]:
    """Return the page of each tutorial by its title, as the navigation has them."""
    heads = {place: re.search(r"^# (.+)$", text, re.MULTILINE) for place, text in pages().items()}
    return [{head[1]: place} for place, head in heads.items() if head]


def script() -> bytes:
    """Return plotly.js, and the parts of the script of reports that figures of the site need."""
    report = ROOT / "agtrace" / "report"
    packed = (report / "plotly" / "plotly-cartesian.min.js.gz").read_bytes()
    own = (report / "templates" / "figures.js").read_text(encoding="utf-8")
    shared = [re.search(pattern, own, re.MULTILINE | re.DOTALL) for pattern in SHARED]
    parts = [found[0].encode() for found in shared if found]
    if len(parts) < len(SHARED):
        raise ValueError("the script of reports has no ON_DARK or decoded any more")
    return b"\n".join([gzip.decompress(packed), *parts])


def page(path: Path) -> str:
    """Return an executed notebook as Markdown with HTML."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    parts = [part for cell in cells for part in _cell(cell)]
    file = path.relative_to(ROOT).as_posix()
    parts.append(f"*This page is the notebook `{file}` with its stored outputs.*")
    if any(PLOTLY in output.get("data", {}) for cell in cells for output in cell.get("outputs", [])):
        parts += [f'<script src="../site/{name}.js"></script>' for name in ("plotly", "tutorials")]
    # Code is wide.
    return "\n\n".join(["---\nhide: [toc]\n---", *parts]) + "\n"


def _cell(cell: dict[str, Any]) -> list[str]:
    source = _text(cell["source"])
    if cell["cell_type"] == "markdown":
        return [source]
    return [f"```python\n{source}\n```", *map(_output, cell["outputs"])]


def _output(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    if PLOTLY in data:
        figure = {name: data[PLOTLY][name] for name in ("data", "layout")}
        height = figure["layout"].get("height", 450)
        # "</script>" in a text would end the element.
        held = json.dumps(figure, separators=(",", ":")).replace("<", "\\u003c")
        return (
            f'<div class="figure" style="height:{int(height)}px">'
            f'<script type="application/json">{held}</script></div>'
        )
    if "text/html" in data and "<table" in (table := _text(data["text/html"])):
        bare = _TABLE.sub("<table>", _STYLE.sub("", table))
        # A line of a block of HTML that is empty would end it.
        return f'<div class="output">{"".join(line.strip() for line in bare.splitlines())}</div>'
    text = _text(output.get("text") or data.get("text/plain", ""))
    return f'<div class="output"><pre>{html.escape(text.rstrip())}</pre></div>'.replace("\n", "&#10;")


def _text(source: str | list[str]) -> str:
    return source if isinstance(source, str) else "".join(source)
