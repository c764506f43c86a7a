"use strict";
// The view of a page: period, clock, marked moment and finding. It stands in the address; period and clock go along from page to page.
const MS = 60000; // of a minute
const { marks, clocks } = JSON.parse(document.getElementById("times")?.textContent || '{"marks":[],"clocks":[]}');
const zone = (minutes) => `UTC${minutes < 0 ? "-" : "+"}${new Date(Math.abs(minutes) * MS).toISOString().slice(11, 16)}`;
const told = JSON.parse(document.getElementById("time")?.textContent || "null"); // what the timeline shows
const isoOfUs = (us) => `${new Date(Math.floor(us / 1000)).toISOString().slice(0, 19)}.${String(((us % 1e6) + 1e6) % 1e6).padStart(6, "0")}Z`;
const isoOf = (ms) => new Date(ms).toISOString();

// "#finding-3&from=..&to=..&clock=UTC-05:00&mark=.." names a place in the page, a part of the time, a clock and a moment.
function address() {
  const found = { anchor: "" };
  for (const part of location.hash.slice(1).split("&")) {
    const [name, value] = part.split("=", 2);
    let text = value ?? name;
    try { text = decodeURIComponent(text); } catch { /* as it is written */ }
    if (value === undefined) found.anchor ||= text;
    else found[name] = text;
  }
  return found;
}
function zoomOf({ from, to }) {
  const span = [Date.parse(from || ""), Date.parse(to || "")];
  return span[1] > span[0] ? span : undefined;
}
let zoom = zoomOf(address());
const offsetOf = ({ clock }) => clocks.find((each) => zone(each.offset) === clock)?.offset || 0;
let offset = offsetOf(address()); // minutes that the clock which is shown is ahead of UTC

// Writes what is shown into the address; an anchor or a mark that is not given stays as it is.
function writeAddress({ anchor = address().anchor, mark = address().mark } = {}) {
  const said = [anchor && encodeURIComponent(anchor), ...shared(), mark && `mark=${mark}`].filter(Boolean);
  history.replaceState(null, "", `#${said.join("&")}`);
}
const shared = () => [...(zoom ? [`from=${isoOf(zoom[0])}`, `to=${isoOf(zoom[1])}`] : []), ...(offset ? [`clock=${zone(offset)}`] : [])];

// Shows a part of the time, all of it without one; `by` is who asks, and has shown it already.
function setZoom(span, by, keepsAddress = false) {
  zoom = span && span[1] > span[0] ? span.map(Math.round) : undefined;
  if (!keepsAddress) writeAddress();
  carry();
  document.dispatchEvent(new CustomEvent("zoom", { detail: by }));
}
function carry() {
  for (const link of document.querySelectorAll("a[href]")) {
    const [, page, anchor] = /^([\w-]+\.html)(?:#([\w-]+)(?=&|$))?/.exec(link.getAttribute("href")) || [];
    if (!page) continue;
    const said = [anchor, ...shared()].filter(Boolean).join("&");
    link.setAttribute("href", said ? `${page}#${said}` : page);
  }
}
function setClock(minutes) {
  offset = minutes;
  for (const choice of document.querySelectorAll("select.clock")) choice.value = minutes;
  carry();
  document.dispatchEvent(new CustomEvent("clock"));
}
window.addEventListener("hashchange", () => {
  const asked = address();
  if (asked.clock && offsetOf(asked) !== offset) setClock(offsetOf(asked));
  if (zoomOf(asked)) setZoom(zoomOf(asked), "address", true);
  else if (!asked.at) writeAddress(); // a link within the page names no period: that stays
});
if (zoom || offset) carry();

// The clocks of the hosts, to choose from; nothing where all of them show UTC.
function clockChoice() {
  if (!clocks.length || document.querySelector(".clock")) return undefined;
  const choice = document.createElement("select");
  choice.className = "clock";
  choice.setAttribute("aria-label", "Clock that timeline and figures show");
  choice.append(new Option("Times in UTC", 0));
  for (const each of clocks) choice.append(new Option(`Local time of ${each.hosts} (${zone(each.offset)})`, each.offset));
  choice.value = offset;
  choice.addEventListener("change", () => { setClock(Number(choice.value)); writeAddress(); });
  return choice;
}
