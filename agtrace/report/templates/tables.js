"use strict";
const LEAST_ROWS = 4;
const COLLATOR = new Intl.Collator("en", { numeric: true });
const textOf = (cell) => cell.textContent.trim();
function valueOf(text) {
  const number = Number(text.replaceAll(",", "").replace(/\s*%$/, ""));
  return text !== "" && Number.isFinite(number) ? number : NaN;
}
function compare(one, two) {
  if (!one || !two) return one ? -1 : two ? 1 : 0; // what is not there comes last
  const [a, b] = [valueOf(one), valueOf(two)];
  return Number.isNaN(a) || Number.isNaN(b) ? COLLATOR.compare(one, two) : a - b;
}
function sort(table, column, head) {
  const down = head.getAttribute("aria-sort") === "ascending";
  for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const rows = [...table.tBodies[0].rows];
  rows.sort((one, two) => {
    const [a, b] = [one, two].map((row) => textOf(row.cells[column]));
    return !a || !b ? compare(a, b) : down ? compare(b, a) : compare(a, b);
  });
  table.tBodies[0].append(...rows);
}
// A cell that a spreadsheet would take for a formula is told apart by a quote: captures come from strangers.
function field(text) {
  const safe = /^[=+\-@\t]/.test(text) && Number.isNaN(valueOf(text)) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
function csv(table) {
  const rows = [...table.rows].filter((row) => !row.hidden);
  return rows.map((row) => [...row.cells].map((cell) => field(cell.dataset.name || textOf(cell))).join(",")).join("\r\n");
}
function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", text, "\r\n"], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
// A table that is wider than a narrow place becomes cards, each value under the name of its column;
// a wide place scrolls it.
const STACKED_BELOW = 800;
const ROLES = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TH: "columnheader", TD: "cell" };
function name(table) {
  const heads = [...(table.tHead?.rows[0]?.cells || [])].map(textOf);
  for (const row of table.tBodies[0]?.rows || []) [...row.cells].forEach((cell, n) => { cell.dataset.label = heads[n] || ""; });
  for (const each of [table, ...table.querySelectorAll("*")]) if (ROLES[each.tagName]) each.setAttribute("role", ROLES[each.tagName]);
}
function fit(table, box) {
  let before = 0;
  new ResizeObserver(() => {
    if (!box.clientWidth || box.clientWidth === before || printing) return; // page.js fits those on paper
    before = box.clientWidth;
    table.classList.remove("stacked");
    table.classList.toggle("stacked", before < STACKED_BELOW && table.getBoundingClientRect().width > before + 1);
  }).observe(box);
}
document.querySelectorAll("table.data, table.story, table.told").forEach((table) => {
  const box = table.closest(".scroll");
  if (!box || table.tHead?.rows.length !== 1) return;
  name(table);
  fit(table, box);
});
document.querySelectorAll("table.data").forEach((table, number) => {
  const rows = [...(table.tBodies[0]?.rows || [])];
  if (rows.length < LEAST_ROWS || table.tHead?.rows.length !== 1) return;
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    head.dataset.name = textOf(head);
    button.type = "button";
    button.textContent = textOf(head) || "#";
    button.addEventListener("click", () => sort(table, column, head));
    head.replaceChildren(button);
  });
  const bar = document.createElement("div");
  bar.className = "bar";
  const filter = document.createElement("input");
  filter.type = "search";
  filter.placeholder = "Filter rows";
  filter.setAttribute("aria-label", "Filter rows");
  const shown = document.createElement("span");
  shown.setAttribute("role", "status");
  const count = () => { shown.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`; };
  filter.addEventListener("input", () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !wanted.every((word) => row.textContent.toLowerCase().includes(word));
    count();
  });
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Download CSV";
  const title = table.closest("details")?.querySelector("summary")?.textContent.trim() || "";
  const name = title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || `table-${number + 1}`;
  button.addEventListener("click", () => save(`${name}.csv`, csv(table)));
  bar.append(filter, shown, button);
  (table.closest(".scroll") || table).before(bar);
  count();
});
