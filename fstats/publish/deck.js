// Slides begin when formulas stand: then it is known how high each is.  What is too high becomes smaller, and what is still too high is
// shared out among several slides, so that nobody scrolls in a lecture; only a fold that is opened may.
const HIGH = 720, WIDE = 1232, LEAST = 0.85; // of 26 pixels: 22 at 720p
const OURS = 640, LARGER = 1.2, OTHERS = 1.35; // pictures of text that is 15 pixels high, or 14, become such that it is 18
const fit = (slide) => {
  slide.classList.remove("fstats-long");
  for (let size = 1; size >= LEAST; size -= 0.05) {
    slide.style.fontSize = `${100 * size}%`;
    narrow(slide);
    if (slide.scrollHeight <= HIGH) return true;
  }
  return false;
};

const ROWS = 7; // of a table that is not parted
const WHOLE = "p, h1, h2, h3, h4, li, pre, tr, dt, dd, figure, img, details, mjx-container"; // what stands on one slide
const parts = (box) => [...box.children].flatMap((e) => {
  if (e.matches("aside, thead, caption, colgroup")) return [];
  if (e.matches(WHOLE) || e.rows?.length <= ROWS || !e.querySelector(WHOLE)) return e.textContent.trim() || e.matches("img") || e.querySelector("img") ? [e] : [];
  return parts(e);
});
const only = (slide, begin, end) => { // the slide with these of its parts
  const page = slide.cloneNode(true), all = parts(page);
  all.forEach((part, k) => {
    if (begin <= k && k < end) return;
    let box = part.parentElement;
    part.remove();
    while (box !== page && !parts(box).length && !box.matches("aside")) {
      const empty = box.matches("tbody") ? box.parentElement : box;
      box = empty.parentElement;
      empty.remove();
    }
  });
  if (begin) { // what heads a slide is there from the beginning
    page.querySelectorAll("[id^=cell]").forEach((e) => e.removeAttribute("id"));
    all[begin].closest(".fragment")?.classList.remove("fragment");
  }
  return page;
};
const share = (slide) => {
  const all = parts(slide), places = all.map((e) => e.getBoundingClientRect());
  for (let begin = 0, end, page; begin < all.length; begin = end) {
    end = begin + 1;
    while (end < all.length && places[end].bottom - places[begin].top <= 1.3 * HIGH) end += 1;
    for (;; end -= 1, page.remove()) {
      page = only(slide, begin, end);
      slide.before(page);
      if (end === begin + 1 || (!all[end - 1].matches("h1, h2, h3, h4") && fit(page))) break;
    }
    const box = end === begin + 1 && page.querySelector(".fstats-parts, img.fstats-picture");
    if (box) { // alone, it is as large as the slide, but for the number of that
      const all = box.children.length ? [...box.children] : [box];
      const larger = Math.min((HIGH - 24 - page.scrollHeight + box.offsetHeight) / box.offsetHeight, WIDE / all[0].offsetWidth);
      for (const [one, width] of all.map((e) => [e, Math.floor(larger * e.offsetWidth)])) one.style.width = `${width}px`;
    } else if (!fit(page)) { // lines of code, more than a slide is high
      page.querySelectorAll("pre").forEach((lines) => { lines.style.columns = 2; });
      page.classList.toggle("fstats-long", page.scrollHeight > HIGH);
    }
  }
  slide.remove();
};
const lay = () => {
  for (const picture of document.querySelectorAll("img.fstats-picture")) {
    const width = Number(picture.getAttribute("width"));
    (picture.closest(".fstats-part") || picture).style.width = `${Math.min(WIDE, (width === OURS ? LARGER : OTHERS) * width)}px`;
  }
  document.querySelectorAll(".slides ol").forEach((list) => [...list.children].forEach((line, k) => { line.value = list.start + k; }));
  for (const slide of [...document.querySelectorAll(".slides section")].filter((e) => !e.querySelector("section"))) {
    const stack = slide.parentElement;
    stack.classList.add("fstats-laid");
    if (!fit(slide)) share(slide);
    stack.classList.remove("fstats-laid");
  }
};
const opened = () => { // of a fold, nobody knows how high it is
  const slide = Reveal.getCurrentSlide(), long = !fit(slide);
  slide.classList.toggle("fstats-long", long);
  if (long) slide.tabIndex = 0;
};
const begin = async () => {
  await MathJax.startup.promise;
  lay();
  await Reveal.initialize({
    width: 1280, height: HIGH, margin: 0.02, center: false, hash: true, slideNumber: "c/t", transition: "none", plugins: [RevealNotes],
  });
  document.addEventListener("toggle", opened, true);
  document.documentElement.dataset.ready = "true";
};
begin();
