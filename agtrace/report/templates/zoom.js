"use strict";
// The part of the case's time that is shown: it stands in the address, and goes along from page to page.
const MS = 60000; // of a minute
let offset = 0; // minutes that the clock which is shown is ahead of UTC
const { marks, clocks } = JSON.parse(document.getElementById("times")?.textContent || '{"marks":[],"clocks":[]}');
const zone = (minutes) => `UTC${minutes < 0 ? "-" : "+"}${new Date(Math.abs(minutes) * MS).toISOString().slice(11, 16)}`;
const told = JSON.parse(document.getElementById("time")?.textContent || "null"); // what the timeline shows
const isoOfUs = (us) => `${new Date(Math.floor(us / 1000)).toISOString().slice(0, 19)}.${String(((us % 1e6) + 1e6) % 1e6).padStart(6, "0")}Z`;
const isoOf = (ms) => new Date(ms).toISOString();

// "#finding-3&from=..&to=.." names a place in the page, and a part of the time.
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

// Shows a part of the time, all of it without one; `by` is who asks, and has shown it already.
function setZoom(span, by, keepsAddress = false) {
  zoom = span && span[1] > span[0] ? span.map(Math.round) : undefined;
  if (!keepsAddress) {
    const { anchor } = address();
    const said = [anchor && encodeURIComponent(anchor), ...(zoom ? [`from=${isoOf(zoom[0])}`, `to=${isoOf(zoom[1])}`] : [])];
    history.replaceState(null, "", `#${said.filter(Boolean).join("&")}`);
  }
  carry();
  document.dispatchEvent(new CustomEvent("zoom", { detail: by }));
}
function carry() {
  for (const link of document.querySelectorAll("a[href]")) {
    const [, page, anchor] = /^([\w-]+\.html)(?:#([\w-]*))?/.exec(link.getAttribute("href")) || [];
    if (!page) continue;
    const said = [anchor, ...(zoom ? [`from=${isoOf(zoom[0])}`, `to=${isoOf(zoom[1])}`] : [])].filter(Boolean).join("&");
    link.setAttribute("href", said ? `${page}#${said}` : page);
  }
}
window.addEventListener("hashchange", () => {
  const asked = zoomOf(address());
  if (asked) setZoom(asked, "address", true);
});
if (zoom) carry();

// The clocks of the hosts, to choose from; nothing where all of them show UTC.
function clockChoice() {
  if (!clocks.length || document.querySelector(".clock")) return undefined;
  const choice = document.createElement("select");
  choice.className = "clock";
  choice.setAttribute("aria-label", "Clock that timeline and figures show");
  choice.append(new Option("Times in UTC", 0));
  for (const each of clocks) choice.append(new Option(`Local time of ${each.hosts} (${zone(each.offset)})`, each.offset));
  choice.addEventListener("change", () => { offset = Number(choice.value); document.dispatchEvent(new CustomEvent("clock")); });
  return choice;
}
