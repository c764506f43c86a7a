"""Takes a page apart, the way a browser would, for the tests of the report."""

from __future__ import annotations

import base64
import hashlib
from html.parser import HTMLParser
from pathlib import Path


class Parts(HTMLParser):
    """The elements, attributes, scripts and visible text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.scripts: list[str] = []
        self.data: dict[str, str] = {}
        self.text = ""
        self.policy = ""
        self._script: dict[str, str] | None = None
        self._style = False
        self.feed(html)
        self.close()

    @classmethod
    def of(cls, path: Path) -> Parts:
        return cls(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in given.items()]
        if tag == "script":
            self._script = given
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        self._style = tag == "style"

    def handle_endtag(self, tag):
        self._script = None if tag == "script" else self._script
        self._style = False

    def handle_data(self, data):
        if self._script is not None:
            if self._script.get("type") == "application/json":
                self.data[self._script["id"]] = data
            else:
                self.scripts.append(data)
        elif not self._style:
            self.text += data

    @property
    def links(self) -> list[str]:
        return [
            value for _, name, value in self.attributes if name in ("href", "src", "srcset", "action", "data")
        ]


def digests(scripts: list[str]) -> list[str]:
    """Hash scripts as a policy names them."""
    return [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts]
