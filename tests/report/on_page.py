"""What is asked of an open page: expressions that a browser evaluates, and what a page's text says itself."""

from __future__ import annotations

import html
import json
import re

PORTRAIT, LANDSCAPE = 703, 1032
"""Pixels between the margins of a sheet of A4, upright and turned."""

_ANCHOR = re.compile(r'<article class="card [^"]*" id="(finding-\d+)"')
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)


def anchors(page: str) -> list[str]:
    """Return the findings that have their card on a page."""
    return _ANCHOR.findall(page)


def title(page: str) -> str:
    """Return the title of a page."""
    return html.unescape(_TITLE.search(page)[1]).strip()


_WAIT = """const until = async (holds) => {
  for (let n = 0; n < 250 && !holds(); n += 1) await new Promise((done) => setTimeout(done, 20));
};"""

SUMMARY = """(() => {
  const summary = document.querySelector('#summary');
  return [summary.innerText, summary.getBoundingClientRect().top + scrollY];
})()"""

VISIBLE_TITLES = """[...document.querySelectorAll('.findings a, .card h3')]
  .filter((each) => each.checkVisibility()).map((each) => each.textContent.trim())"""

OPENED = """(() => {
  const {shown, whole, hosts} = JSON.parse(document.querySelector('#time').textContent);
  const text = (ms) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  const drawn = document.querySelector('#timeline output').textContent.slice(0, 19);
  const lanes = [...document.querySelectorAll('.timeline .host')].map((each) => each.textContent);
  return {hosts, whole, from: shown[0], to: shown[1], asked: text(Math.max(shown[0], whole[0])),
    drawn: lanes.length === hosts.length ? drawn : ''};
})()"""

_OPENED_BY = """({dataset: {time, file, line}}) => (line ? `${file} line ${line}` : time)"""
CHAIN = f"""[...document.querySelectorAll('#chain button')].map({_OPENED_BY})"""


def opened_line(place: int) -> str:
    """Click a link of the chain; return the line that is marked then, or its time as the link has no line."""
    return f"""(async () => {{ {_WAIT}
      const by = {_OPENED_BY}, link = document.querySelectorAll('#chain button')[{place}];
      link.click();
      const named = (row) => (link.dataset.line ? by(row) : row.dataset.time);
      const rows = () => [...document.querySelectorAll('#lines .here')];
      const here = () => rows().find((row) => named(row) === by(link));
      await until(here);
      return here()?.checkVisibility() ? named(here()) : null;
    }})()"""


def search(word: str) -> str:
    """Press the key of the search and look for a word."""
    return f"""(async () => {{ {_WAIT}
      document.dispatchEvent(new KeyboardEvent('keydown', {{key: '/', bubbles: true}}));
      const field = document.querySelector('#search');
      const focused = document.activeElement === field;
      field.value = {json.dumps(word)};
      field.dispatchEvent(new Event('input'));
      const hits = document.querySelector('#hits');
      await until(() => hits.querySelector('.count'));
      const marked = hits.querySelector('mark')?.textContent;
      return {{focused, hits: hits.querySelectorAll('li').length, marked}};
    }})()"""


STATE = """(() => {
  const pane = document.querySelector('#lines');
  return {hash: location.hash, period: document.querySelector('#timeline output').textContent,
    clock: document.querySelector('select.clock')?.value, mark: pane.hidden ? null : pane.dataset.of,
    open: [...document.querySelectorAll('.card > details[open]')].map((each) => each.parentElement.id)};
})()"""

CHANGE_ALL = f"""(async () => {{ {_WAIT}
  document.querySelector('#timeline [title="Show half as much"]').click();
  const clock = document.querySelector('select.clock');
  if (clock) {{ clock.selectedIndex = clock.options.length - 1; clock.dispatchEvent(new Event('change')); }}
  const pane = document.querySelector('#lines');
  const mark = document.querySelector('.timeline [data-time]');
  mark.dispatchEvent(new MouseEvent('click', {{bubbles: true}}));
  await until(() => !pane.hidden);
  const folded = [...document.querySelectorAll('.card > details')].filter((each) => each.checkVisibility());
  const card = folded.find((each) => !each.open) || folded[0];
  if (card?.open) card.querySelector('summary').click();
  await new Promise((done) => setTimeout(done, 50));
  card?.querySelector('summary').click();
  await new Promise((done) => setTimeout(done, 50));
  return {STATE};
}})()"""

_BROKEN = """[...document.querySelectorAll('table%s')].flatMap((table) => {
  const walk = document.createTreeWalker(table, NodeFilter.SHOW_TEXT), range = document.createRange();
  const sheet = document.documentElement.clientWidth, found = [];
  if (table.checkVisibility() && table.getBoundingClientRect().right > sheet + 1)
    found.push(`wider than the sheet: ${table.textContent.trim().slice(0, 40)}`);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!node.parentElement.checkVisibility()) continue;
    for (const word of node.data.matchAll(/[\\p{L}\\p{N}.,:%%]+/gu)) {
      range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
      const tops = new Set([...range.getClientRects()].map((each) => Math.round(each.top)));
      if (tops.size > 1) found.push(word[0]);
    }
  }
  return found;
})"""
BROKEN_WORDS = _BROKEN % ":not(.turned)"
BROKEN_WORDS_TURNED = _BROKEN % ".turned"

WATCH_FIRST_SCREEN = """new MutationObserver((_, observer) => {
  if (!document.querySelector('#timeline .timeline .host')) return;
  observer.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => { window.heroDrawn = performance.now(); }));
}).observe(document, {childList: true, subtree: true})"""

FIRST_SCREEN = f"""(async () => {{ {_WAIT}
  const painted = () => performance.getEntriesByName('first-contentful-paint')[0];
  await until(() => painted() && (window.heroDrawn || !document.querySelector('#timeline')));
  return Math.max(painted()?.startTime ?? 1e9, window.heroDrawn ?? 0);
}})()"""

NAMED_ERRORS = f"""(async () => {{ {_WAIT}
  const lines = typeof logLines === 'function' ? await logLines() : {{e: []}};
  const place = (lines.e || []).findIndex(Boolean);
  if (place < 0) return null;
  const iso = isoOfUs(lines.t[place]);
  document.dispatchEvent(new CustomEvent('lines', {{detail: {{iso}}}}));
  const pane = document.querySelector('#lines');
  await until(() => pane.dataset.of === iso);
  const also = [...pane.querySelectorAll('.also')].filter((each) => each.checkVisibility());
  return [lines.meanings[lines.e[place] - 1], also.map((each) => each.textContent)];
}})()"""
