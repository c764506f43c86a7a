"use strict";
const NARROW = 600;
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
  const room = 20 * (lines.length - 1);
  if (!room) return;
  title.text = lines.join("<br>");
  const { height = 450, legend, margin } = layout;
  layout.height = height + room;
  if (legend?.yref === "container") legend.y = 1 - ((1 - legend.y) * height + room) / layout.height;
  layout.margin = { ...margin, t: (margin?.t ?? layout.template?.layout?.margin?.t ?? 84) + room };
}
// Draws every figure from the data element beside it.
for (const figure of document.querySelectorAll("figure[data-figure]")) {
  const { data, layout } = JSON.parse(document.getElementById(figure.dataset.figure).textContent);
  const plot = figure.querySelector(".plot");
  wrapTitle(layout, plot.clientWidth);
  figure.style.minHeight = `${layout.height || 450}px`;
  Plotly.newPlot(plot, data, { ...layout, autosize: true }, {
    responsive: true,
    displaylogo: false,
    displayModeBar: plot.clientWidth < NARROW ? false : "hover", // there it would lie on the title
    showSendToCloud: false, // the data of a case goes nowhere
    modeBarButtonsToRemove: ["select2d", "lasso2d"],
    toImageButtonOptions: { format: "svg", filename: figure.id },
  });
}
window.addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll(".card details, figcaption details")) details.open = true;
  for (const plot of document.querySelectorAll(".plot")) Plotly.Plots.resize(plot);
});
