// Turn tables that are wider than the page into lists, whose entries have the heads of their columns.
const listed = () => {
  for (const table of document.querySelectorAll(".bd-article table.table:not(.dataframe)")) {
    const box = table.parentElement, heads = [...table.querySelectorAll("thead th")].map((e) => e.textContent);
    table.classList.remove("fstats-listed");
    if (heads.length < 2 || !(crowded(table) || box.scrollWidth > box.clientWidth + 1)) continue;
    for (const row of table.querySelectorAll("tbody tr")) {
      [...row.cells].forEach((cell, k) => { if (k && cell.textContent.trim()) cell.dataset.head = heads[k]; });
    }
    table.classList.add("fstats-listed");
  }
};
const crowded = (table) => table.rows[0].cells.length > 2 && table.offsetWidth < 480; // true if the table fits the page, but is so narrow that cells have one word per line
// Make scrollable parts reachable by keyboard; formulas must be typeset before, and the width of the window matters.
const reachable = () => {
  const scroll = 'mjx-container, .line-block, .bd-article pre, .pst-scrollable-table-container, .bd-article [style*="overflow-x:auto"]';
  for (const box of document.querySelectorAll(scroll)) {
    const scrolls = getComputedStyle(box).overflowX !== "visible"; // a box that cannot scroll is no target: slanted letters of a formula reach beyond its box
    if (scrolls && box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
const arrange = () => { listed(); reachable(); };
addEventListener("load", () => (window.MathJax?.startup?.promise || Promise.resolve()).then(arrange));
addEventListener("resize", arrange);
// Cover the parts of the page that answer a bet (bets.js). A search in the page and a link into a covered part uncover this part.
const precedes = (one, other) => (one.compareDocumentPosition(other) & 20) === 4; // `one` is before `other` and does not contain it
const uncover = fstatsBets([...document.querySelectorAll(".fstats-bet")].map((asked) => {
  const end = document.getElementById(asked.dataset.end), within = (part) => precedes(asked, part) && precedes(part, end);
  const covered = [...asked.closest("article").querySelectorAll("*")].filter((part) => within(part) && !within(part.parentElement));
  return { asked, number: asked.dataset.number, answer: asked.nextElementSibling, covered };
}), (part, covered) => {
  part.classList.toggle("fstats-covered", covered);
  if (covered) part.setAttribute("hidden", "until-found");
  else part.removeAttribute("hidden");
  dispatchEvent(new Event("resize")); // widths of tables and formulas can be measured now
});
const arrive = () => {
  const at = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const part = at?.matches("section") ? at.querySelector("h2, h3, h4") : at;
  if (!part?.closest(".fstats-covered")) return;
  uncover((covered) => covered.contains(part));
  at.scrollIntoView();
};
addEventListener("hashchange", arrive);
addEventListener("beforematch", ({ target }) => uncover((part) => part.contains(target)), true);
arrive();
fstatsWalks();
