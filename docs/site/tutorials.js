/* Draws the figures of a tutorial, in the colours of the page, from the JSON in the page. */
(function () {
  "use strict";
  const isDark = () => document.body.dataset.mdColorScheme === "slate";
  const figures = [...document.querySelectorAll(".figure")].map((place) => [place, place.querySelector("script").textContent]);
  function shown(text) {
    const given = JSON.parse(isDark() ? text.replace(/"#[0-9a-f]{6}"/gi, (c) => JSON.stringify(ON_DARK[JSON.parse(c).toLowerCase()] || JSON.parse(c))) : text);
    const { data, layout } = given;
    for (const trace of data) {
      const axis = layout[`xaxis${(trace.xaxis || "x").slice(1)}`];
      // plotly shows instants given as numbers by the clock of the reader, and those given as text as they are.
      if (axis?.type === "date" && trace.x?.bdata) trace.x = decoded(trace.x).map((ms) => new Date(ms).toISOString().replace("Z", ""));
    }
    const ink = getComputedStyle(document.querySelector(".md-typeset")).color;
    Object.assign(layout, { autosize: true, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: { ...layout.font, color: ink } });
    for (const [name, axis] of Object.entries(layout))
      if (/^[xy]axis\d*$/.test(name)) Object.assign(axis, { gridcolor: isDark() ? "#2b3743" : "#e4e7eb", zeroline: false });
    return given;
  }
  function draw() {
    for (const [place, text] of figures) {
      const { data, layout } = shown(text);
      Plotly.react(place, data, layout, { responsive: true, displayModeBar: false, showSendToCloud: false });
    }
  }
  // The theme chooses its colours after this script ran, and again when the system changes them.
  new MutationObserver(draw).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
  draw();
})();
