"""XML without names: those of tags and attributes stay, and every value is judged."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

_PIECE = re.compile(
    r"""
      (?P<cdata><!\[CDATA\[(?P<inside>.*?)\]\]>)
    | (?P<comment><!--.*?-->|<\?.*?\?>|<![^>]*>)
    | (?P<tag><(?P<end>/?)(?P<name>[A-Za-z_][\w.:-]*)(?P<attributes>(?:[^<>"']|"[^"]*"|'[^']*')*)>)
    | (?P<text>[^<]+|<)
    """,
    re.VERBOSE | re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w.:-]{0,60})(\s*=\s*)("[^"]*"|'[^']*')""")


def rewritten(text: str, value: Callable[[str, str], str]) -> str:
    """Return XML text with each value replaced.

    Parameters
    ----------
    text
        The XML, complete or truncated.
    value
        Replaces a value, given the name of its attribute or element.
    """
    made: list[str] = []
    inside = [""]
    for match in _PIECE.finditer(text):
        if match["tag"] is not None:
            if not match["end"] and not match["attributes"].rstrip().endswith("/"):
                inside.append(match["name"])
            elif match["end"] and len(inside) > 1:
                inside.pop()
            made.append(_tag(match, value))
        elif match["cdata"] is not None:
            made.append(f"<![CDATA[{value(inside[-1], match['inside'])}]]>")
        elif match["text"] is not None:
            made.append(_replaced(match[0], inside[-1], value))
    return "".join(made)


def _tag(match: re.Match[str], value: Callable[[str, str], str]) -> str:
    attributes = match["attributes"]
    pieces = [f"<{match['end']}{match['name'][:60]}"]
    for each in _ATTRIBUTE.finditer(attributes):
        quote, plain = each[3][0], each[3][1:-1]
        pieces.append(f" {each[1]}={quote}{_replaced(plain, each[1], value)}{quote}")
    return "".join(pieces) + ("/>" if attributes.rstrip().endswith("/") else ">")


def _replaced(text: str, name: str, value: Callable[[str, str], str]) -> str:
    if not text.strip():
        return text
    plain = html.unescape(text)
    made = value(name, plain)
    if made == plain:
        return text
    return made.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
