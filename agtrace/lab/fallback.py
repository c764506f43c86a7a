"""Figures as HTML, in addition to the MIME type that JupyterLab renders, for pages made by nbconvert.

The script that draws them is in the notebook once, compressed, in an output of its first cell. Each figure
has its compressed values. A page decompresses both in the browser, without the network.
"""

from __future__ import annotations

import base64
import gzip
from functools import cache
from html import escape
from typing import Any

from plotly.io import to_json
from plotly.io.base_renderers import MimetypeRenderer

from agtrace.report.scripts import PARTIAL, TRACES
from agtrace.say.figures import CONFIG, LIBRARY

ID = "agtrace-plotly"
PACKED = "application/octet-stream"

_DRAW = """<script>
((place) => {
  const unpack = (node) => {
    const bytes = Uint8Array.from(atob(node.textContent.trim()), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  };
  const library = async () => {
    const packed = document.getElementById("ID");
    if (!packed) throw new Error("run the first cell of this notebook again");
    // Pages of nbconvert load modules in ways of their own, which the script would register with.
    new Function("module", "define", await unpack(packed)).call(window);
  };
  const draw = async () => {
    await (window.agtracePlotly ||= library());
    const figure = JSON.parse(await unpack(place.firstElementChild));
    await Plotly.newPlot(place, figure.data, figure.layout, figure.config);
  };
  draw().catch((error) => { place.textContent = `This figure cannot be drawn: ${error.message}`; });
})(document.currentScript.previousElementSibling);
</script>""".replace("ID", ID)


class HtmlRenderer(MimetypeRenderer):
    """A renderer of plotly that adds a figure as HTML."""

    def to_mimebundle(self, fig_dict: dict[str, Any]) -> dict[str, str]:
        """Return the HTML of a figure by its mimetype."""
        return {"text/html": figure_html(fig_dict)}


def figure_html(figure: dict[str, Any]) -> str:
    """Return a figure as HTML, which is drawn if the page also contains the script."""
    layout = figure.get("layout", {})
    height = round(layout.get("height") or 450)
    traces = {str(each.get("type", "scatter")) for each in figure.get("data", [])}
    if unknown := sorted(traces - TRACES):
        return f"<p>A figure of {escape(', '.join(unknown))}: JupyterLab draws it.</p>"
    told = to_json({**figure, "config": CONFIG | {"responsive": True}}, validate=False)
    packed = _packed(gzip.compress(told.encode(), mtime=0))
    return f'<div style="height:{height}px"><script type="{PACKED}">{packed}</script></div>\n{_DRAW}'


@cache
def library() -> dict[str, Any]:
    """Return what a notebook displays once for all of its figures; it shows nothing."""
    script = f'<script type="{PACKED}" id="{ID}">{_packed(PARTIAL.read_bytes())}</script>'
    return {LIBRARY: {}, "text/html": script, "text/plain": ""}


def _packed(data: bytes) -> str:
    return base64.b64encode(data).decode()
