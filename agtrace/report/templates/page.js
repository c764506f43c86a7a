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
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code);
      document.execCommand("copy");
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  code.after(button);
}
