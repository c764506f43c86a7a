"use strict";
{
// The timeline of the case: findings on top, then a lane for each host, and above all a strip of the whole time.
const SVG = "http://www.w3.org/2000/svg";
const HEAD = 32, METRIC = 46, LANE = 58, FOOT = 20, STRIP = 26, APART = 7, LEAST_MS = 20;
const SEVERITIES = ["critical", "warning", "notice", "info"];
const PATHS = { // of a mark that is ten pixels wide and high, around its middle
  x: "M-4-4L4 4M-4 4L4-4", diamond: "M0-5L5 0L0 5L-5 0Z", square: "M-4-4H4V4H-4Z", "circle-open": "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0-4 0Z",
  "triangle-up": "M0-5L5 4H-5Z", star: "M0-6L1.6-1.9L5.7-1.9L2.5.8L3.5 4.9L0 2.6L-3.5 4.9L-2.5.8L-5.7-1.9L-1.6-1.9Z", "line-ns": "M0-6V6", dot: "M-2 0A2 2 0 1 0 2 0A2 2 0 1 0-2 0Z",
};
const box = document.getElementById("timeline");
const shape = (name, given, ...inside) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(given)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
};
const titled = (text) => { const made = shape("title", {}); made.textContent = text; return made; };
const write = (text, given) => { const made = shape("text", given); made.textContent = text; return made; };
const clockText = (ms, from = 0, to = 23) => `${isoOf(ms + offset * MS).slice(from, to).replace("T", " ")}`;
const clockName = () => (offset ? zone(offset) : "UTC");

const metrics = told.metrics || [];
const TOP = HEAD + METRIC * metrics.length, HEIGHT = TOP + LANE * told.hosts.length + FOOT;
let view = zoom || told.shown;
const strip = shape("svg", { class: "strip-of-time", width: "100%", height: STRIP, "aria-hidden": "true" });
const lanes = shape("svg", { class: "timeline", width: "100%", height: HEIGHT, role: "group", "aria-label": "Timeline: arrow keys go from mark to mark, Enter shows what was logged then; W and S zoom, A and D move" });
const bar = document.createElement("div");
bar.className = "bar";
const range = document.createElement("output");
for (const [text, label, act] of [
  ["Incident", "Show the incident of the headline", () => show(told.shown)],
  ["Whole", "Show the whole time", () => show(told.whole)],
  ["−", "Show twice as much", () => widen(2)], ["+", "Show half as much", () => widen(0.5)],
  ["◀", "Earlier", () => move(-0.5)], ["▶", "Later", () => move(0.5)],
]) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", textContent: text, title: label });
  button.setAttribute("aria-label", label);
  button.addEventListener("click", act);
  bar.append(button);
}
bar.append(range, clockChoice() || "");
const legend = document.createElement("p");
legend.className = "legend";
box.prepend(bar, strip, lanes, legend);

const clamped = ([from, to]) => {
  const long = Math.max(Math.min(to - from, told.whole[1] - told.whole[0]), LEAST_MS);
  const begin = Math.min(Math.max(from, told.whole[0]), told.whole[1] - long);
  return [begin, begin + long];
};
const show = (span) => { view = clamped(span); draw(); setZoom(view, "timeline"); };
const widen = (times) => { const middle = (view[0] + view[1]) / 2, half = ((view[1] - view[0]) / 2) * times; show([middle - half, middle + half]); };
const move = (share) => { const step = (view[1] - view[0]) * share; show([view[0] + step, view[1] + step]); };

function key(name, symbol, colour) {
  const made = document.createElement("span");
  made.className = `key ${symbol ? "drawn" : name.replace(" ", "-")}`;
  if (symbol) made.append(shape("svg", { viewBox: "-7 -7 14 14", width: 13, height: 13, "aria-hidden": "true" }, glyph(symbol, colour)));
  made.append(name);
  return made;
}
const glyph = (symbol, colour) => shape("path", { d: PATHS[symbol], ...(["x", "circle-open", "line-ns"].includes(symbol) ? { stroke: colour, fill: symbol === "circle-open" ? "var(--card)" : "none", "stroke-width": 2 } : { fill: colour }) });

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 108e5, 216e5, 432e5, 864e5];
function axis(width, height) {
  const long = view[1] - view[0], most = Math.max(Math.floor(width / 130), 2);
  const day = 864e5;
  const step = STEPS.find((each) => long / each <= most) || Math.ceil(long / most / day) * day;
  const drawn = [];
  const first = Math.ceil((view[0] + offset * MS) / step) * step - offset * MS;
  for (let ms = first; ms <= view[1]; ms += step) {
    const x = at(ms, width);
    const text = step >= day ? clockText(ms, 5, 10) : long > 12e7 ? clockText(ms, 5, 16) : step >= 6e4 ? clockText(ms, 11, 16) : step >= 1e3 ? clockText(ms, 11, 19) : clockText(ms, 11, 23);
    const anchor = x < 40 ? "start" : x > width - 40 ? "end" : "middle";
    drawn.push(shape("line", { class: "grid", x1: x, x2: x, y1: HEAD, y2: height - FOOT }), write(text, { class: "tick", x, y: height - 5, "text-anchor": anchor }));
  }
  return drawn;
}
const at = (ms, width) => ((ms - view[0]) / (view[1] - view[0])) * width;
// A bar from begin to end as far as it is shown; what is shorter than a pixel or two is drawn as such.
function stretch(given, [from, to], width, ...inside) {
  const begin = Math.max(at(from, width), 0), end = Math.min(at(to, width), width);
  if (end < 0 || begin > width || end < begin - 3) return [];
  return [shape("rect", { ...given, x: begin, width: Math.max(end - begin, 2) }, ...inside)];
}
function button(us, label, x, y, given, ...inside) {
  return shape("g", { ...given, role: "button", tabindex: -1, "data-time": isoOfUs(us), "aria-label": label, transform: `translate(${x} ${y})` }, titled(label), ...inside);
}
function findings(width, height) {
  const drawn = [];
  for (const [from, to, severity, title, link] of told.findings.toReversed()) {
    const begin = at(from, width), end = at(to, width);
    if (end < 0 || begin > width) continue;
    const [x, until] = [Math.max(begin, 0), Math.min(end, width)];
    if (["critical", "warning"].includes(severity) && end - begin < width / 2) drawn.push(shape("rect", { class: `band ${severity}`, x, width: Math.max(until - x, 2), y: HEAD, height: height - FOOT - HEAD }));
    const y = 2 + 7 * SEVERITIES.indexOf(severity);
    const made = button(from * 1000, `${title} (${severity})`, x, y, { class: `finding ${severity}`, "data-family": severity, "data-link": link }, shape("rect", { class: "hit", y: -1, width: Math.max(until - x, 9), height: 7 }), shape("rect", { width: Math.max(until - x, 9), height: 5, rx: 2 }));
    drawn.push(made);
  }
  return drawn;
}
// Marks of one family that would lie on each other are one.
function marksOf(host, width) {
  const drawn = [], last = {};
  for (const [place, family, us, text] of told.marks) {
    const x = at(us / 1000, width);
    if (place !== host || x < -1 || x > width + 1) continue;
    const before = last[family];
    if (before && x - before.x < APART) { before.n += 1; before.to = us; continue; }
    last[family] = { x, n: 1, us, to: us, family, text };
    drawn.push(last[family]);
  }
  const y = TOP + LANE * host + 33;
  return drawn.map(({ x, n, us, to, family, text }) => {
    const when = clockText(us / 1000);
    const label = n > 1 ? `${told.hosts[host]}: ${text}, ${when}, and ${n - 1} more ${family} until ${clockText(to / 1000, 11)} ${clockName()}` : `${told.hosts[host]}: ${text}, ${when} ${clockName()}`;
    return button(us, label, x, y, { class: "event-mark", "data-family": family }, shape("rect", { class: "hit", x: -6, y: -8, width: 12, height: 16 }), glyph(told.looks[family][0], told.looks[family][1]));
  });
}
function lane(host, width) {
  const top = TOP + LANE * host;
  const group = told.groups[host] || "";
  const drawn = [write(group ? `${group}: ${told.hosts[host]}` : told.hosts[host], { class: "host", x: 0, y: top + 12 })];
  if (host && group !== (told.groups[host - 1] || "")) drawn.push(shape("line", { class: "group", x1: 0, x2: width, y1: top - 1, y2: top - 1 }));
  for (const [place, role, from, to, assumed] of told.roles) {
    if (place !== host) continue;
    const given = { y: top + 16, height: 8 };
    drawn.push(...stretch({ ...given, class: `role ${role}${assumed ? " assumed" : ""}` }, [from, to], width, titled(`${role} on ${told.hosts[host]}${assumed ? " (assumed)" : ""}`)));
    if (assumed) drawn.push(...stretch({ ...given, class: "hatch", fill: "url(#hatch)" }, [from, to], width));
  }
  for (const [place, kind, from, to] of told.spans) if (place === host) drawn.push(...stretch({ class: `capture ${told.lanes[kind]}`, y: top + 43 + 5 * (2 - kind), height: 3 }, [from, to], width, titled(`${told.lanes[kind]} of ${told.hosts[host]}`)));
  return drawn.concat(marksOf(host, width));
}
// A value with its unit as everywhere else: three digits, bytes and rates in powers of 1000.
function amount(value, unit) {
  const [of, per] = /^B/.test(unit) ? ["B", unit.slice(1)] : ["", unit];
  const power = of ? Math.max(Math.min(Math.floor(Math.log10(Math.max(Math.abs(value), 1)) / 3), 4), 0) : 0;
  const scaled = value / 1000 ** power;
  const digits = Math.abs(scaled) >= 100 ? 0 : Math.abs(scaled) >= 10 ? 1 : 2;
  return `${Number(scaled.toFixed(digits)).toLocaleString("en-US")} ${["", "K", "M", "G", "T"][power]}${of}${per}`;
}
// The points of a metric that are in view, with one on either side; those of the finer part where it holds the view.
function points({ parts }) {
  const part = parts.filter(({ from, to }) => from <= view[0] && view[1] <= to).at(-1) || parts[0];
  const first = Math.max(part.t.findLastIndex((ms) => ms < view[0]), 0), after = part.t.findIndex((ms) => ms > view[1]);
  const last = after < 0 ? part.t.length : after + 1;
  return { t: part.t.slice(first, last), v: part.v.slice(first, last), gap: part.gap };
}
function metric(each, place, width) {
  const top = HEAD + METRIC * place, low = top + METRIC - 6, high = top + 18;
  const { t, v, gap } = points(each);
  const inView = v.filter((_, n) => t[n] >= view[0] && t[n] <= view[1]);
  const most = Math.max(...inView, 0);
  const label = inView.length ? `${each.name}: up to ${amount(most, each.unit)}` : `${each.name}: no samples in this period`;
  const y = (value) => low - (low - high) * Math.min(value / (most || 1), 1);
  let line = "", area = "";
  t.forEach((ms, n) => {
    const joined = n && ms - t[n - 1] <= gap, [x, above] = [at(ms, width).toFixed(1), y(v[n]).toFixed(1)];
    line += `${joined ? "L" : "M"}${x} ${above}`;
    area += `${joined ? "" : `M${x} ${low}`}L${x} ${above}${n + 1 < t.length && t[n + 1] - ms <= gap ? "" : `V${low}Z`}`;
  });
  return [
    write(label, { class: "metric-name", x: 0, y: top + 12 }),
    write("", { class: "reading", "data-metric": place, x: width, y: top + 12, "text-anchor": "end" }),
    shape("line", { class: "grid", x1: 0, x2: width, y1: low, y2: low }),
    shape("path", { class: "metric-area", d: area || "M0 0" }),
    shape("path", { class: "metric", d: line || "M0 0" }, titled(label)),
  ];
}
// What each metric reads at the pointer.
function read(event) {
  const ms = event && msAt(event, lanes, view);
  for (const text of lanes.querySelectorAll(".reading")) {
    const each = metrics[text.dataset.metric], { t, v, gap } = points(each);
    const nearest = ms === undefined ? -1 : t.reduce((best, one, n) => (Math.abs(one - ms) < Math.abs((t[best] ?? Infinity) - ms) ? n : best), -1);
    text.textContent = nearest >= 0 && Math.abs(t[nearest] - ms) <= gap ? `${amount(v[nearest], each.unit)} at ${clockText(t[nearest], 11, 19)}` : "";
  }
}
const hatching = () => shape("defs", {}, shape("pattern", { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, shape("rect", { class: "hatching", width: 2, height: 5 })));
function drawStrip(width) {
  const [from, to] = told.whole;
  const across = (ms) => ((ms - from) / (to - from)) * width;
  const drawn = [shape("rect", { class: "paper", x: 0, y: 3, width, height: STRIP - 8 })];
  for (const [begin, end, severity] of told.findings.toReversed()) if (["critical", "warning"].includes(severity)) drawn.push(shape("rect", { class: `finding ${severity}`, x: Math.max(across(begin), 0), width: Math.max(Math.min(across(end), width) - Math.max(across(begin), 0), 2), y: 3, height: STRIP - 8 }));
  const [x, until] = view.map(across);
  drawn.push(shape("rect", { class: "window", x, y: 1, width: Math.max(until - x, 4), height: STRIP - 4, rx: 3 }));
  strip.replaceChildren(...drawn);
}
// What is in view, and nothing else.
function drawLegend() {
  const isThere = (selector) => lanes.querySelector(selector);
  const drawn = [];
  for (const role of ["primary", "secondary", "resolving"]) if (isThere(`.role.${role}`)) drawn.push(key(role));
  if (isThere(".role.assumed")) drawn.push(key("assumed"));
  for (const [family, [symbol, colour]] of Object.entries(told.looks)) if (isThere(`[data-family="${family}"]`)) drawn.push(key(family, symbol, colour));
  for (const name of told.lanes) if (isThere(`.capture.${name}`)) drawn.push(key(name));
  for (const severity of SEVERITIES) if (isThere(`.finding.${severity}`)) drawn.push(key(severity));
  legend.replaceChildren(...drawn);
}
function draw() {
  const width = Math.max(lanes.clientWidth, 200), height = HEIGHT;
  const focused = lanes.contains(document.activeElement) ? document.activeElement.dataset.time : undefined;
  lanes.replaceChildren(hatching(), ...axis(width, height), ...findings(width, height), ...metrics.flatMap((each, place) => metric(each, place, width)), ...told.hosts.flatMap((_, host) => lane(host, width)));
  drawStrip(width);
  drawLegend();
  const long = view[1] - view[0];
  range.textContent = `${clockText(view[0], 0, 19)} to ${clockText(view[1], long < 864e5 ? 11 : 0, long < 6e4 ? 23 : 19)} ${clockName()}`;
  const all = [...lanes.querySelectorAll("[data-time]")];
  const stop = all.find((each) => each.dataset.time === focused) || all[0];
  stop?.setAttribute("tabindex", 0);
  if (focused) stop?.focus();
  drawMeasured();
}
// Arrow keys go from mark to mark in the order of time, Enter shows the lines.
lanes.addEventListener("keydown", (event) => {
  const mark = event.target.closest("[data-time]");
  if (!mark) return;
  const all = [...lanes.querySelectorAll("[data-time]")].sort((a, b) => (a.dataset.time < b.dataset.time ? -1 : 1));
  const next = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (next) {
    const to = all[all.indexOf(mark) + next];
    if (to) { mark.setAttribute("tabindex", -1); to.setAttribute("tabindex", 0); to.focus(); }
  } else if (event.key === "Enter" || event.key === " ") open(mark);
  else return;
  event.preventDefault();
});
const askLines = (iso, label, link, from) => document.dispatchEvent(new CustomEvent("lines", { detail: { iso, label, link, from } }));
const open = (mark) => askLines(mark.dataset.time, mark.getAttribute("aria-label"), mark.dataset.link, mark);
// A click shows the lines of its moment; what is dragged over is measured, and "Zoom to it" or F shows it alone.
let drag, measured;
const msAt = (event, svg, [from, to]) => from + ((event.clientX - svg.getBoundingClientRect().left) / svg.clientWidth) * (to - from);
const lengthOf = (ms) => {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MS) return `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`;
  const s = Math.round(ms / 1000), parts = [[Math.floor(s / 86400), "d"], [Math.floor(s / 3600) % 24, "h"], [Math.floor(s / 60) % 60, "min"], [s % 60, "s"]];
  return parts.filter(([n]) => n).slice(0, 2).map(([n, unit]) => `${n} ${unit}`).join(" ");
};
const zoomIn = document.createElement("button");
Object.assign(zoomIn, { type: "button", textContent: "Zoom to it", title: "Show the measured time alone (F)", hidden: true });
range.after(zoomIn);
function measure(span) {
  measured = span;
  zoomIn.hidden = !span;
  drawMeasured();
  if (span) range.textContent = `${lengthOf(span[1] - span[0])}: ${clockText(span[0], 11)} to ${clockText(span[1], 11)} ${clockName()}`;
}
function drawMeasured() {
  lanes.querySelector(".brush")?.remove();
  if (measured) lanes.append(...stretch({ class: "brush", y: HEAD, height: HEIGHT - FOOT - HEAD }, measured, lanes.clientWidth));
}
const leave = () => { measure(); draw(); };
const zoomToMeasured = () => { const span = measured; measure(); if (span) show(span); else draw(); };
zoomIn.addEventListener("click", zoomToMeasured);
lanes.addEventListener("pointerdown", (event) => { if (event.button === 0) drag = { from: msAt(event, lanes, view), x: event.clientX }; });
lanes.addEventListener("pointermove", (event) => {
  read(event);
  if (!drag || drag.done || (!drag.far && Math.abs(event.clientX - drag.x) < 5)) return;
  drag.far = true;
  measure([drag.from, msAt(event, lanes, view)].sort((a, b) => a - b));
});
lanes.addEventListener("pointerleave", () => read());
// The click that ends a drag opens nothing.
window.addEventListener("pointerup", () => { if (drag) drag = { done: drag.far }; });
// The wheel zooms at the pointer, W and S in the middle; A and D move.
lanes.addEventListener("wheel", (event) => {
  const along = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
  const ms = msAt(event, lanes, view), times = Math.exp(Math.max(Math.min(event.deltaY, 200), -200) / 400);
  if (along) move((event.deltaX || event.deltaY) / 1000);
  else show([ms - (ms - view[0]) * times, ms + (view[1] - ms) * times]);
  event.preventDefault();
}, { passive: false });
const KEYS = { w: () => widen(0.7), s: () => widen(1 / 0.7), a: () => move(-0.2), d: () => move(0.2), f: zoomToMeasured, Escape: leave };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, [contenteditable], dialog")) return;
  if (measured || !["f", "Escape"].includes(event.key)) KEYS[event.key]?.();
});
lanes.addEventListener("click", (event) => {
  const ended = drag?.done;
  drag = undefined;
  if (ended) return;
  if (measured) leave();
  const mark = event.target.closest("[data-time]");
  if (mark) { open(mark); return; }
  const y = event.clientY - lanes.getBoundingClientRect().top;
  if (y > HEAD && y < HEIGHT - FOOT) askLines(isoOfUs(Math.round(msAt(event, lanes, view)) * 1000));
});
lanes.addEventListener("dblclick", () => show(told.whole));
// The window on the strip is moved by dragging it, and placed where the strip is clicked.
let held;
strip.addEventListener("pointerdown", (event) => {
  const ms = msAt(event, strip, told.whole), half = (view[1] - view[0]) / 2;
  if (ms < view[0] || ms > view[1]) show([ms - half, ms + half]);
  held = { ms, view };
  strip.setPointerCapture(event.pointerId);
});
strip.addEventListener("pointermove", (event) => {
  if (!held) return;
  const by = msAt(event, strip, told.whole) - held.ms;
  view = clamped(held.view.map((each) => each + by));
  requestAnimationFrame(draw);
});
strip.addEventListener("pointerup", () => { if (held) setZoom(view, "timeline"); held = undefined; });
document.addEventListener("zoom", (event) => { if (event.detail !== "timeline") { view = clamped(zoom || told.whole); draw(); } });
document.addEventListener("clock", draw);
new ResizeObserver(() => requestAnimationFrame(draw)).observe(box);
draw();
}
