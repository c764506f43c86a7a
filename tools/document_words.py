"""Write docs/words.md: every title, reason and remedy that agtrace says, with an example of each.

python tools/document_words.py           write it, from the findings of all samples (a minute or two)
python tools/document_words.py --check   say whether every text stands on it (status 1 when not)

An editor reads the page, and mends the templates: agtrace/diagnostics/<question>/said/.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import tomllib
from pathlib import Path

import agtrace
from agtrace.diagnostics import analyses
from agtrace.say.finding import Finding
from agtrace.say.said import FIELDS, Judged, Said

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "words.md"
HEAD = """# What agtrace says

Every finding in the words of its template, with an example where a sample shows one; where none does, the template itself. Written by
`make docs`; the words lie in `agtrace/diagnostics/<question>/said/`, in `title`, `why` and `do` of each file.
"""  # noqa: E501
CALLED = {"title": "Title", "why": "Why", "do": "Do"}

Examples = dict[tuple[str, str], Finding]
"""The first finding that was said with the words of a question: question, and file with section."""


def folders() -> dict[str, Path]:
    """Give the folders of words by the name of their question, in the order of the report."""
    found = {name: ROOT / "agtrace" / "diagnostics" / name / "said" for name in analyses()}
    found["settings of a case"] = ROOT / "agtrace" / "diagnostics" / "said"
    return {name: folder for name, folder in found.items() if folder.is_dir()}


def texts(folder: Path) -> dict[str, dict[str, str]]:
    """Give the templates of the findings of a folder, by file and section."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted(folder.glob("*.toml")):
        held = tomllib.loads(path.read_text(encoding="utf-8"))
        sections = {
            name: part for name, part in held.items() if isinstance(part, dict) and part.keys() & set(FIELDS)
        }
        own = {name: held[name] for name in FIELDS if isinstance(held.get(name), str)}
        for name, part in sections.items():
            found[f"{path.stem}.{name}"] = own | {each: part[each] for each in FIELDS if each in part}
        if not sections and "title" in own:
            found[path.stem] = own
    return found


def heard() -> Examples:
    """Give the first finding that the samples show of each text."""
    found: Examples = {}
    say = Said.finding

    def listening(self: Said, judged: Judged) -> Finding:
        made = say(self, judged)
        found.setdefault((Path(str(self._folder)).parent.name, judged.said), made)
        return made

    Said.finding = listening  # type: ignore[method-assign]
    try:
        with tempfile.TemporaryDirectory() as stores:
            for sample in sorted(path for path in (ROOT / "sample_data").iterdir() if path.is_dir()):
                if sample.name[0] not in "._":
                    agtrace.open_case(sample, store=f"{stores}/{sample.name}").findings()
                    sys.stderr.write(f"{sample.name}\n")
    finally:
        Said.finding = say  # type: ignore[method-assign]
    return found


def page(examples: Examples) -> str:
    """Write the page."""
    parts = [HEAD]
    for question, folder in folders().items():
        parts.append(f"## {question}\n")
        of_question = folder.parent.name
        for name, templates in texts(folder).items():
            said = examples.get((of_question, name))
            comment = (folder / f"{name.partition('.')[0]}.toml").read_text(encoding="utf-8").split("\n")[0]
            parts.append(f"### {name}\n\n{comment.lstrip('# ') if comment.startswith('#') else ''}\n")
            shown = (
                {"title": said.title, "why": said.narrative, "do": said.recommendation} if said else templates
            )
            for field, text in shown.items():
                if text.strip():
                    told = " ".join(text.split()) if said else f"`{' '.join(text.split())}`"
                    parts.append(f"- **{CALLED[field]}:** {told}")
            parts.append("")
    return "\n".join(parts)


def main() -> int:
    """Write or check, and give the exit status."""
    parser = argparse.ArgumentParser(description="Write every title, reason and remedy that agtrace says.")
    parser.add_argument("--check", action="store_true")
    if not parser.parse_args().check:
        PAGE.write_text(page(heard()), encoding="utf-8")
        return 0
    written = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    lacking = [
        name for folder in folders().values() for name in texts(folder) if f"### {name}\n" not in written
    ]
    if lacking:
        sys.stdout.write(f"docs/words.md lacks {', '.join(lacking)}: run python tools/document_words.py\n")
    return bool(lacking)


if __name__ == "__main__":
    sys.exit(main())
