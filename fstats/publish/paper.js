// Formulas as they stand on the sheet, whose breadth the page has on a screen, too; and what is not torn over two of them.
const WHOLE = 380; // pixels: what is higher would leave too much of the sheet before it empty
MathJax.startup.promise.then(() => {
  narrow(document.querySelector("main"));
  for (const e of document.querySelectorAll("table, .highlight")) e.classList.toggle("fstats-whole", e.offsetHeight <= WHOLE);
});
