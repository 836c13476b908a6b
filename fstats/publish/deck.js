// Layout of a slide deck after the formulas are typeset, when the height of each slide is known. The text of a slide that is too high
// becomes smaller; a slide that is still too high is split into several slides. Only an opened fold, or code that is
// higher than a slide, may scroll.
const FOLLOWS = /[?&]receiver\b/.test(location.search); // whether this deck is the preview in the window of the speaker
const HIGH = 720, FOOT = 22, WIDE = 1232, MOST = 125, LEAST = 85; // pixels; font size in percent of 26 pixels: from 32 to 22 pixels at 720p
const OURS = 640, LARGER = 1.2, OTHERS = 1.35; // width of the pictures of fstats; scale factors of these and of other pictures, for text of about 18 pixels instead of 15 or 14
const fit = (slide) => {
  const high = slide.querySelector(".fstats-moving, .fstats-live") ? HIGH : HIGH - FOOT; // leaves space for the slide number
  slide.classList.remove("fstats-long");
  for (let size = MOST; size >= LEAST; size -= 5) { // whole numbers, so that the last size is tried
    slide.style.fontSize = `${size}%`;
    narrow(slide);
    if (slide.scrollHeight <= high) return true;
  }
  return false;
};

const ROWS = 7; // largest number of rows of a table that is not split, unless it is nearly as high as a slide (class fstats-high)
const WHOLE = "p, h1, h2, h3, h4, li, pre, tr, dt, dd, figure, img, details, mjx-container, .fstats-moving, .fstats-drawn"; // elements that are not split
const parts = (box) => [...box.children].flatMap((e) => {
  if (e.matches("aside, thead, caption, colgroup")) return [];
  if (e.matches(WHOLE) || (e.rows?.length <= ROWS && !e.closest(".fstats-high")) || !e.querySelector(WHOLE)) return e.textContent.trim() || e.matches("img") || e.querySelector("img") ? [e] : [];
  return parts(e);
});
const only = (slide, begin, end, title) => { // copy of a slide with some of its parts
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
  if (begin) { // repeat the heading; the first part of a slide is visible at once
    if (title) page.insertAdjacentHTML("afterbegin", `<div class="fstats-again"><h3>${title}</h3></div>`);
    page.querySelectorAll("[id^=cell]").forEach((e) => e.removeAttribute("id"));
    all[begin].closest(".fragment")?.classList.remove("fragment");
  }
  return page;
};
const alone = (slide) => parts(slide).every((e) => e.matches("h1, h2, h3, figure, img, .fstats-moving, .fstats-drawn")); // True for a slide with only a heading and a picture
const enlarge = (slide) => { // enlarge pictures to the free space of the slide
  if (slide.querySelector(".fstats-moving")) return;
  const all = slide.querySelectorAll(".fstats-part").length ? [...slide.querySelectorAll(".fstats-part")] : [...slide.querySelectorAll(PICTURES)];
  if (!all.length || (all.length > 1 && !all[0].matches(".fstats-part"))) return;
  const tall = Math.max(...all.map((e) => e.offsetHeight)), room = HIGH - 32 - slide.scrollHeight + tall;
  const larger = Math.min(room / tall, WIDE / all[0].offsetWidth);
  const again = alone(slide) && larger < 1 && slide.querySelector(".fstats-again");
  if (again) { // the text in the picture would be too small for a lecture hall, so the picture also gets the space of the heading
    again.remove();
    return enlarge(slide);
  }
  for (const [one, width] of larger > 1 || alone(slide) ? all.map((e) => [e, Math.floor(larger * e.offsetWidth)]) : []) one.style.width = `${width}px`;
};
const share = (slide) => {
  slide.querySelectorAll("table").forEach((e) => e.classList.toggle("fstats-high", e.offsetHeight > 0.9 * (HIGH - FOOT)));
  const all = parts(slide), places = all.map((e) => e.getBoundingClientRect());
  const title = slide.querySelector("h1, h2, h3")?.innerHTML;
  for (let begin = 0, end, page; begin < all.length; begin = end) {
    const least = begin + (all[begin].matches("h1, h2, h3, h4") && begin + 1 < all.length ? 2 : 1); // a heading is never alone on its slide
    end = least;
    while (end < all.length && places[end].bottom - places[begin].top <= 1.3 * HIGH) end += 1;
    for (;; end -= 1, page.remove()) {
      page = only(slide, begin, end, title);
      slide.before(page);
      if (end === least || (!all[end - 1].matches("h1, h2, h3, h4") && fit(page))) break;
    }
    if (end === least && page.querySelector(`.fstats-parts, ${PICTURES}`)) enlarge(page);
    else if (!fit(page)) { // code that is higher than a slide
      page.querySelectorAll("pre").forEach((lines) => { lines.style.columns = 2; });
      page.classList.toggle("fstats-long", page.scrollHeight > HIGH);
    }
  }
  slide.remove();
};
const PICTURES = "img.fstats-picture, .fstats-drawn"; // bitmap pictures, and boxes around SVG pictures
const find = (box) => { // pictures in the outputs of a cell
  box.querySelectorAll("svg:not(mjx-container svg, .fstats-live svg, .fstats-moving svg)").forEach((svg) => svg.parentElement.classList.add("fstats-drawn"));
  return [...box.querySelectorAll(PICTURES)];
};
const size = (picture) => {
  const width = Number((picture.querySelector("svg") || picture).getAttribute("width"));
  (picture.closest(".fstats-part") || picture).style.width = `${Math.min(WIDE, (width === OURS ? LARGER : OTHERS) * width)}px`;
};
const laid = (slide, does) => { // call a function while the slide has its full width, also if it is hidden
  const stack = slide.parentElement;
  stack.classList.add("fstats-laid");
  does(slide);
  stack.classList.remove("fstats-laid");
};
const whole = (formula) => { // keep a formula and the punctuation after it in one line
  const end = formula.nextSibling, [signs] = (end?.nodeType === Node.TEXT_NODE && end.data.match(/^[.,;:!?)]+/)) || [];
  if (!signs) return;
  end.splitText(signs.length);
  const box = document.createElement("span");
  box.style.whiteSpace = "nowrap";
  formula.before(box);
  box.append(formula, end);
};
const lay = () => {
  document.querySelectorAll(".slides mjx-container:not([display])").forEach(whole);
  document.querySelectorAll(".slides .fstats-lines th code").forEach((e) => { e.innerHTML = e.innerHTML.replaceAll("_", "_<wbr>"); });
  document.querySelectorAll(".slides .cell_output").forEach((box) => find(box).forEach(size));
  document.querySelectorAll(".slides ol").forEach((list) => [...list.children].forEach((line, k) => { line.value = list.start + k; }));
  for (const slide of [...document.querySelectorAll(".slides section")].filter((e) => !e.querySelector("section"))) {
    slide.classList.toggle("fstats-only", alone(slide)); // a walk without other text is higher
    laid(slide, () => (fit(slide) || alone(slide) || slide.querySelector(".fstats-walk") ? enlarge(slide) : share(slide))); // a walk has its own height
  }
};
const opened = () => { // an opened fold can make the slide too high
  const slide = Reveal.getCurrentSlide(), long = !fit(slide);
  slide.classList.toggle("fstats-long", long);
  if (long) slide.tabIndex = 0;
};
// -- live deck: keys in an explorer or text field do not move the deck; r runs the cell on the slide -----------------------------------
const busy = ({ target, key }) => target.closest?.(".fstats-live, .fstats-field, .fstats-words") && !(/^Page/.test(key) && target.matches("input, textarea"));
const runs = (event) => {
  if (event.key !== "r" || event.ctrlKey || event.metaKey || event.altKey || busy(event)) return;
  const here = [...Reveal.getCurrentSlide().querySelectorAll("[data-cell]")].map((e) => e.dataset.cell).at(-1);
  document.querySelector(`.cell[data-cell="${here}"] .fstats-run button`)?.click();
};
const ran = async ({ target: { dataset: { cell } } }) => { // show the outputs of a cell after it has run, as large as possible
  const outs = [...document.querySelectorAll(`.cell_output[data-cell="${cell}"]`)], pictures = outs.flatMap(find);
  await Promise.all(pictures.map((e) => e.localName !== "img" || e.getAttribute("width") || new Promise((then) => { e.addEventListener("load", then); })));
  pictures.forEach(size);
  for (const slide of new Set(outs.map((e) => e.closest("section")))) laid(slide, () => { if (fit(slide)) enlarge(slide); });
  let slide = Reveal.getCurrentSlide();
  if (outs.length && slide.querySelector(`.cell[data-cell="${cell}"]`) && !outs.some((e) => slide.contains(e))) { // code and output have a slide each
    const { h, v } = Reveal.getIndices(outs[0].closest("section"));
    Reveal.slide(h, v);
    slide = Reveal.getCurrentSlide();
  }
  while (slide.querySelector(`.fragment:not(.visible) [data-cell="${cell}"]`) && Reveal.availableFragments().next) Reveal.nextFragment();
  if (slide.scrollHeight > HIGH) opened();
};
const move = () => { // start Python in the page after the slides have been laid out
  document.body.appendChild(Object.assign(document.createElement("div"), { className: "fstats-corner", hidden: FOLLOWS }));
  document.body.appendChild(Object.assign(document.createElement("script"), { src: document.documentElement.dataset.live }));
  document.addEventListener("keydown", runs);
  document.addEventListener("fstats-ran", ran, true);
};
// Report each slide of a lecture to the server, which logs the time; the preview in the speaker's window reports nothing.
const timed = (way) => {
  let before;
  const tell = () => {
    const section = [...Reveal.getCurrentSlide().querySelectorAll("h1, h2, h3")].at(0)?.textContent || "";
    if (section !== before) fetch(way, { method: "POST", body: JSON.stringify(before = section) }).catch(() => {});
  };
  if (FOLLOWS) return;
  Reveal.on("slidechanged", tell);
  addEventListener("pagehide", () => navigator.sendBeacon(way, JSON.stringify("")));
  tell();
};
// Walks: each key shows the next frame; the window of the speaker has the sentence of each frame.
const steps = (walk) => {
  walk.sentences.forEach((sentence, frame) => {
    if (!frame) return;
    const key = Object.assign(document.createElement("span"), { className: "fragment" });
    Object.assign(key.dataset, { fragmentIndex: frame - 1, notes: `${sentence} Next: ${walk.sentences[frame + 1] || "the end."}` });
    walk.parentElement.append(key);
  });
  walk.addEventListener("fstats-walked", ({ detail }) => Reveal.navigateFragment(detail - 1));
};
const walked = () => {
  const slide = Reveal.getCurrentSlide(), walk = slide?.querySelector(".fstats-walk");
  walk?.dispatchEvent(new CustomEvent("fstats-go", { detail: slide.querySelectorAll(".fragment.visible").length }));
};
const begin = async () => {
  const { minutes, live, times } = document.documentElement.dataset;
  await MathJax.startup.promise;
  if (window.fstatsWalk) await fstatsWalks();
  document.querySelectorAll(".slides .fstats-walk").forEach(steps);
  lay();
  await Reveal.initialize({
    width: 1280, height: HIGH, margin: 0.02, center: false, hash: true, slideNumber: "c/t", transition: "none", plugins: [RevealNotes],
    navigationMode: "linear", // keys and clickers move through all slides in one sequence, so that no slide is skipped
    totalTime: 60 * (Number(minutes) || 0), keyboardCondition: (event) => !busy(event),
  });
  document.addEventListener("toggle", opened, true);
  for (const name of ["slidechanged", "fragmentshown", "fragmenthidden"]) Reveal.on(name, walked);
  walked();
  if (live) move();
  if (times) timed(times);
  document.documentElement.dataset.ready = "true";
};
begin();
