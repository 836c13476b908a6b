// Scale each page of a worksheet so that it fits.
const SHEET = 920; // height between the margins of Letter, which is lower than A4, in pixels
MathJax.startup.promise.then(() => {
  narrow(document.querySelector("main"));
  for (const page of document.querySelectorAll("main > *"))
    for (let size = 1; page.getBoundingClientRect().height > SHEET && size > 0.5; size -= 0.02) page.style.zoom = size;
});
