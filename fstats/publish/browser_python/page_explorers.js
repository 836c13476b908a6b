// A page of the site whose explorers move: before the engine is there along drawn positions, then by the same Python as in JupyterLab.
// FILES (names in the folder live, sizes) and fstatsExplorer (explorer.js) stand above; engine.js and news.js, too.
const megabytes = (bytes) => Math.ceil(bytes / 1e6);
const DECK = document.querySelector(".reveal") !== null; // slides: what a cell needs runs with it, and an explorer has the slide
const CAN = location.protocol.startsWith("http") && "DecompressionStream" in window && "WebAssembly" in window;

// -- the engine of the page, and what is seen of its coming ------------------------------------------------------------------------------
const bars = new Set(); // each shows the same
let fetched = 0, state = "absent"; // then "coming", "here"
const show = (words = "") => bars.forEach((bar) => bar.show(state, fetched, words));
const places = Object.fromEntries(["worker", "engine", "course"].map((name) => [name, address(FILES[name])]));
const engine = new Engine(
  { ...places, more: Object.fromEntries(Object.entries(FILES.later).map(([path, [name, size]]) => [path, [address(name), size]])) },
  (bytes) => { fetched = bytes; show(); },
  (bytes) => show(bytes > 1e6 ? `Libraries of this lesson: ${megabytes(bytes)} MB, once` : ""),
  (what) => (what === "ended" ? newer() : notice("engine", "This browser has no room for Python, or may not keep it: it comes anew.")),
);
const wish = async () => { // the engine, at the first wish for more
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
const keep = async () => { // what lies in this browser is there without a network
  const worker = navigator.serviceWorker, here = "fstats-live";
  if (!worker || navigator.connection?.saveData) return; // or it costs what the reader has asked to save
  try {
    const sizes = await listed(), cache = await caches.open(here);
    await cache.put(address("room"), new Response("")); // where there is no room, or may be none, it ends here
    await cache.delete(address("room"));
    const there = new Set((await cache.keys()).map(({ url }) => url));
    const more = Object.entries(sizes).filter(([name]) => !there.has(new URL(name, ROOT).href)).reduce((sum, [, size]) => sum + size, 0);
    if (more > 1e6) notice("rest", `The rest of the course, ${megabytes(more)} MB, comes now and stays in this browser: then it works without a network.`);
    await worker.register(new URL("sw.js", ROOT));
    (await worker.ready).active.postMessage({ keep: true });
  } catch { /* then it comes from the network each time, which is said where it matters */ }
};
const bar = (box) => {
  box.tabIndex = -1;
  const line = box.appendChild(made("p", "fstats-fetch"));
  const button = line.appendChild(made("button", "fstats-act", `All controls: ${megabytes(FILES.size)} MB, once`));
  button.type = "button";
  const progress = line.appendChild(made("progress", "fstats-progress")), told = line.appendChild(made("span", "fstats-told"));
  told.setAttribute("role", "status");
  progress.max = FILES.size;
  progress.setAttribute("aria-label", "how much of Python has arrived");
  const one = {
    show: (now, bytes, words) => {
      line.dataset.state = now;
      if (now !== "absent" && document.activeElement === button) box.focus({ preventScroll: true }); // or it is lost with the button
      button.hidden = now !== "absent";
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
    told.textContent = "The first control moves; all others need this page from a server: fstats site --live --serve, or the web.";
  }
  return button;
};

// -- an explorer: what anywidget gives to explorer.js in JupyterLab -----------------------------------------------------------------------
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

  take(news) { // what Python, or a drawn position, says
    Object.assign(this.state, news);
    for (const name of Object.keys(news)) {
      for (const [event, listener] of this.listeners) if (event === `change:${name}`) listener();
    }
  }

  save_changes() { this.send(); }

  alive() { return this.engine !== undefined && this.engine === engine.worker; }

  async send() { // one message at a time; what moves meanwhile goes along with the next
    this.waits = true;
    if (this.busy) return;
    this.busy = true;
    try {
      if (!this.alive()) await this.begin();
      while (this.waits) {
        this.waits = false;
        const { positions, room } = this.state;
        const { state: news } = await engine.ask({ do: "set", key: this.key, state: { positions, room } });
        if (this.waits) delete news.positions; // the hand has moved on
        this.take(news);
      }
    } catch (error) {
      show(error.message);
      this.back();
    } finally {
      this.busy = false;
    }
  }

  back() { // no answer came: its controls stand again where its pictures are
    const { positions: { held, ...positions }, room, view } = this.state;
    const at = Object.fromEntries(view.controls.map(({ name, value }) => [name, value]));
    this.take({ positions: { ...positions, ...at }, view: { ...view, room, presses: positions.presses || 0 } });
  }

  begin() { throw new Error("Python was started anew: run the cell again."); }
}

const READABLE = 512; // pixels in which what is drawn for 640 has words of 12, the smallest that are read on a screen
class Drawn extends Model { // moves along what was drawn, and begins its Python when that does not do
  constructor(told) {
    super({ name: told.name, positions: {}, room: {}, view: {} });
    this.told = told;
    this.frame(told.start);
  }

  frame(k) {
    const { room, positions: { held, ...positions } } = this.state; // what was held is answered by this
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
    for (const name of moved) positions[name] = this.at[name]; // there is nothing that could answer
    const to = positions[control]; // the next drawn one that way: a key, too, leads on
    const next = to > this.at[control] ? places.findIndex((place) => place >= to) : places.findLastIndex((place) => place <= to);
    return queueMicrotask(() => this.frame(next)); // explorer.js expects its answers later, as in JupyterLab
  }

  async begin() { // in names of its own: what a student has computed in the page stays as it is
    await wish();
    const { before, cell, name, control } = this.told, told = [];
    const { error } = await engine.ask({ do: "run", apart: true, name, source: `${before}\n${cell}` }, (one) => told.push(one));
    if (error) throw new Error(error);
    const output = told.map((one) => one.output).find((one) => one && "widget" in one);
    Object.assign(this, { key: output.widget, engine: engine.worker });
    // First it goes where the drawn positions led: there another control may stand for something else, as a score of another data set.
    await engine.ask({ do: "set", key: this.key, state: { positions: { [control]: this.at[control] } } });
    this.resets = this.state.positions.reset = 0; // it is as it starts
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
