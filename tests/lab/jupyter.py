"""A lab as a person sees it: the server of ``agtrace lab``, and JupyterLab in a browser."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.report.browser import Browser

PLOTLY = "application/vnd.plotly.v1+json"
WAIT_S = 60
_ADDRESS = re.compile(r"JupyterLab: (http://127\.0\.0\.1:\d+/lab/tree/)(\S+)\?token=(\w{48})\n")

# JupyterLab gives its insides to scripts only where its configuration says so.
_EXPOSED = "c.LabApp.expose_app_in_browser = True\n"
_READY = """(() => {
  const shown = window.jupyterapp?.shell.currentWidget;
  return shown?.context?.isReady && shown.context.path === %s && shown.sessionContext.session?.kernel?.status === 'idle';
})()"""  # noqa: E501
_RUN = "jupyterapp.commands.execute('notebook:run-all-cells').then(() => true)"
# Cells out of sight are not drawn: each is brought into it.
_CELL = """(async (place) => {
  const notebook = jupyterapp.shell.currentWidget.content, cell = notebook.widgets[place];
  const outputs = cell.model.type === 'code' ? cell.model.outputs.toJSON() : [];
  const wanted = outputs.filter((each) => each.data?.[PLOTLY]).length;
  const drawn = () => [...cell.node.querySelectorAll('.js-plotly-plot')].filter((plot) => {
    const box = plot.getBoundingClientRect();
    return box.width > 200 && box.height > 100 && plot.querySelector('.trace, .bars .point, .heatmaplayer image');
  }).length;
  if (wanted) {
    await notebook.scrollToItem(place, 'start');
    for (let tries = 0; tries < 200 && drawn() < wanted; tries++) await new Promise((done) => setTimeout(done, 50));
  }
  return {
    source: cell.model.sharedModel.getSource(), wanted, drawn: drawn(),
    html: outputs.some((each) => each.data?.['text/html']), text: cell.node.querySelector('.jp-Cell-outputArea')?.innerText || '',
    shared: cell.node.querySelectorAll('.modebar-btn[data-title^="Share"]').length,
    axes: outputs.flatMap((each) => Object.keys(each.data?.[PLOTLY]?.layout || {})).filter((key) => key.startsWith('yaxis')).length,
    marks: outputs.flatMap((each) => each.data?.[PLOTLY]?.layout.shapes || []).length,
    errors: outputs.filter((each) => each.output_type === 'error').map((each) => `${each.ename}: ${each.evalue}`),
  };
})(%d)"""  # noqa: E501

_NEW_CELL = """(async () => {
  await jupyterapp.commands.execute('notebook:insert-cell-below');
  const notebook = jupyterapp.shell.currentWidget.content;
  notebook.mode = 'edit';
  notebook.activeCell.editor.focus();
})()"""
_OFFERED = (
    "[...document.querySelectorAll('.jp-Completer:not(.lm-mod-hidden) .jp-Completer-item code')].map((item) "
    "=> item.textContent)"
)


class Lab:
    """JupyterLab, shown in a tab."""

    def __init__(self, tab: Browser, base: str, token: str, first: str) -> None:
        self.tab, self.base, self.token, self.first = tab, base, token, first

    def run(self, notebook: str) -> list[dict[str, Any]]:
        """Open a notebook, run all of it, and give what its cells show: source, figures wanted and drawn,
        errors.
        """
        self.open(notebook)
        assert self.tab.run(_RUN)
        count = self.tab.run("jupyterapp.shell.currentWidget.content.widgets.length")
        return [self.tab.run(_CELL.replace("PLOTLY", json.dumps(PLOTLY)) % place) for place in range(count)]

    def open(self, notebook: str) -> None:
        """Show a notebook and wait for its kernel."""
        self.tab.complaints = []
        self.tab.call("Page.navigate", url=f"{self.base}{notebook}?token={self.token}&reset")
        self.tab.wait(_READY % json.dumps(notebook), WAIT_S)

    def picture(self, cells: list[dict[str, Any]]) -> bytes:
        """Return a picture of the first figure, in sight and drawn."""
        place = next((place for place, cell in enumerate(cells) if cell["wanted"]), 0)
        self.tab.run(_CELL.replace("PLOTLY", json.dumps(PLOTLY)) % place)
        return self.tab.picture()

    def close(self) -> None:
        """Save what is shown, close it and end its kernel."""
        self.tab.run("""(async () => {
          const shown = jupyterapp.shell.currentWidget;
          await shown.context.save();
          await shown.sessionContext.shutdown();
          shown.dispose();
        })()""")

    def complete(self, text: str) -> list[str]:
        """Type into the last cell, press Tab, and give what is offered."""
        self.tab.run(_NEW_CELL)
        self.tab.wait(f"!{_OFFERED}.length", WAIT_S)
        self.tab.call("Input.insertText", text=text)
        for kind in ("rawKeyDown", "keyUp"):
            self.tab.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        self.tab.wait(f"{_OFFERED}.length > 0", WAIT_S)
        return self.tab.run(_OFFERED)


@contextlib.contextmanager
def lab(tab: Browser, case: Path, folder: Path) -> Iterator[Lab]:
    """Serve a case as ``agtrace lab`` does, its notebook and store in a folder; ended with the block."""
    settings = folder / "config"
    settings.mkdir(parents=True)
    (settings / "jupyter_lab_config.py").write_text(_EXPOSED, encoding="utf-8")
    words = ["lab", str(case), "--out", str(folder / "notebooks"), "--store", str(folder / "store")]
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "agtrace", *words, "--no-browser"],
        stdout=subprocess.PIPE, text=True,
        env=os.environ | {"JUPYTER_CONFIG_DIR": str(settings)},
    ) as running:  # fmt: skip
        try:
            told = (_ADDRESS.fullmatch(line) for line in running.stdout)
            found = next(filter(None, told), None)
            assert found, "no address was printed"
            base, first, token = found.groups()
            tab.call(
                "Emulation.setDeviceMetricsOverride",
                width=1280,
                height=900,
                deviceScaleFactor=1,
                mobile=False,
            )
            yield Lab(tab, base, token, first)
        finally:
            running.terminate()
            running.wait(30)


def faults(cells: list[dict[str, Any]]) -> list[str]:
    """Return what is wrong with a notebook that was run, in words."""
    found = []
    for place, cell in enumerate(cells):
        found += [f"cell {place}: {error}" for error in cell["errors"]]
        if cell["drawn"] < cell["wanted"]:
            found.append(f"cell {place}: {cell['drawn']} of {cell['wanted']} figures are drawn")
        if cell["shared"]:
            found.append(f"cell {place}: a figure is one click from a public service")
        if "FigureWidget(" in cell["text"] or "Figure({" in cell["text"]:
            found.append(f"cell {place}: a figure is shown as text")
    figures = [place for place, cell in enumerate(cells) if cell["wanted"]]
    told = [place for place, cell in enumerate(cells) if ".findings()" in cell["source"]]
    if not figures:
        found.append("it shows no figure")
    elif told and min(told) < min(figures):
        found.append("findings are told before a figure")
    return found
