// Fit formulas to the width of the sheet, which the page also has on a screen, and mark parts that must not be split over two sheets.
const WHOLE = 380; // pixels: higher parts may be split, because moving them would leave too much empty space
MathJax.startup.promise.then(() => {
  narrow(document.querySelector("main"));
  for (const e of document.querySelectorAll("table, .highlight")) e.classList.toggle("fstats-whole", e.offsetHeight <= WHOLE);
});
