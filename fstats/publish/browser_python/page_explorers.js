// Explorers in a page: an explorer moves along prerendered positions until it runs in Python; then Python computes every position.
// Defined before this script (site_files.py): FILES (file names in the folder live, and sizes), fstatsExplorer, engine_client.js, notices.js.
const megabytes = (bytes) => Math.ceil(bytes / 1e6);
const DECK = document.querySelector(".reveal") !== null; // true in a slide deck, where all cells above run before a cell, and an explorer fills the slide
const CAN = location.protocol.startsWith("http") && "DecompressionStream" in window && "WebAssembly" in window;

// -- the engine of the page, and the progress of loading it ----------------------------------------------------------------------------
const bars = new Set(); // progress bars; all show the same state
let fetched = 0, state = "absent"; // state of the engine: "absent", "coming" or "here"
const show = (words = "") => bars.forEach((bar) => bar.show(state, fetched, words));
const places = Object.fromEntries(["worker", "engine", "course"].map((name) => [name, address(FILES[name])]));
const engine = new Engine(
  { ...places, more: Object.fromEntries(Object.entries(FILES.later).map(([path, [name, size]]) => [path, [address(name), size]])) },
  (bytes) => { fetched = bytes; show(); },
  (bytes) => show(bytes > 1e6 ? `More libraries: ${megabytes(bytes)} MB, once` : ""),
  (what) => (what === "ended" ? newer() : notice("engine", "This browser cannot store Python (no free space, or not allowed): Python is loaded again on each page.")),
);
const wish = async () => { // start the engine when it is first needed
  if (state === "absent") {
    [state, fetched] = ["coming", 0];
    show();
  }
  try {
    await engine.start();
    if (state !== "here") {
      keep();
      await hand();
    }
    state = "here";
    show();
  } catch (error) {
    state = "absent";
    show(`The engine did not start: ${error.message}`);
    throw error;
  }
};
const DECLINED = "fstats: the offer to keep the course was closed", ACCEPTED = "fstats: the course is kept";
const keep = async () => { // store this page and the desk for use without a network, and offer to store the site; a reader who has accepted the offer is not asked again
  const worker = navigator.serviceWorker, here = "fstats-live";
  if (!worker) return;
  try {
    const sizes = await listed(), cache = await caches.open(here);
    await cache.put(address("room"), new Response("")); // raises an error if the browser has no space or allows no cache
    await cache.delete(address("room"));
    await worker.register(new URL("sw.js", ROOT));
    const { active } = await worker.ready, loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    const visited = [location.href.replace(/\/(?=$|[?#])/, "/index.html"), ...["index.html", "desk.html"].map((name) => new URL(name, ROOT).href), ...loaded];
    active.postMessage({ keep: true, only: visited.map((one) => one.split(/[?#]/)[0]) });
    const there = new Set([...(await cache.keys()).map(({ url }) => url), ...Object.values(places)]); // the engine's files count, because they are being stored
    const more = Object.entries(sizes).filter(([name]) => !there.has(new URL(name, ROOT).href)).reduce((sum, [, size]) => sum + size, 0);
    const accepted = !navigator.connection?.saveData && (DECK || localStorage.getItem(ACCEPTED));
    if (accepted) store(active, more);
    else if (!sessionStorage.getItem(DECLINED)) {
      notice("rest", `Keep the whole course for use without a network (${megabytes(more)} MB)?`, "Keep", () => store(active, more));
      foot.querySelector('[data-matter="rest"]').lastChild.addEventListener("click", () => sessionStorage.setItem(DECLINED, "yes"));
    }
  } catch { /* without a cache the files are loaded each time; another notice says so */ }
};
const store = (active, more) => {
  notice("rest");
  if (!DECK) localStorage.setItem(ACCEPTED, "yes");
  navigator.serviceWorker.addEventListener("message", () => notice("rest")); // the service worker has stored everything
  navigator.serviceWorker.startMessages();
  if (more > 1e6) {
    notice("rest", `Loading the course (${megabytes(more)} MB).`, "Stop", () => {
      active.postMessage({ keep: false });
      localStorage.removeItem(ACCEPTED); // otherwise the next page would continue to load the course
      notice("rest");
    });
  }
  active.postMessage({ keep: true });
};
const ONCE = `Python comes once, ${megabytes(FILES.size)} MB; then everything runs here.`;
const bar = (box) => {
  box.tabIndex = -1;
  const line = box.appendChild(made("p", "fstats-fetch"));
  const asked = line.appendChild(made("span", "", DECK ? "" : ONCE));
  const button = line.appendChild(made("button", "fstats-act", DECK ? `Load Python: ${megabytes(FILES.size)} MB, once` : "Load Python"));
  button.type = "button";
  const progress = line.appendChild(made("progress", "fstats-progress")), told = line.appendChild(made("span", "fstats-told"));
  told.setAttribute("role", "status");
  progress.max = FILES.size;
  progress.setAttribute("aria-label", "loaded part of Python");
  const one = {
    show: (now, bytes, words) => {
      line.dataset.state = now;
      if (now !== "absent" && document.activeElement === button) box.focus({ preventScroll: true }); // otherwise the focus is lost with the button
      button.hidden = now !== "absent";
      asked.hidden = now === "here" || !CAN;
      progress.hidden = now !== "coming";
      progress.value = bytes;
      told.textContent = words || (now === "coming" ? `${megabytes(bytes)} of ${megabytes(FILES.size)} MB` : "");
      line.hidden = now === "here" && !words;
    },
  };
  bars.add(one);
  one.show(state, fetched, "");
  if (!CAN) {
    button.hidden = true;
    told.textContent = "Only the first control moves here, because this page was opened from a file. On the web all controls move.";
  }
  return button;
};

// -- models of explorers, with the interface that anywidget has in JupyterLab -----------------------------------------------------------
class Model {
  constructor(state, key) {
    this.state = state;
    this.listeners = [];
    if (key !== undefined) Object.assign(this, { key, engine: engine.worker });
  }

  get(name) { return this.state[name]; }

  set(name, value) { this.state[name] = value; }

  on(event, listener) { this.listeners.push([event, listener]); }

  off(event, listener) { this.listeners = this.listeners.filter(([one, other]) => one !== event || other !== listener); }

  take(news) { // take over values from Python or from a prerendered position
    Object.assign(this.state, news);
    for (const name of Object.keys(news)) {
      for (const [event, listener] of this.listeners) if (event === `change:${name}`) listener();
    }
  }

  save_changes() { this.send(); }

  sent() { return "choice" in this.state ? { choice: this.state.choice } : { positions: this.state.positions, room: this.state.room }; }

  alive() { return this.engine !== undefined && this.engine === engine.worker; }

  async send() { // one message at a time; changes meanwhile are sent with the next one
    this.waits = true;
    if (this.busy) return;
    this.busy = true;
    try {
      if (!this.alive()) await this.begin();
      while (this.waits) {
        this.waits = false;
        const { state: news } = await engine.ask({ do: "set", key: this.key, state: this.sent() });
        if (this.waits) delete news.positions; // the user has moved the control further
        this.take(news);
      }
    } catch (error) {
      show(error.message);
      this.back();
    } finally {
      this.busy = false;
    }
  }

  back() { // no reply: move the controls back to the state of the pictures
    if ("choice" in this.state) return;
    const { positions: { held, ...positions }, room, view } = this.state;
    const at = Object.fromEntries(view.controls.map(({ name, value }) => [name, value]));
    this.take({ positions: { ...positions, ...at }, view: { ...view, room, presses: positions.presses || 0 } });
  }

  begin() { throw new Error("Python was reset: run the cell again."); }
}

const READABLE = 512; // pixels: at this width, a picture drawn for 640 has text of 12 pixels, the smallest readable size
class Drawn extends Model { // moves along prerendered positions, and starts Python for all other moves
  constructor(told) {
    super({ name: told.name, positions: {}, room: {}, view: {} });
    this.told = told;
    this.frame(told.start);
  }

  frame(k) {
    const { room, positions: { held, ...positions } } = this.state; // without `held`, because this view answers the drag of a mark
    const { views, narrow, pictures } = this.told;
    const drawn = { ...views, ...(room.width < READABLE ? narrow : {}) };
    const view = Object.fromEntries(Object.entries(drawn).map(([name, values]) => [name, values[k]]));
    view.pictures = view.pictures.map((one) => pictures[one]);
    this.at = Object.fromEntries(view.controls.map(({ name, value }) => [name, value]));
    this.take({ positions: { ...positions, ...this.at }, view: { ...view, room, presses: positions.presses || 0 } });
  }

  save_changes() {
    const { positions } = this.state, { control, places, start } = this.told;
    const between = state === "here" && !places.includes(positions[control]);
    const reset = (positions.reset || 0) !== (this.resets || 0);
    this.resets = positions.reset;
    if (this.alive() || between) return this.send();
    if (reset) return queueMicrotask(() => this.frame(start));
    const moved = Object.keys(this.at).filter((name) => name !== control && positions[name] !== this.at[name]);
    if (moved.length && CAN) return this.send();
    for (const name of moved) positions[name] = this.at[name]; // without Python, the other controls do not move
    const to = positions[control]; // the next prerendered position in this direction, so that a key press always moves
    const next = to > this.at[control] ? places.findIndex((place) => place >= to) : places.findLastIndex((place) => place <= to);
    return queueMicrotask(() => this.frame(next)); // explorer.js expects asynchronous replies, as in JupyterLab
  }

  async begin() { // run the cell in a separate namespace, so that the student's variables do not change
    await wish();
    const { before, cell, name, control } = this.told, told = [];
    const { error } = await engine.ask({ do: "run", apart: true, name, source: `${before}\n${cell}` }, (one) => told.push(one));
    if (error) throw new Error(error);
    const output = told.map((one) => one.output).find((one) => one && "widget" in one);
    Object.assign(this, { key: output.widget, engine: engine.worker });
    // First repeat the prerendered moves: they can change the meaning of another control, such as the score of another data set.
    await engine.ask({ do: "set", key: this.key, state: { positions: { [control]: this.at[control] } } });
    this.resets = this.state.positions.reset = 0; // the new explorer in Python has not been reset yet
  }
}

const STAGE = DECK ? "fstats-hall" : "";
const unpack = async (letters) => {
  const bytes = Uint8Array.from(atob(letters.trim()), (one) => one.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
};
const move = async (script) => {
  const model = new Drawn(await unpack(script.textContent)), still = script.previousElementSibling;
  const place = Object.assign(made("div", "fstats-live"), { id: still.id }), el = place.appendChild(made("div", STAGE));
  still.replaceWith(place);
  fstatsExplorer.render({ model, el });
  const busy = (now) => el.setAttribute("aria-busy", String(now));
  bar(place).addEventListener("click", () => {
    busy(true);
    model.send().finally(() => busy(false));
  });
};
const scripts = document.querySelectorAll("script.fstats-frames");
const near = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    move(target.nextElementSibling);
  }
}, { rootMargin: "800px" });
if ("DecompressionStream" in window) scripts.forEach((script) => near.observe(script.previousElementSibling));
