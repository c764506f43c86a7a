"""What a reader of a page has to read: its words, its verdict, its cards."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

VERDICT_CHARACTERS = 240
CARD_WORDS = 60
PAGE_WORDS = 400

_UNREAD = frozenset({"table", "svg", "script", "style", "head"})
_VOID = frozenset({"meta", "input", "br", "hr", "img", "link"})


class Prose(HTMLParser):
    """The text of a page that is read as text.

    Not counted: tables but for the story of an incident, the steps of a remedy, which are followed one by
    one, plots, SVG and what a closed ``<details>`` folds (its summary counts). What is hidden in any other
    way counts.
    """

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self.verdict = ""
        self.narratives: list[str] = []
        self._open: list[tuple[str, frozenset[str], bool]] = []
        self.feed(html)
        self.close()

    @classmethod
    def of(cls, path: Path) -> Prose:
        return cls(path.read_text(encoding="utf-8"))

    @property
    def words(self) -> int:
        return len(" ".join(self.text).split())

    def handle_starttag(self, tag, attrs):
        if tag in _VOID:
            return
        given = dict(attrs)
        classes = frozenset((given.get("class") or "").split())
        folds = tag == "details" and "open" not in given
        self._open.append((tag, classes, folds))
        if "narrative" in classes:
            self.narratives.append("")

    def handle_endtag(self, tag):
        while self._open:
            if self._open.pop()[0] == tag:
                break

    def handle_data(self, data):
        names = [tag for tag, _, _ in self._open]
        # A story is read line by line, although it is a table.
        if any(tag in _UNREAD and "story" not in classes for tag, classes, _ in self._open):
            return
        if any("steps" in classes for _, classes, _ in self._open):
            return
        folded = [place for place, (_, _, folds) in enumerate(self._open) if folds]
        inside = [classes for _, classes, _ in self._open]
        if any("narrative" in classes for classes in inside) and not self._is_folded(folded, names, inside):
            self.narratives[-1] += data
        if any("verdict" in classes for classes in inside):
            self.verdict += data
        # Of what is folded only the summary shows, and only that of the outermost fold.
        if not folded or (
            folded == [len(names) - names[::-1].index("details") - 1] and "summary" in names[folded[0] :]
        ):
            self.text.append(data)

    @staticmethod
    def _is_folded(folded, names, inside):
        """Return whether text within a narrative is in a fold of that narrative."""
        begins = max(place for place, classes in enumerate(inside) if "narrative" in classes)
        return any(place > begins for place in folded)


def said_too_much(path: Path) -> list[str]:
    """Return which parts of a page are too long to read; empty if all are short."""
    page = Prose.of(path)
    found = []
    if len(page.verdict.strip()) > VERDICT_CHARACTERS:
        found.append(f"{path.name}: the verdict has {len(page.verdict.strip())} characters")
    if page.words > PAGE_WORDS:
        found.append(f"{path.name}: {page.words} words")
    longest = max((len(text.split()) for text in page.narratives), default=0)
    if longest > CARD_WORDS:
        found.append(f"{path.name}: a card of {longest} words")
    return found
