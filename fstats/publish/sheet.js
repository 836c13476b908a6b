// Scale a worksheet so that it fits one page.
const SHEET = 990; // height between the margins of A4, in pixels
MathJax.startup.promise.then(() => {
  const page = document.querySelector("main");
  narrow(page);
  for (let size = 1; page.getBoundingClientRect().height > SHEET && size > 0.5; size -= 0.02) page.style.zoom = size;
});
