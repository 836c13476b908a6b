// Tables of words that are wider than the page become lists, whose entries say which column they are of.
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
const crowded = (table) => table.rows[0].cells.length > 2 && table.offsetWidth < 480; // it has room, but for a word a line
// What scrolls is reached by the keyboard; which formulas do is known when they are typeset, and changes with the window.
const reachable = () => {
  const scroll = 'mjx-container, .line-block, .bd-article pre, .pst-scrollable-table-container, .bd-article [style*="overflow-x:auto"]';
  for (const box of document.querySelectorAll(scroll)) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
const arrange = () => { listed(); reachable(); };
addEventListener("load", () => (window.MathJax?.startup?.promise || Promise.resolve()).then(arrange));
addEventListener("resize", arrange);
