// Fit formulas to the width of the sheet (a page has the same width on a screen), and mark parts that must not be split over two sheets.
const WHOLE = 380; // height in pixels above which a part may be split, because moving the part would leave too much empty space
MathJax.startup.promise.then(() => {
  narrow(document.querySelector("main"));
  for (const e of document.querySelectorAll("table, .highlight, .fstats-strip")) e.classList.toggle("fstats-whole", e.offsetHeight <= WHOLE);
});
