"use strict";
// What lies packed in the page, unpacked once: the timeline and the search read it.
let held_lines;
const logLines = () => (held_lines ||= unpack());
async function unpack() {
  const packed = JSON.parse(document.getElementById("packed-lines").textContent);
  if (!packed) return { t: [], files: [], sources: [] };
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const found = JSON.parse(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text());
  found.t.reduce((before, step, place) => (found.t[place] = before + step), 0);
  return found;
}
{
// What the logs of every host say around a moment.
const MOST = 50; // of each host before the moment, and after it
const SIDE_BY_SIDE = 3; // more hosts have no column each
const pane = document.getElementById("lines");
const made = (name, style, text = "") => { const one = document.createElement(name); if (style) one.className = style; one.textContent = text; return one; };
const shownTime = (us) => isoOfUs(us).slice(0, 23).replace("T", " ");

// How far the clock of a host is from the reference clock.
const apart = (ms) => `clock ${Math.abs(ms / 1000).toFixed(Math.abs(ms) < 1000 ? 3 : 1)} s ${ms > 0 ? "ahead" : "behind"}`;

// Places of the entries of each host that are nearest to a moment, in the order of time.
function nearest(lines, us) {
  const found = [];
  for (let host = 0; host < told.hosts.length; host += 1) {
    const own = [...lines.t.keys()].filter((place) => lines.h[place] === host);
    const middle = own.findIndex((place) => lines.t[place] >= us);
    const after = middle < 0 ? own.length : middle;
    const exact = own.slice(after).filter((place) => lines.t[place] === us).length;
    found.push(...own.slice(Math.max(after - MOST, 0), after + Math.max(MOST, exact)));
  }
  return found.sort((a, b) => a - b);
}
// A message that several logs of a host have at one moment is shown once: its words are within those of the other.
const TOGETHER = 50_000; // microseconds
const SHORT = 20; // characters: words that are fewer are not one message
const core = (text) => text.replace(/^(Server|Logon|Backup|spid\S+) +|^.*\[hadrag\] |^(.*, )?(data|message)=/, "").replace(/^\[hadrag\] |, (instance_name|node_name|category)=.*$|…$/g, "").trim();
// The line that was asked for stands for the message before one of the same moment, that before any other.
const rank = (lines, place, us, source) => (lines.files[lines.f[place]] === source?.file && String(lines.n[place]) === source.line ? 2 : Number(lines.t[place] === us));
function once(lines, places, us, source) {
  const found = [], recent = {};
  for (const place of places) {
    const host = lines.h[place], text = core(lines.x[place]);
    const near = (recent[host] || []).filter((each) => lines.t[place] - each.us <= TOGETHER);
    const same = text.length < SHORT ? undefined : near.find((each) => each.source !== lines.s[place] && each.text.length >= SHORT && (each.text.includes(text) || text.includes(each.text)));
    recent[host] = near;
    if (!same) {
      found.push({ place, text, us: lines.t[place], source: lines.s[place], also: [] });
      near.push(found.at(-1));
    } else if (rank(lines, place, us, source) > rank(lines, same.place, us, source)) {
      same.also.push(same.place);
      same.place = place;
    } else same.also.push(place);
  }
  return found;
}
function row(lines, { place, also }, us, source) {
  const file = lines.files[lines.f[place]], host = told.hosts[lines.h[place]], own = lines.o[place];
  const one = made("li", rank(lines, place, us, source) ? "here" : "");
  Object.assign(one.dataset, { time: isoOfUs(lines.t[place]), host, file, line: lines.n[place] });
  one.style.setProperty("--column", lines.h[place] + 2);
  const when = made("span", "when", shownTime(lines.t[place]).slice(11));
  when.append(made("small", "", own === null ? "" : shownTime(lines.t[place] + own).slice(11)));
  when.title = own === null ? "UTC; the host's own time is not known" : "UTC, and the host's own time";
  const said = made("span", "said");
  said.append(made("b", "host", host), made("span", "source", lines.sources[lines.s[place]]), ` ${lines.x[place]} `, made("small", "place", `${file}:${lines.n[place]}`));
  if (lines.e?.[place]) said.append(made("small", "also", lines.meanings[lines.e[place] - 1]));
  for (const each of also) said.append(made("small", "also", ` also ${lines.sources[lines.s[each]]}, ${shownTime(lines.t[each]).slice(11)}, ${lines.files[lines.f[each]]}:${lines.n[each]}`));
  one.append(when, said);
  return one;
}
// Entries that do not lie in the page are told where they are missing.
function gap(lines, { place, also }, last) {
  const host = lines.h[place], own = [place, ...also].map((each) => lines.p[each]);
  const missing = Math.min(...own) - (last[host] ?? Math.min(...own) - 1) - 1;
  last[host] = Math.max(...own, last[host] ?? 0);
  if (missing < 1) return [];
  const one = made("li", "gap");
  one.style.setProperty("--column", host + 2);
  one.append(made("span", "said", `${missing.toLocaleString("en")} more of ${told.hosts[host]} not in this page`));
  return [one];
}
async function showLines(iso, label, link, from) {
  const lines = await logLines();
  const us = Math.round(Date.parse(`${iso.slice(0, 19)}Z`) * 1000) + Number(iso.slice(20, 26).replace("Z", "").padEnd(6, "0"));
  const places = nearest(lines, us);
  const day = isoOfUs(us).slice(0, 10), last = {};
  const list = made("ol", "rows");
  const moment = made("li", "moment");
  moment.append(made("span", "when", shownTime(us).slice(11)), made("span", "said", label || "this moment"));
  if (!places.some((place) => lines.t[place] === us)) moment.dataset.time = isoOfUs(us);
  let marked = false;
  for (const each of once(lines, places, us, from?.dataset)) {
    if (!marked && lines.t[each.place] >= us) { list.append(moment); marked = true; }
    list.append(...gap(lines, each, last), row(lines, each, us, from?.dataset));
  }
  if (!marked) list.append(moment);
  const sideBySide = told.hosts.length <= SIDE_BY_SIDE;
  list.classList.toggle("side", sideBySide);
  list.style.setProperty("--hosts", told.hosts.length);
  const head = made("div", "lines-head");
  const title = made("h2", "", `Logged around ${day} ${shownTime(us).slice(11)} UTC`);
  const close = made("button", "", "Close");
  close.type = "button";
  close.addEventListener("click", () => { pane.hidden = true; writeAddress({ mark: "" }); (from?.isConnected ? from : document.querySelector(`#timeline [data-time="${iso}"]`))?.focus(); });
  head.append(title);
  if (link) { const leads = made("a", "", "The finding"); leads.href = link; head.append(leads); }
  head.append(close);
  const names = made("div", "names rows side");
  names.style.setProperty("--hosts", told.hosts.length);
  names.append(made("span", "when", "UTC, own time"), ...told.hosts.map((host, place) => {
    const name = made("b", "", host);
    if (told.apart[place]) name.append(made("small", "", ` ${apart(told.apart[place])}`));
    return name;
  }));
  const scroll = made("div", "scroll");
  scroll.tabIndex = 0;
  scroll.setAttribute("aria-label", "Entries of the logs");
  scroll.setAttribute("role", "region");
  scroll.append(...(sideBySide ? [names] : []), list);
  const all = made("p", "small", "All of it: ");
  all.append(made("code", "", `agtrace around CASE "${shownTime(us)}"`));
  pane.replaceChildren(head, scroll, all);
  pane.dataset.of = iso;
  pane.hidden = false;
  writeAddress({ mark: iso });
  carry();
  const middle = list.querySelector(".here") || moment;
  scroll.scrollTop = middle.offsetTop - scroll.clientHeight / 3;
  scroll.focus({ preventScroll: true });
  if (pane.getBoundingClientRect().top > window.innerHeight - 120) pane.scrollIntoView({ block: "nearest" });
}
pane.addEventListener("keydown", (event) => { if (event.key === "Escape") pane.querySelector("button").click(); });
// The links of a chain, and the moment that the address names.
document.getElementById("chain")?.addEventListener("click", ({ target }) => {
  const from = target.closest("button[data-time]");
  if (from) showLines(from.dataset.time, from.querySelector(".what").textContent, undefined, from);
});
function showMark() {
  const { mark } = address();
  if (!mark || Number.isNaN(Date.parse(mark)) || pane.dataset.of === mark && !pane.hidden) return;
  const from = [...document.querySelectorAll("#chain [data-time], #timeline [data-time]")].find((each) => each.dataset.time === mark);
  showLines(mark, from?.querySelector(".what")?.textContent || from?.getAttribute("aria-label"), from?.dataset.link, from);
}
window.addEventListener("hashchange", showMark);
showMark();
document.addEventListener("lines", ({ detail: { iso, label, link, from } }) => showLines(iso, label, link, from));
}
