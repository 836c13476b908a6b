// A page of the site whose explorers move: before the engine is there along drawn positions, then by the same Python as in JupyterLab.
// FILES (names in the folder live, sizes) and fstatsExplorer (explorer.js) stand above; engine.js, too.
const ROOT = new URL(document.documentElement.dataset.content_root || "./", document.baseURI);
const address = (name) => new URL(`live/${name}`, ROOT).href;
const megabytes = (bytes) => Math.ceil(bytes / 1e6);
const made = (tag, name, words = "") => Object.assign(document.createElement(tag), { className: name, textContent: words });
const CAN = location.protocol.startsWith("http") && "DecompressionStream" in window && "WebAssembly" in window;

// -- the engine of the page, and what is seen of its coming ------------------------------------------------------------------------------
const bars = new Set(); // each shows the same
let fetched = 0, state = "absent"; // then "coming", "here"
const show = (words = "") => bars.forEach((bar) => bar.show(state, fetched, words));
const places = Object.fromEntries(["worker", "engine", "course"].map((name) => [name, address(FILES[name])]));
const engine = new Engine(
  { ...places, more: [address(FILES.more), FILES.later] },
  (bytes) => { fetched += bytes; show(); },
  (bytes) => show(bytes ? `Libraries of this lesson: ${megabytes(bytes)} MB, once` : ""),
);
const wish = async () => { // the engine, at the first wish for more
  if (state === "absent") {
    [state, fetched] = ["coming", 0];
    show();
  }
  try {
    await engine.start();
    if (state !== "here") keep();
    state = "here";
    show();
  } catch (error) {
    state = "absent";
    show(`The engine did not start: ${error.message}`);
    throw error;
  }
};
const keep = () => { // what lies in this browser is there without a network
  const worker = navigator.serviceWorker;
  if (!worker) return;
  worker.register(new URL("sw.js", ROOT)).then(() => worker.ready).then(({ active }) => active.postMessage({ keep: true })).catch(() => {});
};
const bar = (box) => {
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
      button.hidden = now !== "absent";
      progress.hidden = now !== "coming";
      progress.value = bytes;
      told.textContent = words || (now === "coming" ? `${megabytes(bytes)} of ${megabytes(FILES.size)} MB` : "");
      line.hidden = now === "here" && !words;
    },
  };
  bars.add(one);
  one.show(state, fetched, CAN ? "" : "");
  if (!CAN) {
    button.hidden = true;
    told.textContent = "The first control moves; all others need this page from a server: fstats site --live --serve, or the web.";
  }
  return { button, one };
};

// -- an explorer: what anywidget gives to explorer.js in JupyterLab -----------------------------------------------------------------------
class Model {
  constructor(told) {
    this.told = told;
    this.listeners = [];
    this.state = { name: told.name, positions: {}, room: {}, view: {} };
    this.frame(told.start);
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

  frame(k) {
    const view = Object.fromEntries(Object.entries(this.told.views).map(([name, values]) => [name, values[k]]));
    const { positions, room } = this.state;
    const stand = Object.fromEntries(view.controls.map(({ name, value }) => [name, value]));
    this.at = stand;
    this.take({ positions: { ...positions, ...stand }, view: { ...view, room, presses: positions.presses || 0 } });
  }

  save_changes() {
    if (this.alive()) return this.send();
    const { positions } = this.state, { control, places, start } = this.told;
    if ((positions.reset || 0) !== (this.resets || 0)) {
      this.resets = positions.reset;
      return this.frame(start);
    }
    const others = Object.keys(this.at).some((name) => name !== control && positions[name] !== this.at[name]);
    const held = positions.held && positions.held.press === positions.presses && Object.keys(positions.held.moves).some((name) => name !== control);
    if ((others || held) && CAN) return this.send();
    if (others || held) Object.assign(positions, this.at); // there is nothing that could answer
    let best = 0;
    places.forEach((place, k) => { if (Math.abs(place - positions[control]) < Math.abs(places[best] - positions[control])) best = k; });
    return this.frame(best);
  }

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
        const { state: news, error } = await engine.ask({ do: "set", key: this.key, state: { positions, room } });
        if (error) throw new Error(error);
        if (this.waits && news.positions) delete news.positions; // the hand has moved on
        this.take(news);
      }
    } catch (error) {
      show(error.message);
    } finally {
      this.busy = false;
    }
  }

  async begin() {
    await wish();
    const { before, cell, name } = this.told, told = [];
    for (const [number, source] of [before, cell].entries()) {
      const { error } = await engine.ask({ do: "run", name: number ? name : "above", source }, (one) => told.push(one));
      if (error) throw new Error(error);
    }
    const output = told.map((one) => one.output).find((one) => one && "widget" in one);
    this.key = output.widget;
    this.engine = engine.worker;
    const { reset, ...positions } = this.state.positions; // it has just started
    this.resets = reset;
    await engine.ask({ do: "set", key: this.key, state: { positions: { ...positions, reset } } });
  }
}

const unpack = async (letters) => {
  const bytes = Uint8Array.from(atob(letters.trim()), (one) => one.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
};
const move = async (script) => {
  const model = new Model(await unpack(script.textContent)), still = script.previousElementSibling;
  const place = made("div", "fstats-live"), el = place.appendChild(made("div", ""));
  still.replaceWith(place);
  fstatsExplorer.render({ model, el });
  const { button } = bar(place);
  button.addEventListener("click", () => model.send());
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
