// Front end of explorers. It uses native inputs, which support screen readers and the keyboard.
const SIDE = 560; // pixels: from this width the pictures are beside the controls and not below them (also in explorer.css)
const MANY = 12; // largest number of buttons without scrolling
const LEAST = 150; // pixels: if a picture would be lower than this, everything else moves closer together
const WHOLE = 170; // pixels: height of the smallest decision diagram with margins; with less space the question is hidden
const COLUMN = 400, ROW = 155, NARROW = 360; // pixels: smallest width and height of a picture among several, and width of a narrow view
const LOW = 200; // pixels: lower pictures have smaller text
const SLIM = 237; // pixels: narrower pictures scroll (also in explorer.css), because labels need this width

function render({ model, el }) {
  el.classList.add("fstats-explorer");
  el.setAttribute("role", "group");
  el.setAttribute("aria-label", model.get("name"));
  el.addEventListener("focusin", ({ target }) => { target.dataset.lmSuppressShortcuts = "true"; }); // otherwise JupyterLab handles the keys
  const part = (tag, name, into = el) => {
    const made = into.appendChild(document.createElement(tag));
    made.className = `fstats-${name}`;
    return made;
  };
  const id = `fstats-${Math.random().toString(36).slice(2)}`;
  const stage = part("div", "stage");
  const question = part("p", "question", stage);
  const said = part("p", "said", stage);
  const panel = part("div", "panel", stage);
  const conclusion = part("span", "conclusion", said);
  conclusion.setAttribute("aria-live", "polite");
  const leading = part("div", "controls", panel);
  const bar = part("div", "bar", panel);
  const more = part("div", "controls fstats-more", panel);
  const pictures = part("div", "pictures", stage);
  const work = part("div", "work");
  const controls = {};

  // -- sending ---------------------------------------------------------------------------------------------------------------
  let presses = 0;
  const send = (positions) => {
    const before = model.get("positions");
    presses = Math.max(presses, before.presses || 0) + 1;
    if (positions.held) positions.held.press = presses; // makes repeated moves different from each other
    model.set("positions", { ...before, ...positions, presses });
    model.save_changes();
    el.setAttribute("aria-busy", "true");
  };
  const hold = (grip, position) => {
    const moves = { ...grip.before, [grip.control.name]: position };
    send({ ...moves, held: { moves } });
  };

  // -- controls --------------------------------------------------------------------------------------------------------------
  const slider = (control, into) => {
    const row = part("div", "control", into);
    const label = part("label", "label", row);
    const text = part("output", "text", row);
    const input = part("input", "slider", row);
    Object.assign(input, { type: "range", step: 1, id: `${id}-${control.name}`, name: control.name });
    label.htmlFor = text.htmlFor = input.id;
    label.textContent = control.label;
    input.addEventListener("input", () => send({ [control.name]: input.valueAsNumber }));
    return (now, answered) => {
      input.min = now.least;
      input.max = now.most;
      if (answered && input.valueAsNumber !== now.value) input.value = now.value;
      input.setAttribute("aria-valuetext", now.text);
      input.disabled = !now.active;
      text.textContent = now.text;
    };
  };
  const choice = (control, into) => {
    const row = part("fieldset", "control fstats-choice", into);
    row.setAttribute("role", "radiogroup");
    part("legend", "label", row).textContent = control.label;
    row.setAttribute("aria-label", control.label);
    const buttons = part("div", "buttons", row);
    let inputs = [];
    return (now, answered) => {
      if (inputs.length !== now.choices.length) {
        buttons.replaceChildren();
        inputs = now.choices.map((_, k) => {
          const label = part("label", "button", buttons);
          const input = part("input", "radio", label);
          Object.assign(input, { type: "radio", name: `${id}-${control.name}`, value: now.least + k });
          input.dataset.control = control.name;
          input.addEventListener("change", () => send({ [control.name]: now.least + k }));
          part("span", "word", label);
          return input;
        });
      }
      row.disabled = !now.active; // the control has no effect at present
      now.choices.forEach((words, k) => {
        const place = inputs[k].nextSibling;
        if (place.textContent !== words) place.textContent = words;
      });
      buttons.classList.toggle("fstats-many", inputs.length > MANY); // many buttons scroll; the chosen button stays visible
      const chosen = inputs[now.value - now.least];
      if (!answered || chosen.checked && buttons.dataset.shown === chosen.value) return;
      chosen.checked = true;
      buttons.dataset.shown = chosen.value;
      buttons.scrollTop = chosen.parentElement.offsetTop - buttons.clientHeight / 2;
    };
  };

  // -- folded parts and the full-screen view ------------------------------------------------------------------------------------
  const kept = `fstats: ${model.get("name")}`;
  let open = {};
  try { open = JSON.parse(localStorage.getItem(kept)) || {}; } catch { /* no storage: the state is not remembered */ }
  const button = (words, name, key, pressed) => {
    const made = part("button", "act", bar);
    Object.assign(made, { type: "button", textContent: words, title: key ? `${name} (${key})` : name });
    made.setAttribute("aria-label", name);
    if (key) made.setAttribute("aria-keyshortcuts", key);
    made.addEventListener("click", pressed);
    return made;
  };
  const fold = (what, box, words, name, key) => {
    box.id = `${id}-${what}`;
    const made = button(words, name, key, () => {
      open[what] = !open[what];
      try { localStorage.setItem(kept, JSON.stringify(open)); } catch { /* no storage: the state is not remembered */ }
      set();
      fit();
      reachable();
    });
    const set = () => {
      box.hidden = !open[what];
      made.setAttribute("aria-expanded", String(!!open[what]));
    };
    made.setAttribute("aria-controls", box.id);
    set();
    return made;
  };
  const keys = {
    m: fold("more", more, "More", "More controls", "m"),
    w: fold("work", work, "Steps", "Worked steps", "w"),
    p: button("Full screen", "Full screen with large text", "p", () => present(!el.classList.contains("fstats-present"))),
  };
  let page = 0, at_a_time = Infinity; // current page of pictures and number of pictures per page, if not all fit
  const turn = () => {
    const boxes = [...pictures.children], pages = Math.ceil(boxes.length / at_a_time) || 1;
    page %= pages;
    boxes.forEach((box, k) => { box.hidden = Math.floor(k / at_a_time) !== page && pages > 1; });
    keys.n.hidden = pages < 2;
    which.textContent = `${page + 1}/${pages}`;
    keys.n.setAttribute("aria-label", `Next picture; current: ${page + 1} of ${pages}`);
  };
  keys.n = button("", "Next picture", "n", () => {
    page += 1;
    turn();
    reachable();
  });
  keys.n.classList.add("fstats-next");
  part("span", "named", keys.n).textContent = "Picture "; // hidden if there is no space
  const which = part("span", "which", keys.n);
  keys.n.hidden = true;
  button("Reset", "Reset all controls", "", () => send({ reset: (model.get("positions").reset || 0) + 1 }));
  const present = (on) => {
    if (on && el.requestFullscreen) el.requestFullscreen().catch(() => {}); // if full screen is not allowed, the explorer fills the page
    if (!on && document.fullscreenElement === el) document.exitFullscreen();
    el.classList.toggle("fstats-present", on);
    document[on ? "addEventListener" : "removeEventListener"]("keydown", escape, true);
    keys.p.textContent = on ? "Leave full screen (Esc)" : "Full screen";
    keys.p.setAttribute("aria-label", on ? keys.p.textContent : "Full screen with large text");
    fit();
  };
  const escape = (event) => { // handles the key wherever the focus is
    if (event.key !== "Escape") return;
    event.stopPropagation();
    present(false);
  };
  const left = () => { if (document.fullscreenElement !== el) present(false); };
  el.addEventListener("fullscreenchange", left);
  const cell = () => el.closest(".jp-Cell");
  el.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && cell()) cell().focus(); // in the cell of the notebook, the arrow keys and Shift + Enter work again
    else if (keys[event.key]) keys[event.key].click();
    else return;
    event.preventDefault();
  });

  // -- size of the pictures -------------------------------------------------------------------------------------------------------
  let tallest = 0, stood = "";
  const fit = () => {
    const large = el.classList.contains("fstats-present"), wide = pictures.clientWidth, count = model.get("view").pictures.length;
    if (wide < 50) return; // the explorer is hidden
    const across = el.clientWidth, scrolls = el.closest(".jp-WindowedPanel-outer, .jp-NotebookPanel-notebook, .fstats-hall");
    const view = large || !scrolls ? window.innerHeight : Math.min(scrolls.clientHeight, window.innerHeight);
    const below = more.hidden ? 0 : more.offsetHeight, own = () => panel.offsetTop + panel.offsetHeight - below + 10;
    // Keep the height of the longest sentence, so that the picture does not jump; a sentence too long for its column is put above everything.
    said.style.minHeight = "";
    stage.classList.remove("fstats-across");
    question.hidden = false;
    if (across >= SIDE && own() > view) stage.classList.add("fstats-across");
    // In a small cell, such as beside a file browser, each control takes one line, so that the picture keeps its height.
    el.classList.remove("fstats-compact");
    const lacks = (high) => across < SIDE && pictures.offsetTop - below + high > view;
    if (lacks(LEAST)) {
      el.classList.add("fstats-compact");
      question.hidden = lacks(WHOLE);
    }
    const stands = [across, view, stage.className, el.className, question.hidden].join(" "); // the layout in which the height of the sentence was measured
    if (stands !== stood) tallest = 0;
    stood = stands;
    tallest = el.classList.contains("fstats-compact") ? 0 : Math.max(tallest, said.offsetHeight);
    said.style.minHeight = `${tallest}px`;
    const high = Math.max(view - pictures.offsetTop + (across >= SIDE ? 0 : below) - (large ? 18 : 10), wide < NARROW ? 180 : 140);
    const columns = Math.min(count, Math.max(1, Math.floor(wide / (large ? 560 : COLUMN))));
    const rows = Math.ceil(count / columns), at_once = Math.max(1, Math.min(rows, Math.floor(high / (wide < NARROW ? 1.3 * ROW : ROW))));
    at_a_time = at_once * columns;
    turn();
    const width = Math.max(Math.floor((wide - 12 * (columns - 1)) / columns), SLIM), most = Math.floor((high - 6 * (at_once - 1)) / at_once);
    const text = large ? Math.max(16, Math.ceil(window.innerHeight / 40), Math.min(28, Math.round(width / 36))) : width < 460 || most < LOW ? 13 : 15;
    const usual = Math.round((count > 1 ? 0.56 : 0.7) * width);
    pictures.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    const room = { width, height: usual, text, most };
    if (JSON.stringify(room) === JSON.stringify(model.get("room"))) return;
    model.set("room", room);
    model.save_changes();
    el.setAttribute("aria-busy", "true");
  };

  // -- pictures and drag handles ---------------------------------------------------------------------------------------------------
  let drawn = [];
  const draw = (svgs) => {
    while (pictures.children.length > svgs.length) pictures.lastChild.remove();
    svgs.forEach((svg, k) => {
      const box = pictures.children[k] || part("div", "picture", pictures);
      if (drawn[k] === svg) return;
      // Hatch patterns have ids, which must be unique on a page: a pattern in a hidden picture of another explorer would not be drawn.
      const own = svg.replace(/(id="|url\(#)hatch/g, `$1${id}-${k}-hatch`);
      if (box.firstElementChild?.tagName === "svg") box.firstElementChild.outerHTML = own;
      else box.insertAdjacentHTML("afterbegin", own);
    });
    drawn = svgs;
    turn();
  };
  let handles = [];
  const place = ({ places, control }, k) => {
    if (places.length === control.most - control.least + 1) return places[k - control.least];
    return places[0] + ((places[1] - places[0]) * (k - control.least)) / (control.most - control.least || 1);
  };
  const handle = (grip) => {
    const made = part("div", "grip", pictures.children[grip.picture]);
    const state = { made, grip, value: grip.control.value };
    made.setAttribute("role", "slider");
    const to = (position) => {
      const { control } = state.grip, next = Math.max(control.least, Math.min(control.most, position));
      if (next === state.value) return;
      state.value = next;
      hold(state.grip, next);
    };
    const fraction = (event) => {
      const box = pictures.children[state.grip.picture].querySelector("svg").getBoundingClientRect();
      return state.grip.along === "x" ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height;
    };
    let off = null, taken; // offset of the pointer on the mark, and the axis at the start of dragging, because the axis may change
    made.addEventListener("pointerdown", (event) => {
      made.setPointerCapture(event.pointerId);
      taken = { places: state.grip.places, control: state.grip.control };
      off = fraction(event) - place(taken, state.value);
      made.focus({ preventScroll: true });
      event.preventDefault();
    });
    made.addEventListener("pointermove", (event) => {
      if (off === null) return;
      const { control } = taken, wanted = fraction(event) - off;
      let best = control.least;
      for (let k = best; k <= control.most; k += 1) {
        if (Math.abs(place(taken, k) - wanted) < Math.abs(place(taken, best) - wanted)) best = k;
      }
      to(best);
    });
    for (const end of ["pointerup", "pointercancel"]) made.addEventListener(end, () => { off = null; });
    made.addEventListener("keydown", (event) => {
      const { along, control } = state.grip, beside = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const steps = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10, ...(along === "x" ? { ArrowLeft: -1, ArrowRight: 1 } : {}) };
      if (event.key in steps) to(state.value + steps[event.key]);
      else if (event.key === "Home") to(control.least);
      else if (event.key === "End") to(control.most);
      else if (beside) handles[handles.indexOf(state) + beside]?.made.focus(); // move the focus to the next mark
      else return;
      event.preventDefault();
    });
    made.addEventListener("focus", () => handles.forEach((other) => { other.made.tabIndex = other === state ? 0 : -1; }));
    return state;
  };
  const hang = (grips, answered) => {
    if (handles.length !== grips.length || handles.some(({ made, grip }, k) => grip.picture !== grips[k].picture || !made.isConnected)) {
      const focused = handles.findIndex(({ made }) => made === document.activeElement);
      handles.forEach(({ made }) => made.remove());
      handles = grips.map(handle);
      handles.forEach(({ made }, k) => { made.tabIndex = k ? -1 : 0; });
      handles[focused]?.made.focus({ preventScroll: true });
    }
    grips.forEach((grip, k) => {
      const state = handles[k], { made } = state, { control } = grip;
      state.grip = grip;
      if (answered) state.value = control.value;
      made.style.left = `${100 * grip.x}%`;
      made.style.top = `${100 * grip.y}%`;
      made.dataset.along = grip.along;
      const about = { label: grip.label, valuemin: control.least, valuemax: control.most, valuenow: control.value, valuetext: control.text };
      for (const [name, value] of Object.entries(about)) made.setAttribute(`aria-${name}`, value);
      made.setAttribute("aria-orientation", grip.along === "x" ? "horizontal" : "vertical");
    });
  };

  const reachable = () => { // make scrollable parts reachable by keyboard
    for (const box of el.querySelectorAll(".fstats-said, .fstats-work:not([hidden]) div, .fstats-picture")) {
      const high = box === said && box.scrollHeight > box.clientHeight + 1;
      if (high || box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };

  let waiting, told;

  // -- showing -----------------------------------------------------------------------------------------------------------------
  const show = () => {
    const view = model.get("view");
    const answered = view.presses >= presses; // False if the user has moved a slider since: resetting it would lose key presses
    const order = [...view.controls].sort((one, other) => view.leading.indexOf(one.name) - view.leading.indexOf(other.name));
    for (const control of order) {
      const into = view.leading.includes(control.name) ? leading : more;
      controls[control.name] ||= (control.choices.length ? choice : slider)(control, into);
      controls[control.name](control, answered);
    }
    keys.m.hidden = !more.children.length;
    draw(view.pictures);
    hang(view.grips, answered);
    if (question.textContent !== view.question) question.textContent = view.question;
    if (told !== view.said) {
      conclusion.innerHTML = told = view.said;
      if (said.scrollHeight > tallest) fit();
    }
    clearTimeout(waiting);
    waiting = setTimeout(() => { // show the picture before the worked rows
      work.innerHTML = view.work;
      reachable();
      el.setAttribute("aria-busy", String(!answered || JSON.stringify(view.room) !== JSON.stringify(model.get("room"))));
    });
  };
  model.on("change:view", show);
  show();
  const observer = new ResizeObserver(fit);
  observer.observe(el);
  window.addEventListener("resize", fit);
  return () => {
    clearTimeout(waiting);
    model.off("change:view", show);
    observer.disconnect();
    window.removeEventListener("resize", fit);
    document.removeEventListener("keydown", escape, true);
  };
}

export default { render };
