"use strict";
(function () {
  const search = document.getElementById("search");
  const shown = document.getElementById("shown");
  const rows = Array.from(document.querySelectorAll("#cases > tr"));
  const texts = rows.map((row) => (row.textContent + " " + row.dataset.more).toLowerCase());
  function filter() {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    rows.forEach((row, place) => {
      const fits = wanted.every((word) => texts[place].includes(word));
      row.hidden = !fits;
      left += fits ? 1 : 0;
    });
    shown.textContent = left + (left === 1 ? " case" : " cases");
  }
  search.addEventListener("input", filter);
  filter();
})();
