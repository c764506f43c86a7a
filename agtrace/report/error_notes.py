"""Explanations of error numbers on pages, from the product's own texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agtrace.say.error_texts import named_errors

if TYPE_CHECKING:
    from markupsafe import Markup

# Pieces that are not text, that are clickable themselves, or that name a table.
_PIECES = re.compile(
    r"(<(?P<name>script|style|pre|code|textarea|select|button|summary|caption|a|h1|h2|h3)\b.*?</(?P=name)>|<[^>]*>)",
    re.DOTALL,
)


def explained(page: Markup) -> Markup:
    """Return a part of a page with a note at each error number; the keyboard reaches it, too."""
    from markupsafe import Markup

    html, made, last = str(page), "", 0
    for markup in _PIECES.finditer(html):
        made += _noted(html[last : markup.start()]) + markup[0]
        last = markup.end()
    return Markup(made + _noted(html[last:]))


def _noted(text: str) -> str:
    from markupsafe import escape

    made, last = "", 0
    for error in named_errors(text):
        made += text[last : error.start]
        note = f'<span class="error" role="note" tabindex="0" title="{escape(error.text)}">'
        made += f"{note}{error.number}</span>"
        last = error.end
    return made + text[last:]
