// Front end of walks: all frames are in the page, and keys, buttons, lines and swipes go from frame to frame.
const NARROW = 480; // pixels: in a narrower walk the pictures are drawn for a phone
const ROOMY = 720, LOW = 520; // pixels: in a narrower walk, or in a lower window, the pictures are small
const LEAST = 0.97; // smallest size of a formula, as a share of the size of the text; indices on a slide are then 17.5 pixels high
const LONG = 190; // letters: in a walk with a longer sentence, all sentences are smaller
const SWIPE = 40; // pixels: a shorter movement of a finger is no swipe

function render({ model, el }) {
  el.classList.add("fstats-explorer", "fstats-walk");
  el.setAttribute("role", "group");
  el.tabIndex = 0;
  const part = (tag, name, into) => {
    const made = into.appendChild(document.createElement(tag));
    made.className = `fstats-${name}`;
    return made;
  };
  const stage = part("div", "stage", el), question = part("p", "question", stage), bar = part("div", "bar", stage); // buttons above, so that they stay in place
  const scene = part("div", "scene", stage), sentences = part("div", "sentences", stage), lines = part("ol", "lines", stage);
  const spoken = part("p", "spoken", sentences);
  scene.setAttribute("role", "img");
  spoken.setAttribute("aria-live", "polite");
  let here = 0, drawn = "";

  const button = (words, label, key, pressed) => {
    const made = part("button", "act", bar);
    Object.assign(made, { type: "button", textContent: words, title: `${label} (${key})` });
    made.setAttribute("aria-label", label);
    made.addEventListener("click", pressed);
    return made;
  };
  const back = button("◀", "Step back", "left arrow", () => go(here - 1));
  const place = part("output", "place", bar);
  const next = button("▶", "Next step", "right arrow", () => go(here + 1));
  const present = (on) => {
    if (on && el.requestFullscreen) el.requestFullscreen().catch(() => {}); // if full screen is not allowed, the walk fills the page
    if (!on && document.fullscreenElement === el) document.exitFullscreen();
    el.classList.toggle("fstats-present", on);
    document[on ? "addEventListener" : "removeEventListener"]("keydown", escape, true);
    large.textContent = on ? "Leave full screen (Esc)" : "Full screen";
    large.setAttribute("aria-label", on ? large.textContent : "Full screen with large text");
    draw();
    go(here); // the sizes of the lines have changed
  };
  const escape = (event) => { // handles the key wherever the focus is
    if (event.key !== "Escape") return;
    event.stopPropagation();
    present(false);
  };
  const large = button("Full screen", "Full screen with large text", "p", () => present(!el.classList.contains("fstats-present")));
  el.addEventListener("fullscreenchange", () => { if (document.fullscreenElement !== el) present(false); });

  const menus = {};
  const choose = (name, { values, value }) => { // menu of the alternatives or levels
    menus[name] ||= (() => {
      const label = part("label", "choice", bar), menu = document.createElement("select");
      label.append(`${name} `, menu);
      menu.addEventListener("change", () => {
        model.set("choice", { ...model.get("choice"), [name]: values[menu.selectedIndex] });
        model.save_changes();
      });
      return menu;
    })();
    menus[name].replaceChildren(...values.map((one) => new Option(one, one, one === value, one === value)));
  };

  // -- frames ----------------------------------------------------------------------------------------------------------------
  const frames = () => model.get("view").frames;
  const go = (to) => {
    const all = frames(), number = Math.max(0, Math.min(all.length - 1, to)), forward = number === here + 1;
    here = number;
    const begins = (one) => Math.max(Number(one.dataset.from), Number(one.closest(".fstats-picture").dataset.from)); // a mark is new together with its picture
    const marks = [...scene.querySelectorAll("[data-from]")], last = Math.max(0, ...marks.map(begins).filter((from) => from <= here)); // last frame with something new
    for (const one of marks) {
      const from = begins(one), seen = from <= here && here < Number(one.dataset.until ?? Infinity);
      one.classList.toggle("fstats-later", !seen);
      one.classList.toggle("fstats-new", seen && forward && from === here);
      one.classList.toggle("fstats-old", seen && from < last);
    }
    for (const svg of scene.querySelectorAll("svg")) svg.classList.toggle("fstats-fresh", last > 0);
    const current = [...lines.children].filter((item) => {
      item.hidden = Number(item.dataset.frame) > here;
      const isCurrent = Number(item.dataset.frame) === here;
      if (isCurrent && here) item.firstChild.setAttribute("aria-current", "step"); // nothing is new in the first frame
      else item.firstChild.removeAttribute("aria-current");
      return isCurrent;
    });
    const fits = (size) => {
      for (const name of ["few", "dense"]) el.classList.toggle(`fstats-${name}`, name === size);
      lines.style.paddingBottom = "";
      fit();
      return lines.clientHeight + 4 >= lines.scrollHeight - (current[0]?.offsetTop ?? 0); // 4 pixels of tolerance, because letters may be higher than their line
    };
    if (!(current.length <= 2 && fits("few")) && !fits("")) fits("dense"); // enlarge one or two lines if they fit; otherwise use the usual size if it fits
    const shown = [...lines.children].filter((item) => !item.hidden), end = shown.length ? shown.at(-1).offsetTop + shown.at(-1).offsetHeight : 0;
    const first = shown.find((item) => end - item.offsetTop <= lines.clientHeight);
    const begin = Math.min(first?.offsetTop ?? end, current[0]?.offsetTop ?? end); // the lines of this frame are seen from their beginning
    if (begin && begin === first?.offsetTop) lines.style.paddingBottom = `${lines.clientHeight - end + begin}px`; // earlier lines are seen wholly or not at all
    lines.scrollTo({ top: begin });
    spoken.innerHTML = all[here].sentence;
    scene.setAttribute("aria-label", spoken.textContent);
    place.textContent = `${here} of ${all.length - 1}`;
    back.disabled = here === 0;
    next.disabled = here === all.length - 1;
    el.dataset.frame = here;
  };
  const fit = () => { // a formula that is wider than its line becomes smaller, down to the smallest readable size
    const least = LEAST * parseFloat(getComputedStyle(el).fontSize);
    for (const piece of lines.querySelectorAll(".fstats-line > span")) {
      piece.style.fontSize = "";
      const { paddingLeft, paddingRight } = getComputedStyle(piece.parentElement), size = parseFloat(getComputedStyle(piece).fontSize);
      const room = piece.parentElement.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      if (room > 0 && piece.offsetWidth > room) piece.style.fontSize = `${Math.max(least, Math.floor(size * room / piece.offsetWidth * 10) / 10)}px`;
    }
  };
  const draw = () => { // the pictures have the size of a phone, of a low window or of a page
    const width = el.clientWidth || ROOMY, large = el.closest(".reveal") || el.classList.contains("fstats-present");
    const high = el.closest(".jp-WindowedPanel-outer, .jp-NotebookPanel-notebook")?.clientHeight || window.innerHeight;
    const size = large ? "wide" : width < NARROW ? "narrow" : width < ROOMY || high < LOW ? "low" : "wide", pictures = model.get("view").pictures[size];
    el.classList.toggle("fstats-low", size === "low");
    if (pictures === drawn) return;
    drawn = pictures;
    const id = `w${Math.random().toString(36).slice(2)}`; // hatch patterns have ids, which must be unique on a page
    scene.innerHTML = pictures.replace(/(id="|url\(#)hatch/g, `$1${id}-hatch`);
    for (const svg of scene.querySelectorAll("svg")) svg.setAttribute("aria-hidden", "true"); // the sentence describes the picture
    const boxes = [1, 2].map((row) => [...scene.querySelectorAll(".fstats-picture:not(.fstats-tall)")].filter((box) => Number(box.style.gridRowStart) === row));
    const heights = boxes.map((all) => Math.max(0, ...all.map((box) => box.firstChild.height.baseVal.value))); // heights as drawn, because the units inside a diagram are larger
    boxes.forEach((all, k) => all.forEach((box) => box.style.setProperty("--share", heights[k] / (heights[0] + heights[1])))); // on a slide
    go(here);
  };
  const show = () => {
    const view = model.get("view");
    el.setAttribute("aria-label", view.name);
    question.textContent = view.question;
    const unsaid = view.frames.map(({ sentence }) => Object.assign(document.createElement("p"), { innerHTML: sentence, className: "fstats-unsaid", ariaHidden: "true" }));
    sentences.replaceChildren(spoken, ...unsaid); // the longest sentence reserves its height
    el.sentences = unsaid.map((one) => one.textContent); // for slide decks
    sentences.classList.toggle("fstats-wordy", Math.max(...el.sentences.map((one) => one.length)) > LONG);
    lines.replaceChildren();
    view.frames.forEach((frame, number) => frame.lines.forEach((line) => {
      const item = lines.appendChild(document.createElement("li")), made = part("button", "line", item);
      item.dataset.frame = number;
      made.type = "button";
      made.innerHTML = line;
      made.setAttribute("aria-label", `${frame.name}: ${made.textContent}`);
      made.addEventListener("click", () => {
        go(number);
        el.focus({ preventScroll: true }); // so that the space key shows the next frame
        el.dispatchEvent(new CustomEvent("fstats-walked", { detail: number }));
      });
    }));
    for (const [name, choice] of Object.entries(view.choices)) choose(name, choice);
    draw();
    go(here);
  };

  // -- keys and swipes ---------------------------------------------------------------------------------------------------------
  const ends = () => frames().length - 1;
  const keys = { ArrowRight: () => here + 1, ArrowLeft: () => here - 1, " ": () => here + 1, PageDown: () => here + 1, PageUp: () => here - 1, Home: () => 0, End: ends };
  el.addEventListener("keydown", (event) => {
    if (el.closest(".reveal")) return; // on slides, each key shows the next fragment, which is a frame
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select")) return;
    if (event.key === " " && event.target.matches("button")) return;
    if (event.key === "p") large.click();
    else if (keys[event.key]) go(keys[event.key]());
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  el.addEventListener("focusin", ({ target }) => { target.dataset.lmSuppressShortcuts = "true"; }); // otherwise JupyterLab handles the keys
  let touched = null;
  scene.addEventListener("pointerdown", (event) => { touched = event.clientX; });
  scene.addEventListener("pointerup", (event) => {
    if (touched !== null && Math.abs(event.clientX - touched) > SWIPE) go(here + (event.clientX < touched ? 1 : -1));
    touched = null;
  });

  el.addEventListener("fstats-go", ({ detail }) => go(detail)); // from a slide deck
  model.on("change:view", show);
  show();
  const observer = new ResizeObserver(draw);
  observer.observe(el);
  window.addEventListener("resize", draw);
  return () => {
    model.off("change:view", show);
    observer.disconnect();
    window.removeEventListener("resize", draw);
    document.removeEventListener("keydown", escape, true);
  };
}

export default { render };
