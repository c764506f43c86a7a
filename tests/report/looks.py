"""What is wrong with a page as a browser shows it, and pictures of every page of every sample.

``python -m tests.report.looks FOLDER [SAMPLE ..]`` makes the reports of the samples (all, or those named),
writes a picture of each page into FOLDER, and says what is wrong with any.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import agtrace
from agtrace.report import ReportResult, report
from tests.report.browser import Browser, browser
from tests.report.prose import said_too_much

FIRST_FIGURE_PX = 700
PAGE_BYTES = 1_000_000

SHOWN = {
    "log_send_queue": "report.webp",
    "failover_lease_cpu": "report_dark.webp",
    "failover_io_stall": "report_printed.webp",
}
"""Pictures that the documentation shows, by the sample whose report is in them."""
A4, MARGIN_PX = (793, 1122), 45

TOP = (
    "(() => { const f = document.querySelector('figure'); return f && f.getBoundingClientRect().top + "
    "scrollY; })()"
)
WITHOUT_UNIT = """[...document.querySelectorAll('.plot')].some((plot) => Object.entries(plot._fullLayout).some(
  ([name, axis]) => /^yaxis/.test(name) && ['linear', 'log'].includes(axis.type) && !plot.layout[name]?.ticktext
    && !plot.layout[name]?.title?.text))"""  # noqa: E501
ENTRIES = """[...document.querySelectorAll('.plot')].map((plot) => plot._fullData.filter(
  (trace) => trace.showlegend && trace.visible === true && plot._fullLayout.showlegend))"""
ALIKE = f"""{ENTRIES}.some((shown) => new Set(shown.map((trace) => JSON.stringify([
  trace.mode === 'markers' || trace.type === 'bar' ? trace.marker?.color : trace.line?.color,
  trace.type, trace.line?.dash, trace.line?.width, trace.opacity,
  trace.marker?.symbol, trace.marker?.pattern?.shape, trace.marker?.size]))).size < shown.length)"""
ABSENT = f"""{ENTRIES}.some((shown) => shown.some((trace) => !trace.x?.length || !trace.y?.length))"""
BARS_OFF_ZERO = """[...document.querySelectorAll('.plot')].some((plot) => plot._fullData.some((trace) => {
  const axis = plot._fullLayout[((trace.orientation === 'h' ? trace.xaxis : trace.yaxis) || 'x').replace(/\\d*$/, (n) => `axis${n}`)];
  return trace.type === 'bar' && trace.y?.length && (axis.type === 'log' || (axis.type === 'linear' && trace.base === undefined && axis.range[0] > 0));
}))"""  # noqa: E501
UNSAID = """[...document.querySelectorAll('figure[data-figure]')].some((figure) => {
  const stripes = (figure.querySelector('.plot').layout.shapes || []).some((each) => each.line?.dash === 'dot' && each.type === 'rect');
  return stripes !== Boolean(figure.querySelector('.marked .key'));
})"""  # noqa: E501
OVERFLOW = "document.documentElement.scrollWidth - innerWidth"
DRAWN = """(() => {
  const shown = [...document.querySelectorAll('figure[data-figure]')];
  return shown.every((figure) => figure.querySelector('.trace, .bars .point, .heatmaplayer image'));
})()"""
UNFOLD = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"
# A table in a wide place scrolls there, below its head; others must fit.
FITTED = """[...document.querySelectorAll('table')].every((table) => {
  const box = table.closest('.scroll');
  return (box && box.clientWidth >= 800 && getComputedStyle(box).overflowX === 'auto')
    || table.getBoundingClientRect().width <= (box || table.parentElement).clientWidth + 1;
})"""
SILENT = """[...document.querySelectorAll('td')].filter((cell) => cell.checkVisibility() && !cell.innerText.trim()
  && getComputedStyle(cell, '::before').content === 'none').length"""  # noqa: E501

UNTOLD = """(async () => {
  const wrong = [];
  document.querySelector('#timeline [title="Show the whole time"]')?.click();
  const families = new Set([...document.querySelectorAll('#timeline [data-family]')].map((mark) => mark.dataset.family));
  for (const family of families) {
    const mark = document.querySelector(`#timeline [data-family="${family}"]`);
    mark.dispatchEvent(new MouseEvent('click', {bubbles: true}));
    for (let n = 0; n < 50 && document.querySelector('#lines').dataset.of !== mark.dataset.time; n += 1)
      await new Promise((done) => setTimeout(done, 20));
    const rows = [...document.querySelectorAll('#lines [data-time]')];
    const whole = rows.every((row) => row.matches('.moment') || (row.dataset.host && row.dataset.file && row.dataset.line));
    if (!whole || !rows.some((row) => row.dataset.time === mark.dataset.time)) wrong.push(family);
    document.querySelector('#lines button').click();
  }
  return wrong;
})()"""  # noqa: E501


def faults(tab: Browser, page: Path, *, width: int = 1280) -> list[str]:
    """Open a page and give what is wrong with it, in words."""
    tab.open(page, width=width)
    found = [*said_too_much(page), *tab.complaints, *tab.foreign_requests()]
    top = tab.run(TOP)
    if width > 1000 and top is not None and top >= FIRST_FIGURE_PX:
        found.append(f"the first figure starts at {top:.0f} px")
    if not tab.run(DRAWN):
        found.append("a figure is blank")
    if tab.run(WITHOUT_UNIT):
        found.append("an axis has no unit")
    for fault, is_so in (
        ("two entries of a legend look the same", ALIKE),
        ("a legend names what is not drawn", ABSENT),
        ("bars do not stand on a linear axis from zero", BARS_OFF_ZERO),
        ("stripes of findings and roles are not explained, or those explained are not there", UNSAID),
    ):
        if tab.run(is_so):
            found.append(fault)
    if tab.run(OVERFLOW) > 0:
        found.append(f"it is wider than {width} px")
    if untold := tab.run(UNTOLD):
        found.append(f"a click on a mark shows no line of its moment: {', '.join(untold)}")
    tab.run(UNFOLD)
    tab.run(TWO_FRAMES)
    if not tab.run(FITTED):
        found.append(f"a table is wider than its place at {width} px")
    if tab.run(SILENT):
        found.append("a cell of a table shows nothing")
    if page.stat().st_size > PAGE_BYTES:
        found.append(f"it has {page.stat().st_size:,} bytes")
    return [f"{page.name}: {each}" for each in found]


def samples() -> list[str]:
    """Name the sample cases."""
    folder = agtrace.sample("log_send_queue").parent
    return sorted(path.name for path in folder.iterdir() if path.is_dir() and path.name[0].isalpha())


def main(arguments: list[str]) -> int:
    """Make the pictures; 1 where anything is wrong."""
    out, wrong = Path(arguments[0]), 0
    with tempfile.TemporaryDirectory() as scratch, browser(Path(scratch) / "profile") as tab:
        for name in arguments[1:] or samples():
            folder = Path(scratch) / name
            made = report(agtrace.sample(name), folder / "out", store=folder / "store")
            (out / name).mkdir(parents=True, exist_ok=True)
            for page in [made.index, *made.pages.values()]:
                found = faults(tab, page)
                wrong += len(found)
                print(name, page.stem, found or "fine", flush=True)
                tab.open(page)  # as a reader gets it: what was looked for has unfolded it
                (out / name / f"{page.stem}.webp").write_bytes(tab.picture(scale=0.6, kind="webp"))
            if name in SHOWN:
                show(tab, made, out / SHOWN[name])
    return int(wrong > 0)


def show(tab: Browser, made: ReportResult, target: Path) -> None:
    """Write the picture of a report that the documentation shows: light, dark or printed."""
    page = made.pages["health"] if target.stem == "report_dark" else made.index
    tab.open(page, dark=target.stem == "report_dark")
    if target.stem == "report_printed":
        tab.on_paper(width=A4[0])
        tab.run(f"document.body.style.padding = '{MARGIN_PX}px'")
    tab.run(TWO_FRAMES)
    size = {"report_printed": A4}.get(target.stem, (1280, 1500))
    target.write_bytes(tab.picture(kind="webp", size=size))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
