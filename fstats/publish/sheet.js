// A sheet is one page: what is higher becomes smaller.
const SHEET = 990; // pixels between the margins of A4
MathJax.startup.promise.then(() => {
  const page = document.querySelector("main");
  narrow(page);
  for (let size = 1; page.getBoundingClientRect().height > SHEET && size > 0.5; size -= 0.02) page.style.zoom = size;
});
