"use strict";
const NARROW = 600;
const dark = window.matchMedia("(prefers-color-scheme: dark)");
// The figures' own colours, and what each is on dark paper: as far apart there, and as readable.
const ON_DARK = {
  "#0072b2": "#5ab0ee", "#d55e00": "#ff8f4a", "#009e73": "#35c99b", "#cc79a7": "#eaa6cd", "#e69f00": "#ffc247",
  "#56b4e9": "#9bd8ff", "#5c5c5c": "#b4bcc4", "#1f2933": "#e4e8ec", "#7b8794": "#a3b0bc", "#e4e7eb": "#2b3743",
  "#ffffff": "#18212a", "#f0a30a": "#ffd27a", "#332288": "#9a8cf0", "#cc6677": "#f09aa7", "#117733": "#55c27a",
  "#882255": "#e070a8", "#44aa99": "#7fe0cf", "#aa4499": "#dd88d0", "#999933": "#cfcf6a", "#88ccee": "#bfe8ff",
  "#ddcc77": "#f2e6a0", "#004488": "#6c9fe0", "#997700": "#d9b64a", "#994455": "#e08a9c", "#6699cc": "#a6c8f0",
  "#ee99aa": "#ffc6d2", "#eecc66": "#ffe49a", "#8c510a": "#d9a05a", "#762a83": "#c58ad0",
};
const TONES = { critical: "#a61b1b", warning: "#8f5200", role: "#7b8794" };
const MARKED = { critical: "time of a critical finding", warning: "time of a warning", role: "another replica becomes primary" };
const MOST_LABELS = 6;
const figures = [...document.querySelectorAll("figure[data-figure]")];
const plots = figures.map((figure) => figure.querySelector(".plot"));

function specification(figure, isDark) {
  const text = document.getElementById(figure.dataset.figure).textContent;
  const given = JSON.parse(isDark ? text.replace(/"#[0-9a-f]{6}"/gi, (c) => JSON.stringify(ON_DARK[JSON.parse(c).toLowerCase()] || JSON.parse(c))) : text);
  for (const trace of given.data) {
    const axis = given.layout[`xaxis${(trace.xaxis || "x").slice(1)}`];
    // plotly shows instants given as numbers by the clock of whoever looks, and those given as text as they are.
    if (axis?.type === "date" && trace.x?.bdata) trace.x = decoded(trace.x).map((ms) => new Date(ms).toISOString().replace("Z", ""));
  }
  return given;
}
// Shows what is in UTC by the hosts' own clock: plotly knows no zones, so the instants move.
function moved(value) {
  const ms = typeof value === "number" ? value : Date.parse(`${String(value).replace(" ", "T").replace(/(\.\d{3})\d+$/, "$1").replace(/Z$/, "")}Z`);
  return Number.isNaN(ms) ? value : new Date(ms + offset * MS).toISOString().replace("Z", "");
}
function decoded(given) { // typed arrays as they stand in the page
  if (!given?.bdata || given.dtype !== "f8") return given;
  return [...new Float64Array(Uint8Array.from(atob(given.bdata), (c) => c.charCodeAt(0)).buffer)];
}
function toLocal(data, layout) {
  const titles = Object.entries(layout).filter(([name]) => /^xaxis\d*$/.test(name)).map(([, axis]) => axis.title);
  if (!titles.some((title) => /UTC/.test(title?.text || ""))) return;
  for (const title of titles) if (title?.text) title.text = title.text.replace("UTC", `local time, ${zone(offset)}`);
  for (const trace of data) {
    const key = trace.base === undefined ? "x" : "base"; // of a bar along the axis x is its length
    const values = decoded(trace[key]);
    if (Array.isArray(values)) trace[key] = values.map((each) => (each === null ? each : moved(each)));
  }
  for (const shape of layout.shapes || []) if (shape.xref?.startsWith("x") && !/domain/.test(shape.xref)) [shape.x0, shape.x1] = [moved(shape.x0), moved(shape.x1)];
  for (const note of layout.annotations || []) if (note.xref?.startsWith("x") && !/domain/.test(note.xref)) note.x = moved(note.x);
}
// Breaks a title that is wider than its figure into lines, and makes room for them.
function wrapTitle(layout, width) {
  const title = layout.title;
  if (!title?.text) return;
  const most = Math.max(Math.floor((width - 30) / 8.6), 20); // characters of the title's size on a line
  const lines = [""];
  for (const word of title.text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length > most && lines.at(-1)) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  makeRoom(layout, 20 * (lines.length - 1), true);
  title.text = lines.join("<br>");
}
function makeRoom(layout, room, isAbove) {
  if (!room) return;
  const { height = 450, legend, margin } = layout;
  layout.height = height + room;
  if (legend?.yref === "container") legend.y = 1 - ((1 - legend.y) * height + (isAbove ? room : 0)) / layout.height;
  layout.margin = { ...margin, t: (margin?.t ?? layout.template?.layout?.margin?.t ?? 84) + room };
}
// A phone shows fewer ticks, level ones, and a legend that takes a line for each name or two.
function narrow(data, layout) {
  const names = new Set(data.filter((trace) => trace.showlegend !== false && trace.name).map((trace) => trace.name));
  if (names.size > 1) makeRoom(layout, 19 * (Math.ceil(names.size / 2) - 1), false);
  for (const [name, axis] of Object.entries(layout)) {
    if (/^xaxis\d*$/.test(name)) Object.assign(axis, { nticks: 4, tickangle: 0 });
    if (/^yaxis\d*$/.test(name) && axis.ticktext) axis.ticktext = axis.ticktext.map((text) => (text.length > 18 && !text.includes("<") ? `…${text.slice(-17)}` : text));
  }
  layout.margin = { ...layout.margin, l: 8, r: 8 };
}
// On paper a figure is drawn as wide as on a screen and made smaller. One that is higher than a sheet would be cut:
// the first shares one with the verdict, two that are not high share one. Sizes are those on paper.
const PAPER = { scale: 0.7, width: 700, sheet: 880, half: 410, first: 450 };
function fitPaper(layout, isFirst) {
  const { height = 450, legend } = layout;
  const onPaper = height * PAPER.scale;
  const most = isFirst ? PAPER.first : onPaper > 1.5 * PAPER.half ? PAPER.sheet : PAPER.half;
  layout.height = Math.min(onPaper, most) / PAPER.scale;
  if (legend?.yref === "container") legend.y = 1 - ((1 - legend.y) * height) / layout.height;
}
function draw(figure, plot, isDark, onPaper = false) {
  const { data, layout } = specification(figure, isDark);
  const scale = onPaper ? PAPER.scale : 1;
  const width = onPaper ? PAPER.width / scale : plot.clientWidth;
  if (offset) toLocal(data, layout);
  wrapTitle(layout, width);
  if (width < NARROW) narrow(data, layout);
  if (onPaper) fitPaper(layout, figure === figures[0]);
  plot.style.zoom = onPaper ? scale : "";
  figure.style.minHeight = `${(layout.height || 450) * scale}px`;
  explain(figure, plot, mark(data, layout));
  return Plotly.react(plot, data, { ...layout, ...(onPaper ? { width, autosize: false } : { autosize: true }) }, {
    responsive: true,
    displaylogo: false,
    displayModeBar: plot.clientWidth < NARROW ? false : "hover", // there it would lie on the title
    showSendToCloud: false, // the data of a case goes nowhere
    modeBarButtons: [["zoom2d", "pan2d", "resetScale2d", "toImage"]],
    toImageButtonOptions: { format: "svg", filename: figure.id },
  });
}
const axesOfTime = (plot) => Object.entries(plot._fullLayout || {}).filter(([name, axis]) => /^xaxis\d*$/.test(name) && axis.type === "date" && /UTC/.test(titleOf(plot, axis) || ""));
function titleOf(plot, axis) { // panels that share an axis have its title below the last one
  const own = axis.title?.text || "";
  return own && !/^Click to/.test(own) ? own : Object.entries(plot.layout).filter(([name]) => /^xaxis\d*$/.test(name)).map(([, each]) => each.title?.text || "").join(" ");
}
// The first and last instant that a figure is going to show; nothing where it has no axis of time.
function extent(data, layout) {
  const axes = Object.entries(layout).filter(([name]) => /^xaxis\d*$/.test(name)).map(([, axis]) => axis);
  if (!axes.some((axis) => /UTC/.test(axis.title?.text || ""))) return [];
  const given = axes.map((axis) => axis.range).find(Boolean);
  const ofFirst = data.filter((trace) => (trace.xaxis || "x") === "x"); // where the marks are going to stand
  const times = given ? span(given) : (ofFirst.length ? ofFirst : data).flatMap(instants);
  const known = times.filter((each) => !Number.isNaN(each));
  return known.length ? [Math.min(...known), Math.max(...known)] : [];
}
// The ends of a line, and of each bar: of a bar along the axis x is its length.
function instants({ base, x }) {
  const lengths = decoded(x);
  if (!Array.isArray(lengths)) return [];
  if (base === undefined) return span([lengths.find(Boolean), lengths.findLast(Boolean)].filter((each) => /^\d{4}-/.test(each)));
  const begins = decoded(base);
  return span((Array.isArray(begins) ? begins : [begins]).map(moment)).flatMap((begin, place) => [begin, begin + (Number(lengths[place]) || 0)]);
}
const moment = (each) => (typeof each === "number" ? new Date(each).toISOString() : each);
// Marks roles that changed and what findings tell of on an axis of time.
function mark(data, layout) {
  const [first, last] = layout.meta?.tells_roles || !marks.length ? [] : extent(data, layout);
  if (first === undefined) return [];
  const shown = marks.map((each) => ({ ...each, start: each.start + offset * MS, end: each.end + offset * MS })).filter((each) => each.end >= first && each.start <= last && each.end - each.start < 0.6 * (last - first));
  const iso = (ms) => new Date(ms).toISOString().replace("Z", "");
  const shapes = shown.map(({ start, end, tone }) => ({
    type: "rect", xref: "x", yref: "paper", x0: iso(start), x1: iso(end), y0: 0, y1: 1, layer: "below",
    fillcolor: TONES[tone], opacity: tone === "role" ? 0.6 : 0.16, line: { width: tone === "role" ? 1 : 0.5, dash: "dot", color: TONES[tone] },
  }));
  const apart = shown.filter((each, place) => !shown.slice(0, place).some((other) => Math.abs(other.start - each.start) < 0.04 * (last - first)));
  const annotations = apart.length > MOST_LABELS ? [] : apart.map(({ start, text, tone }) => ({
    x: iso(Math.max(start, first)), y: 0, xref: "x", yref: "paper", xanchor: "left", yanchor: "bottom", showarrow: false, text,
    textangle: -90, font: { size: 10, color: dark.matches ? "#a3b0bc" : TONES[tone] },
  }));
  layout.shapes = [...(layout.shapes || []), ...shapes];
  layout.annotations = [...(layout.annotations || []), ...annotations];
  return Object.keys(MARKED).filter((tone) => shown.some((each) => each.tone === tone));
}
// Says below a figure what is marked in it, and of that what is there.
function explain(figure, plot, tones) {
  const said = figure.querySelector(".marked") || document.createElement("p");
  said.className = "legend marked";
  said.replaceChildren(...tones.map((tone) => Object.assign(document.createElement("span"), { className: `key ${tone}`, textContent: MARKED[tone] })));
  if (tones.length) plot.after(said);
  else said.remove();
}
// What is zoomed in one figure is zoomed in all that show the same time, and in the timeline.
let following = false;
function follow(plot, change) {
  if (following) return;
  const axis = Object.keys(change).find((key) => /^xaxis\d*\.(range\[0\]|range|autorange)$/.test(key));
  if (!axis || !axesOfTime(plot).length) return;
  const range = span(plot._fullLayout[axis.split(".")[0]].range).map((ms) => ms - offset * MS);
  setZoom(axis.endsWith("autorange") ? undefined : range, plot);
}
const asRange = (given) => given.map((ms) => new Date(ms + offset * MS).toISOString().replace("T", " ").replace("Z", ""));
function showPart(plot, part) {
  const axes = axesOfTime(plot).map(([name]) => name);
  if (!axes.length) return undefined;
  return Plotly.relayout(plot, Object.fromEntries(axes.map((name) => (part ? [`${name}.range`, asRange(part)] : [`${name}.autorange`, true]))));
}
const showZoom = (plot) => showPart(plot, zoom);
function ahead(relaid) {
  following = true;
  Promise.all(relaid).finally(() => { following = false; });
}
document.addEventListener("zoom", ({ detail: by }) => { if (by !== "moment") ahead(plots.filter((plot) => plot !== by && plot._fullLayout).map(showZoom)); });
// A moment in a table leads to the figures of its time: they show what was around it.
const MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00:00$/;
const PART = 40; // of what a figure shows as a whole
const asked = () => Date.parse((/^#at=([\dT:.-]+Z)$/.exec(location.hash) || [])[1] || "");
const span = (range) => range.map((each) => Date.parse(`${String(each).replace(" ", "T").slice(0, 23)}Z`));
function lookAt(plot, ms) {
  const axes = axesOfTime(plot);
  if (!axes.length || !plot.whole) return undefined;
  const half = Math.max((plot.whole[1] - plot.whole[0]) / PART, 1000);
  return Plotly.relayout(plot, Object.fromEntries(axes.map(([name]) => [`${name}.range`, asRange([ms - half, ms + half])])));
}
function toMoment() {
  const ms = asked();
  if (Number.isNaN(ms)) return;
  const [first] = plots.filter((plot) => axesOfTime(plot).length);
  for (let each = first; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
  first?.closest("figure").scrollIntoView({ block: "center" });
  ahead(plots.map((plot) => lookAt(plot, ms)));
  setZoom([ms - MS, ms + MS], "moment", true);
}
function link() {
  const times = plots.filter((plot) => plot.whole).map((plot) => plot.whole);
  for (const cell of document.querySelectorAll("table.data td")) {
    const text = cell.textContent.trim();
    if (cell.firstElementChild || !MOMENT.test(text)) continue;
    const iso = text.replace(" ", "T").replace("+00:00", "Z").replace(/(\.\d{3})\d+Z$/, "$1Z");
    const ms = Date.parse(iso);
    if (!times.some(([first, last]) => ms >= first && ms <= last)) continue;
    const leads = document.createElement("a");
    leads.href = `#at=${iso}`;
    leads.title = "Show this moment in the figures";
    leads.textContent = text;
    leads.addEventListener("click", () => { if (asked() === ms) toMoment(); }); // a second time no address changes
    cell.replaceChildren(leads);
  }
}
window.addEventListener("hashchange", toMoment);
const drawAll = (isDark, onPaper) => Promise.all(figures.map((figure, place) => draw(figure, plots[place], isDark, onPaper)));
// The first figure stands before the others are begun.
figures.forEach((figure, place) => {
  const begin = () => draw(figure, plots[place], dark.matches).then(() => {
    const plot = plots[place];
    plot.on("plotly_relayout", (change) => follow(plot, change));
    const [axis] = axesOfTime(plot);
    if (!axis) return;
    plot.whole = span(axis[1].range);
    link();
    if (!Number.isNaN(asked())) toMoment();
    else if (zoom) ahead([showZoom(plot)]);
    else if (told && plot.layout.meta?.tells_roles) ahead([showPart(plot, told.shown)]); // as the timeline opens
  });
  if (place) requestAnimationFrame(() => setTimeout(begin));
  else begin();
});
if (figures.some((figure) => /UTC/.test(document.getElementById(figure.dataset.figure).textContent))) figures[0].before(clockChoice() || "");
document.addEventListener("clock", () => drawAll(dark.matches));
dark.addEventListener("change", () => drawAll(dark.matches));
window.addEventListener("beforeprint", () => drawAll(false, true));
window.addEventListener("afterprint", () => drawAll(dark.matches));
