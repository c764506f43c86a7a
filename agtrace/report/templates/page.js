"use strict";
// Opens the card that a link leads to, with all that it lies in.
function unfold() {
  const { anchor } = address();
  const target = anchor && document.getElementById(anchor);
  if (!target) return;
  for (const other of document.querySelectorAll(".target")) other.classList.remove("target");
  target.classList.add("target");
  for (let each = target.querySelector(":scope > details") || target; each; each = each.parentElement) {
    if (each.tagName === "DETAILS") each.open = true;
  }
  target.scrollIntoView();
}
window.addEventListener("hashchange", unfold);
unfold();
// A finding that is unfolded is named in the address.
for (const summary of document.querySelectorAll(".card > details > summary")) {
  summary.addEventListener("click", () => {
    const { id } = summary.closest(".card");
    if (!summary.parentElement.open) writeAddress({ anchor: id });
    else if (address().anchor === id) writeAddress({ anchor: "" });
  });
}
// Copies a text, also from a page that was opened from a folder, where the clipboard may be closed to it.
async function copy(button, text, otherwise) {
  button.dataset.said ||= button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const place = otherwise || document.body.appendChild(Object.assign(document.createElement("pre"), { textContent: text }));
    getSelection().selectAllChildren(place);
    document.execCommand("copy");
    if (!otherwise) place.remove();
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = button.dataset.said; }, 1500);
}
for (const button of document.querySelectorAll("button[data-copies]")) {
  const text = JSON.parse(document.getElementById(button.dataset.copies).textContent);
  button.addEventListener("click", () => copy(button, text));
}
// Whole commands can be copied: a word alone is none, and one with a gap to fill would be run as it is.
const LEAST = 16;
const GAP = /\.\.|…|<[^>]*>|H:MM/;
for (const code of document.querySelectorAll(".do code")) {
  if (code.textContent.length < LEAST || !code.textContent.includes(" ") || GAP.test(code.textContent)) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy ${code.textContent}`);
  button.addEventListener("click", () => copy(button, code.textContent, code));
  code.after(button);
}
// On paper everything is open; a table whose words would not fit turns the page or becomes cards.
const PORTRAIT = 960, LANDSCAPE = 1400; // pixels on the screen of what a page of A4 holds in the smaller print
const FEW = 12; // rows, for which no page is turned
let unfolded = [], asOnScreen = new Map();
let printing = false;
// A long name is parted at its separators rather than within a word of it.
function part(table) {
  const walk = document.createTreeWalker(table, NodeFilter.SHOW_TEXT), long = [];
  while (walk.nextNode()) if (/\S{25}/.test(walk.currentNode.data)) long.push(walk.currentNode);
  for (const node of long) node.replaceWith(...node.data.split(/(?<=[/\\_])(?=\S)/).flatMap((piece, place) => (place ? [document.createElement("wbr"), piece] : [piece])));
}
window.addEventListener("beforeprint", () => {
  printing = true;
  unfolded = [...document.querySelectorAll("details:not([open])")].filter((each) => !each.closest("figcaption"));
  for (const each of unfolded) each.open = true;
  asOnScreen = new Map([...document.querySelectorAll("table")].map((table) => [table, table.classList.contains("stacked")]));
  for (const table of asOnScreen.keys()) {
    part(table);
    table.classList.remove("stacked");
    table.style.width = "min-content";
    const width = table.offsetWidth;
    table.style.width = "";
    const turns = width > PORTRAIT && width <= LANDSCAPE && table.rows.length > FEW;
    table.classList.toggle("turned", turns);
    if (table.querySelector("td[data-label]")) table.classList.toggle("stacked", width > PORTRAIT && !turns);
  }
});
window.addEventListener("afterprint", () => {
  for (const each of unfolded) each.open = false;
  for (const [table, isStacked] of asOnScreen) table.classList.toggle("stacked", isStacked);
  printing = false;
});
// A step can be checked off; the mark is for this visit alone.
for (const [number, step] of document.querySelectorAll(".do .steps > li").entries()) {
  const box = document.createElement("input");
  box.type = "checkbox";
  box.className = "step";
  const list = step.parentElement;
  box.setAttribute("aria-label", `Step ${list.start + [...list.children].indexOf(step)} is done`);
  box.id = `step-${number}`;
  step.prepend(box);
}
