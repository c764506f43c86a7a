"use strict";
{
// Searches the page: its findings, what its tables say, and the lines of the logs that lie in it.
const SHOWN = 8; // hits of a kind
const NEAR = 60; // characters before the first word that is found
const field = document.getElementById("search");
const hits = document.getElementById("hits");
const KINDS = [
  ["findings", "Findings", ".card, .findings li[id]"],
  ["links", "Cause", "#chain li"],
  ["rows", "Tables", "table tbody tr"],
];
const make = (name, style, text = "") => { const one = document.createElement(name); if (style) one.className = style; one.textContent = text; return one; };
const flat = (text) => text.replace(/\s+/g, " ").trim();
const cells = (row) => [...row.cells].map((cell) => flat(cell.textContent)).filter(Boolean).join(" · ");
// What a card says but for its tables: their rows are hits themselves.
function own(element) {
  if (element.cells) return cells(element);
  const copy = element.cloneNode(true);
  for (const inner of copy.querySelectorAll("table, button:not(.link), .like, .severity, .rest > summary")) inner.remove();
  for (const inner of copy.querySelectorAll("*")) inner.append(" ");
  return flat(copy.textContent);
}
// A finding is named by its title; one that is the page's verdict has it there.
function title(element) {
  const head = element.querySelector(":scope > details > summary h3");
  return head && (document.querySelector(".verdict span") && head.textContent === "Behind the verdict" ? document.querySelector(".verdict span") : head).textContent;
}
let index;
async function indexed() {
  const found = KINDS.flatMap(([kind, , selector]) => [...document.querySelectorAll(selector)].map((element) => ({ kind, element, title: title(element), text: own(element) })));
  const lines = typeof logLines === "function" ? await logLines() : { t: [] };
  return found.concat(lines.t.map((us, place) => {
    const [host, file, number] = [told.hosts[lines.h[place]], lines.files[lines.f[place]], lines.n[place]];
    return { kind: "lines", us, file, number, text: flat(`${isoOfUs(us).slice(0, 23).replace("T", " ")} ${host} ${lines.sources[lines.s[place]]}: ${lines.x[place]} (${file}:${number})`) };
  })).map((hit) => ({ ...hit, low: `${hit.title || ""} ${hit.text}`.toLowerCase() }));
}
// The words that were found, marked, in a title, or in the part of a text around the first of them.
function marked(style, part, wanted) {
  const shown = make("span", style);
  const words = wanted.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).sort((a, b) => b.length - a.length);
  part.split(new RegExp(`(${words.join("|")})`, "i")).forEach((piece, place) => shown.append(place % 2 ? make("mark", "", piece) : piece));
  return shown;
}
function excerpt({ text }, wanted) {
  const places = wanted.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const first = Math.max(Math.min(...(places.length ? places : [0])) - NEAR, 0);
  return marked("excerpt", `${first ? "…" : ""}${text.slice(first, first + 240)}${text.length > first + 240 ? "…" : ""}`, wanted);
}
function go(hit, link) {
  if (hit.kind === "lines") {
    link.dataset.file = hit.file;
    link.dataset.line = hit.number;
    document.dispatchEvent(new CustomEvent("lines", { detail: { iso: isoOfUs(hit.us), label: undefined, link: undefined, from: link } }));
    return;
  }
  for (let each = hit.element.querySelector(":scope > details") || hit.element; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
  if (hit.element.id) writeAddress({ anchor: hit.element.id });
  for (const other of document.querySelectorAll(".target")) other.classList.remove("target");
  hit.element.classList.add("target");
  hit.element.scrollIntoView({ block: "center" });
}
function linked(hit, wanted) {
  const entry = make("li");
  const link = make("a");
  link.href = hit.element?.querySelector(":scope a[href]:not([href^='#'])")?.getAttribute("href") || `#${hit.element?.id || "search"}`;
  if (hit.title) link.append(marked("title", hit.title, wanted), " ");
  link.append(excerpt(hit, wanted));
  link.addEventListener("click", (event) => {
    if (!link.getAttribute("href").startsWith("#")) return; // what stands on another page
    event.preventDefault();
    go(hit, link);
  });
  entry.append(link);
  return entry;
}
function group([kind, name], found, wanted) {
  const own = found.filter((hit) => hit.kind === kind);
  if (!own.length) return [];
  const list = make("ol");
  list.append(...own.slice(0, SHOWN).map((hit) => linked(hit, wanted)));
  const head = make("h2", "", `${name} (${own.length.toLocaleString("en")})`);
  if (own.length <= SHOWN) return [head, list];
  const more = make("button", "", `Show ${(own.length - SHOWN).toLocaleString("en")} more`);
  more.type = "button";
  more.addEventListener("click", () => { list.append(...own.slice(SHOWN, 500).map((hit) => linked(hit, wanted))); more.remove(); });
  return [head, list, more];
}
let asked = 0;
async function search() {
  const number = (asked += 1);
  const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (!wanted.length) { hits.hidden = true; hits.replaceChildren(); return; }
  index ||= indexed();
  const every = await index;
  if (number !== asked) return; // more has been typed meanwhile
  const found = every.filter(({ low }) => wanted.every((word) => low.includes(word)));
  const said = make("p", "count", found.length ? `${found.length.toLocaleString("en")} ${found.length === 1 ? "match" : "matches"}` : `No match for “${field.value.trim()}” on this page`);
  said.setAttribute("role", "status");
  hits.replaceChildren(said, ...[...KINDS, ["lines", "Log lines"]].flatMap((kind) => group(kind, found, wanted)));
  hits.hidden = false;
  carry();
}
const clear = () => { field.value = ""; search(); };
field.addEventListener("input", search);
field.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { clear(); field.blur(); }
  else if (event.key === "ArrowDown" || event.key === "Enter") { hits.querySelector("a")?.focus(); event.preventDefault(); }
});
hits.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") { clear(); field.focus(); }
  if (!step) return;
  const links = [...hits.querySelectorAll("a")];
  (links[links.indexOf(document.activeElement) + step] || field).focus();
  event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  const { target } = event;
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
  event.preventDefault();
  field.focus();
  field.select();
});
}
