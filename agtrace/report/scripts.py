"""The scripts of a page, and the policy that lets exactly these run."""

from __future__ import annotations

import base64
import gzip
import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from agtrace.report.cells import Block

TEMPLATES = Path(__file__).with_name("templates")
PARTIAL = Path(__file__).with_name("plotly") / "plotly-cartesian.min.js.gz"
"""plotly.js with the traces on two axes only: a third of the whole (its LICENSE is beside it), compressed."""

TRACES = frozenset(
    {
        "bar", "box", "contour", "heatmap", "histogram", "histogram2d", "histogram2dcontour", "image", "pie",
        "scatter", "scatterternary", "violin",
    }
)  # fmt: skip
"""Types of traces in the partial bundle."""


@dataclass(frozen=True)
class Bundle:
    """The script that draws the figures of a report.

    Parameters
    ----------
    text
        The script.
    file
        The separate file with the script; empty if it is embedded in each page.
    """

    text: str
    file: str = ""


def bundle(blocks: Iterable[Block], *, single_file: bool) -> Bundle:
    """Return the smallest script that draws these figures."""
    types = {name for block in blocks for name in block.traces}
    text = _partial() if types <= TRACES else _whole()
    return Bundle(text, "" if single_file else "plotly.min.js")


@cache
def template(name: str) -> str:
    """Read a file of the templates."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def policy(*scripts: str, nonce: str = "") -> str:
    """Return a policy that allows exactly these scripts: no network, and no script in an attribute.

    Parameters
    ----------
    scripts
        Texts of the scripts in the page.
    nonce
        Nonce of the only external script: browsers check neither digests nor ``'self'`` for files opened from
        a folder. It is unknown when captures are made.
    """
    named = [*([f"nonce-{nonce}"] if nonce else []), *map(digest, scripts)]
    allowed = " ".join(f"'{each}'" for each in named) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def digest(script: str) -> str:
    """Return the digest of a script, as a policy names it."""
    hashed = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(hashed).decode()}"


def new_nonce() -> str:
    """Return an unpredictable nonce."""
    return secrets.token_urlsafe(18)


@cache
def _partial() -> str:
    return _embeddable(gzip.decompress(PARTIAL.read_bytes()).decode("utf-8"))


@cache
def _whole() -> str:
    from plotly.offline import get_plotlyjs

    return _embeddable(str(get_plotlyjs()))


def _embeddable(script: str) -> str:
    # Browsers hash the text between the tags: no end tag, and no line ends that they normalise.
    return script.replace("\r\n", "\n").replace("\r", "\n").replace("</script", "<\\/script")
