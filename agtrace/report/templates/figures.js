"use strict";
// Draws every figure from the data element beside it.
for (const figure of document.querySelectorAll("figure[data-figure]")) {
  const { data, layout } = JSON.parse(document.getElementById(figure.dataset.figure).textContent);
  Plotly.newPlot(figure.querySelector(".plot"), data, { ...layout, autosize: true }, {
    responsive: true,
    displaylogo: false,
    showSendToCloud: false, // the data of a case goes nowhere
    modeBarButtonsToRemove: ["select2d", "lasso2d"],
    toImageButtonOptions: { format: "svg", filename: figure.id },
  });
}
window.addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll(".card details, figcaption details")) details.open = true;
  for (const plot of document.querySelectorAll(".plot")) Plotly.Plots.resize(plot);
});
