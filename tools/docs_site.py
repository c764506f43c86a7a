"""What the site shows beside the files of docs/: the README as its first page, the API, the changes.

A hook of MkDocs (mkdocs.yml). Pages of docs/ stay as a repository shows them; links to files that are no page
of the site become their names.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TUTORIALS = "notebooks/tutorials/"
PAGES = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", f"{TUTORIALS}README.md": "tutorials.md"}
"""Files of the repository that are pages of the site, beside those of docs/."""

LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```|^(?: {4}[^\n]*\n)+", re.M | re.S)
API = """# Python

The names that `import agtrace` offers. [store.md](store.md) has the relations of a case.
"""
KIT = """
::: agtrace.kit
    options:
      members: []

::: agtrace.kit.plan.plan

::: agtrace.kit.files.write
"""


def api() -> str:
    """Return the page of the public names: all that `import agtrace` offers, with the methods of a case."""
    names = [name for name in _constant("agtrace/__init__.py", "__all__") if not name.startswith("_")]
    members = [*_constant("agtrace/interactive/looking.py", "OFFERED"), "writable_connection"]
    return API + "".join(_entry(name, members if name == "Case" else ()) for name in names) + KIT


def _entry(name: str, members: Iterable[str]) -> str:
    options = ["inherited_members: true"] if name in ("Case", "Cases") else []
    options += [f"members: [{', '.join(members)}]"] if members else []
    head = "    options:\n" + "".join(f"      {each}\n" for each in options)
    return f"\n::: agtrace.{name}\n{head if options else ''}"


def _constant(path: str, name: str) -> list[str]:
    """Return a constant of a module, which need not be importable here."""
    for each in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == name:
            return list(ast.literal_eval(each.value))
    raise ValueError(f"{path} has no {name}")


def on_config(config: Any) -> Any:
    """Put every format and decision into the navigation, and pages of docs/ that it does not name."""
    for section in config["nav"]:
        for title, pages in section.items() if isinstance(section, dict) else ():
            if title == "Formats":
                pages[1:] = sorted(_below("formats"), key=lambda page: next(iter(page)))
            elif title == "Development":
                place = next(n for n, page in enumerate(pages) if "Decisions" in page)
                pages[place + 1 : place + 1] = _below("adr")
    config["nav"] = [_with_folder(each) for each in config["nav"]]
    named = set(_pages(config["nav"]))
    docs = sorted((ROOT / "docs").glob("*.md"))
    config["nav"] += [{_title(path): path.name} for path in docs if path.name not in named]
    return config


def _with_folder(nav: Any) -> Any:
    """Return a part of the navigation in which a folder follows the page of its name."""
    if not isinstance(nav, dict):
        return nav
    ((title, inner),) = nav.items()
    if isinstance(inner, list):
        return {title: [_with_folder(each) for each in inner]}
    below = _tool("tutorial_pages").titles() if inner == "tutorials.md" else _below(inner.removesuffix(".md"))
    return {title: [inner, *below] if below else inner}


def _pages(nav: Any) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    inner = nav.values() if isinstance(nav, dict) else nav
    return [page for each in inner for page in _pages(each)]


def _below(folder: str) -> list[dict[str, str]]:
    paths = sorted((ROOT / "docs" / folder).glob("*.md"))
    return [{_title(path): f"{folder}/{path.name}"} for path in paths if path.name != "README.md"]


def _title(path: Path) -> str:
    return path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ").replace("`", "")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that do not lie in docs/."""
    from mkdocs.structure.files import File

    for source, page in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=linked(text, source, page)))
    files.append(File.generated(config, "api.md", content=api()))
    files.append(File.generated(config, "findings.md", content=_tool("site_findings").page()))
    tutorials = _tool("tutorial_pages")
    for page, text in tutorials.pages().items():
        source = f"{TUTORIALS}{Path(page).stem}.ipynb"
        files.append(File.generated(config, page, content=linked(text, source, page)))
    files.append(File.generated(config, "site/plotly.js", content=tutorials.script()))
    return files


def _tool(name: str) -> Any:
    # MkDocs loads this file by its path; what it needs of agtrace imports nothing that is installed.
    sys.path.insert(0, str(ROOT))
    try:
        return import_module(f"tools.{name}")
    finally:
        sys.path.remove(str(ROOT))


def on_page_markdown(markdown: str, page: Any, **_more: Any) -> str:
    """Point links of a page at pages of the site."""
    source = page.file.src_uri
    if source in ("api.md", "findings.md", *PAGES.values()) or source.startswith("tutorials/"):
        return markdown
    return linked(markdown, f"docs/{source}", source)


def linked(text: str, source: str, page: str) -> str:
    """Turn links between files of the repository into links between pages of the site.

    Parameters
    ----------
    source
        The file, from the root of the repository; "" for one that lies there.
    page
        Its page, from the root of the site.
    """
    folder = (ROOT / source).parent if source else ROOT

    def turned(match: re.Match[str]) -> str:
        label, target = match.groups()
        place, mark, anchor = target.partition("#")
        if not place or "://" in place or place.startswith("mailto:"):
            return match[0]
        found = (folder / place).resolve()
        if not found.is_relative_to(ROOT):
            return match[0]
        name = found.relative_to(ROOT).as_posix()
        shown = PAGES.get(name) or (name.removeprefix("docs/") if name.startswith("docs/") else None)
        if name.startswith(TUTORIALS) and name.endswith(".ipynb"):
            shown = f"tutorials/{found.stem}.md"
        if shown is None:
            return label if label.startswith("`") else f"`{label}`" if "/" in label else label
        up = "../" * page.count("/")
        return f"[{label}]({up}{shown}{mark}{anchor})"

    parts, at = [], 0
    for block in FENCED.finditer(text):
        parts += [LINK.sub(turned, text[at : block.start()]), block[0]]
        at = block.end()
    return "".join([*parts, LINK.sub(turned, text[at:])])
