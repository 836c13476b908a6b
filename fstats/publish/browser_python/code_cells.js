// Code cells of a page: students edit and run the cells, and all cells share their variables. To stop a cell, the page ends the worker.
const cellOf = (box) => {
  const places = box.dataset.cell ? document.querySelectorAll(`.cell_output[data-cell="${box.dataset.cell}"]`) : box.querySelectorAll(":scope > .cell_output");
  const outs = places.length ? [...places] : [box.appendChild(made("div", "cell_output docutils container"))];
  return { box, code: box.querySelector(".cell_input pre"), out: outs[0], outs }; // on slides, outputs of one cell can be in different places
};
const cells = [...document.querySelectorAll("div.cell:has(> .cell_input)")].map(cellOf);
const added = (before) => { // insert an empty cell, which is not part of the page, after another cell
  const box = made("div", "cell docutils container");
  box.innerHTML = '<div class="cell_input docutils container"><div class="highlight"><pre></pre></div></div>';
  before.box.after(box);
  const cell = cellOf(box), k = cells.indexOf(before) + 1;
  cells.splice(k, 0, cell);
  arm(cell, k);
  return cell;
};
const source = ({ code }) => code.value;
let turn = Promise.resolve(), working = 0, fetches; // `fetches`: the line with the button and the progress of loading Python

// -- outputs of cells --------------------------------------------------------------------------------------------------------------------
const shift = () => dispatchEvent(new Event("resize")); // site.js adapts outputs that are too wide
const ACTIVE = "script, style, link, meta, base, iframe, frame, object, embed, form, animate, set, template"; // elements that could do more than show something
const shows = (box, words) => { // show an output without active elements, because it may come from another person's notebook
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
    ("choice" in told.state ? window.fstatsWalk : fstatsExplorer).render({ model: new Model(told.state, told.widget), el: box.appendChild(made("div", STAGE)) });
    return;
  }
  const kind = Object.keys(shown).find((one) => one in told);
  shown[kind](box, told[kind], told);
  for (const link of box.querySelectorAll('a[href*=".ipynb"]')) { // links in replies lead to notebooks; here they lead to pages in a new tab, so that answers stay
    link.href = link.getAttribute("href").replace(".ipynb", ".html");
    link.target = "_blank";
  }
  if (/\$|\\[([]/.test(box.textContent)) window.MathJax?.typesetPromise?.([box]).then(shift);
};
const stream = (out, name, words) => { // text printed in succession is one block
  const last = out.lastElementChild?.dataset.stream === name ? out.lastElementChild : out.appendChild(made("div", "output stream"));
  last.dataset.stream = name;
  const block = last.firstElementChild || last.appendChild(made("pre", ""));
  block.append(words);
};
const restored = (out, outputs, kinds = Object.keys(shown)) => { // outputs in notebook format; text is a string or a list of lines
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
const run = (asked, some) => { // run cells one after the other, the requested cell last; stop at the first error
  working += 1;
  notice("reset");
  if (!DECK && state !== "here") asked.box.querySelector(".fstats-run").after(fetches); // show the progress at the requested cell
  document.body.dataset.fstats = "works";
  asked.box.dataset.state = "runs";
  turn = turn.then(async () => {
    for (const cell of await some().catch(() => [asked])) {
      const name = `cell ${cells.indexOf(cell) + 1}`;
      if (await perform(cell, name)) continue;
      if (cell === asked) break;
      asked.outs.forEach((one) => one.replaceChildren());
      asked.out.appendChild(made("p", "fstats-told", `This cell needs ${name}, which ended with an error. Correct that cell first.`));
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
  const due = async () => { // this cell, after the cells above that have not run in their current form: on slides, all of them; on a page, only those that this cell needs
    await wish();
    const late = above().slice(0, -1).filter((one) => one.ran !== engine.worker || one.box.dataset.state === "edited");
    if (DECK) return [...late, cell];
    const { needs } = await engine.ask({ do: "needs", above: late.map(source), source: source(cell) });
    return [...needs.map((at) => late[at]), cell];
  };
  button("Run", "Run this cell (Shift + Enter)", () => run(cell, due));
  button("Run above", "Run above: all cells above, then this cell", () => run(cell, async () => above()));
  button("Reset", "Reset Python: forget all variables, keep the code", () => {
    anew("Python was reset.");
    notice("reset", "Python has forgotten all variables; your code is still here. Run the cells again.");
  });
  button("Stop", "Stop", () => anew("Stopped. All variables are lost, your code is still here: press “Run above”.")).classList.add("fstats-stop");
  box.insertBefore(line, box.children[1]);
  code.setAttribute("aria-label", `Code of cell ${k + 1}`);
  code.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.shiftKey) {
      event.preventDefault();
      const next = DECK ? undefined : cells[cells.indexOf(cell) + 1]; // as in JupyterLab, the focus moves to the next cell
      if (next) next.code.focus({ preventScroll: true });
      run(cell, due).then(() => { if (next && document.activeElement === next.code) next.box.scrollIntoView({ block: "nearest" }); });
    } else if (event.key === "Escape") code.blur();
  });
  code.addEventListener("input", () => { box.dataset.state = "edited"; });
};
if (CAN && cells.length) {
  const button = bar(DECK ? document.querySelector(".fstats-corner") : cells[0].box);
  fetches = button.parentElement;
  button.addEventListener("click", () => wish().catch(() => {}));
  takes(cells.at(DECK ? -1 : 0).box);
  cells.forEach(arm);
  if (!DECK) cells[0].box.querySelector(".fstats-run").after(fetches);
}
