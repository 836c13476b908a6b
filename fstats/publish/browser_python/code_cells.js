// Cells run: each is edited in its place, shares its names with the others, and is stopped by ending the worker.
const cellOf = (box) => {
  const places = box.dataset.cell ? document.querySelectorAll(`.cell_output[data-cell="${box.dataset.cell}"]`) : box.querySelectorAll(":scope > .cell_output");
  const outs = places.length ? [...places] : [box.appendChild(made("div", "cell_output docutils container"))];
  return { box, code: box.querySelector(".cell_input pre"), out: outs[0], outs }; // on slides each output may have a place of its own
};
const cells = [...document.querySelectorAll("div.cell:has(> .cell_input)")].map(cellOf);
const added = (before) => { // an empty cell behind another, which the page itself does not have
  const box = made("div", "cell docutils container");
  box.innerHTML = '<div class="cell_input docutils container"><div class="highlight"><pre></pre></div></div>';
  before.box.after(box);
  const cell = cellOf(box), k = cells.indexOf(before) + 1;
  cells.splice(k, 0, cell);
  arm(cell, k);
  return cell;
};
const source = ({ code }) => code.value;
let turn = Promise.resolve(), working = 0;

// -- what a cell shows -------------------------------------------------------------------------------------------------------------------
const shift = () => dispatchEvent(new Event("resize")); // what is shown now may be too wide: site.js sees to that
const ACTIVE = "script, style, link, meta, base, iframe, frame, object, embed, form, animate, set, template"; // could do more than be shown
const shows = (box, words) => { // what a cell shows is looked at, and does nothing: it may come from another's notebook
  const { body } = new DOMParser().parseFromString(words, "text/html");
  body.querySelectorAll(ACTIVE).forEach((one) => one.remove());
  for (const one of body.querySelectorAll("*")) {
    for (const { name, value } of [...one.attributes]) {
      if (/^on/i.test(name) || /^\W*(javascript|data:text)/i.test(value)) one.removeAttribute(name);
    }
  }
  box.replaceChildren(...body.childNodes);
};
const shown = {
  "text/html": (box, html) => { box.className = "output text_html"; shows(box, html); },
  "image/svg+xml": shows,
  "image/png": (box, data, { "text/plain": words, sharp = 1, width }) => {
    const image = box.appendChild(Object.assign(new Image(), { className: "fstats-picture dark-light", alt: words }));
    image.onload = () => { image.width = width || image.naturalWidth / sharp; };
    image.src = `data:image/png;base64,${data}`;
  },
  "text/latex": (box, words) => { box.className = "output text_html math"; box.textContent = words; },
  "text/markdown": (box, words) => { box.textContent = words; },
  "text/plain": (box, words) => { box.appendChild(made("pre", "", words)); },
};
const output = (out, told) => {
  const box = out.appendChild(made("div", "output"));
  if ("widget" in told) {
    box.className = "fstats-live";
    fstatsExplorer.render({ model: new Model(told.state, told.widget), el: box.appendChild(made("div", STAGE)) });
    return;
  }
  const kind = Object.keys(shown).find((one) => one in told);
  shown[kind](box, told[kind], told);
  for (const link of box.querySelectorAll('a[href*=".ipynb"]')) { // a reply names notebooks, which are pages here; what is typed stays
    link.href = link.getAttribute("href").replace(".ipynb", ".html");
    link.target = "_blank";
  }
  if (/\$|\\[([]/.test(box.textContent)) window.MathJax?.typesetPromise?.([box]).then(shift);
};
const stream = (out, name, words) => { // what is printed in one go stands in one block
  const last = out.lastElementChild?.dataset.stream === name ? out.lastElementChild : out.appendChild(made("div", "output stream"));
  last.dataset.stream = name;
  const block = last.firstElementChild || last.appendChild(made("pre", ""));
  block.append(words);
};
const restored = (out, outputs, kinds = Object.keys(shown)) => { // as a notebook stores them; words stand there in one piece or in lines
  out.replaceChildren();
  for (const { output_type: type, name, text, traceback = [], data = {}, metadata } of outputs) {
    if (type === "stream") stream(out, name, [text].flat().join(""));
    else if (type === "error") out.appendChild(made("pre", "fstats-error", traceback.join("\n")));
    else {
      const known = kinds.filter((kind) => data[kind]).map((kind) => [kind, [data[kind]].flat().join("")]);
      if (known.length) output(out, { "text/plain": "", ...Object.fromEntries(known), width: metadata?.["image/png"]?.width });
    }
  }
  shift();
};

// -- running -----------------------------------------------------------------------------------------------------------------------------
const perform = async (cell, name) => {
  const { box, outs } = cell;
  box.dataset.state = "runs";
  let [out, ...later] = outs, first = true;
  const clear = () => { if (first) outs.forEach((one) => one.replaceChildren()); first = false; };
  try {
    await wish();
    if (box.dataset.before && cell.prepared !== engine.worker) await engine.ask({ do: "run", name, source: box.dataset.before });
    cell.prepared = engine.worker;
    const { error, ...ran } = await engine.ask({ do: "run", name, source: source(cell) }, (told) => {
      clear();
      if (told.output && out.childElementCount && later.length) [out, ...later] = later;
      if (told.stream) stream(out, told.stream, told.text);
      else output(out, told.output);
    });
    clear();
    if (error) out.appendChild(made("pre", "fstats-error", error));
    box.dataset.state = error ? "failed" : "ran";
    if (!error) cell.ran = engine.worker;
    box.dispatchEvent(new CustomEvent("fstats-ran", { detail: ran }));
    return !error;
  } catch (error) {
    clear();
    out.appendChild(made("pre", "fstats-error", error.message));
    box.dataset.state = "failed";
    box.dispatchEvent(new CustomEvent("fstats-ran", { detail: { outputs: [], count: null } }));
    return false;
  }
};
const run = (asked, some) => { // one after the other, at last the one that was asked for; the first error ends it
  working += 1;
  document.body.dataset.fstats = "works";
  asked.box.dataset.state = "runs";
  turn = turn.then(async () => {
    for (const cell of await some().catch(() => [asked])) {
      const name = `cell ${cells.indexOf(cell) + 1}`;
      if (await perform(cell, name)) continue;
      if (cell === asked) break;
      asked.outs.forEach((one) => one.replaceChildren());
      asked.out.appendChild(made("p", "fstats-told", `This cell needs ${name}, which ended with an error: mend that first.`));
      asked.box.dataset.state = "failed";
      break;
    }
    shift();
    working -= 1;
    if (!working) document.body.dataset.fstats = "rests";
  });
  return turn;
};
const anew = (why) => {
  engine.stop(why);
  state = "absent";
  for (const { box } of cells) delete box.dataset.state;
  show();
};

const arm = (cell, k) => {
  const { box } = cell, line = made("p", "fstats-run"), code = cell.code = field(cell.code);
  const button = (words, name, does) => {
    const one = line.appendChild(Object.assign(made("button", "fstats-act", words), { type: "button", title: name }));
    one.setAttribute("aria-label", `${name}: cell ${k + 1}`);
    one.addEventListener("click", does);
    return one;
  };
  const above = () => cells.slice(0, cells.indexOf(cell) + 1);
  const due = async () => { // this cell, after those above that have not run as they stand: all on slides, on a page those that it needs
    await wish();
    const late = above().slice(0, -1).filter((one) => one.ran !== engine.worker || one.box.dataset.state === "edited");
    if (DECK) return [...late, cell];
    const { needs } = await engine.ask({ do: "needs", above: late.map(source), source: source(cell) });
    return [...needs.map((at) => late[at]), cell];
  };
  button("Run", "Run this cell (Shift + Enter)", () => run(cell, due));
  if (k) button("Run all above", "Run all cells above, and this one", () => run(cell, async () => above()));
  button("Start anew", "Start anew, with no names", () => anew("Python was started anew."));
  button("Stop", "Stop", () => anew("Stopped. What was computed is gone, what you typed is here: run all above.")).classList.add("fstats-stop");
  box.insertBefore(line, box.children[1]);
  code.setAttribute("aria-label", `Code of cell ${k + 1}`);
  code.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.shiftKey) {
      event.preventDefault();
      const next = DECK ? undefined : cells[cells.indexOf(cell) + 1]; // as in JupyterLab one goes on there
      if (next) next.code.focus({ preventScroll: true });
      run(cell, due).then(() => { if (next && document.activeElement === next.code) next.box.scrollIntoView({ block: "nearest" }); });
    } else if (event.key === "Escape") code.blur();
  });
  code.addEventListener("input", () => { box.dataset.state = "edited"; });
};
if (CAN && cells.length) {
  bar(DECK ? document.querySelector(".fstats-corner") : cells[0].box).addEventListener("click", () => wish().catch(() => {}));
  takes(cells.at(DECK ? -1 : 0).box);
  cells.forEach(arm);
}
