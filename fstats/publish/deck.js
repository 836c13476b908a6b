// Slides begin when formulas stand: then it is known how high each is.  What is too high becomes smaller, and scrolls as the last resort.
const HIGH = 720, LEAST = 0.7; // of 26 pixels: 18 at 720p
const fit = (slide) => {
  if (!slide || slide.querySelector("section")) return;
  slide.classList.remove("fstats-long");
  let size = 1;
  for (; size >= LEAST; size -= 0.05) {
    slide.style.fontSize = `${100 * size}%`;
    if (slide.scrollHeight <= HIGH) break;
  }
  const long = slide.scrollHeight > HIGH;
  slide.classList.toggle("fstats-long", long);
  if (long) slide.tabIndex = 0;
};
const all = () => document.querySelectorAll(".slides section").forEach(fit);
const begin = async () => {
  await MathJax.startup.promise;
  await Reveal.initialize({
    width: 1280, height: HIGH, margin: 0.02, center: false, hash: true, slideNumber: "c/t", transition: "none", plugins: [RevealNotes],
  });
  Reveal.on("slidechanged", ({ currentSlide }) => fit(currentSlide));
  fit(Reveal.getCurrentSlide());
  document.addEventListener("toggle", () => fit(Reveal.getCurrentSlide()), true);
  document.documentElement.dataset.ready = "true";
};
begin();
