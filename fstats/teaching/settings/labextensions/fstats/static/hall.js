// What `fstats lab` adds to JupyterLab, which no setting of it says: it opens with the file browser away, what a cell has just shown
// is wholly in view, and what answers a bet is covered until the reader has chosen, except in a lecture.  The last lines
// are the form in which JupyterLab loads an extension that is built already.
let offered; // the libraries that JupyterLab shares with extensions
const BETS = new URL("bets.js", document.currentScript.src);

function shownBy(cells, k) { // the cells that show the answer of a poll, by the rule of covered_cells in fstats/teaching/polls.py
  const texts = cells.map(({ model }) => (model.type === "markdown" ? model.sharedModel.getSource() : ""));
  const named = cells.findIndex(({ model }) => model.id === cells[k].model.getMetadata("fstats")?.answered_by);
  let end = Math.max(named, k + 1) + 1;
  if (named < 0 && texts[end]?.startsWith("## ") && !texts[end].startsWith("## Move it yourself")) end += 1;
  while (end < cells.length && !texts[end].startsWith("## ")) end += 1;
  return cells.slice(k + 1, end);
}

async function cover({ content: notebook }, context) {
  let link = "", follow = () => {}; // a link may lead into the notebook before its bets are known
  const { setFragment } = notebook;
  notebook.setFragment = (fragment) => {
    link = decodeURIComponent(fragment).replace(/^#/, "");
    follow();
    return setFragment.call(notebook, fragment);
  };
  await Promise.all([context.ready, import(BETS)]);
  const cells = [...notebook.widgets];
  const bets = cells.flatMap((cell, k) => {
    if (!cell.model.getMetadata("tags")?.includes("poll") || !cells[k + 1]) return [];
    const number = !/^\* /m.test(cell.model.sharedModel.getSource());
    return [{ cell, asked: cell.node, answer: cells[k + 1].node, covered: shownBy(cells, k), number }];
  });
  const uncover = fstatsBets(bets, (cell, covered) => cell.setHidden(covered));
  const linked = ({ model }) => `cell-id=${model.id}` === link
    || model.sharedModel.getSource().split("\n").some((line) => line.match(/^#+ (.*)/)?.[1].replaceAll(" ", "-") === link);
  follow = () => uncover(linked);
  follow();
  let before; // the cell that was active before
  notebook.activeCellChanged.connect((_, now) => {
    const bet = bets.find(({ cell, covered, open }) => !open && cell === before && covered[0] === now);
    if (now !== bet?.covered[0]) before = now;
    if (!bet) return uncover((cell) => cell === now); // a link or a search leads into the covered cells
    setTimeout(() => { // Shift + Enter stays at the bet
      notebook.activeCellIndex = notebook.widgets.indexOf(bet.cell);
      bet.asked.querySelector("[role=radio], .fstats-note input")?.focus();
    });
  });
}

function activate({ shell, docRegistry }) {
  const told = JSON.parse(document.getElementById("jupyter-config-data").textContent);
  document.documentElement.classList.toggle("fstats-lecture", told.fstatsLecture === "true"); // custom.css says what follows from it
  const createNew = (panel, context) => { cover(panel, context); };
  if (told.fstatsLecture !== "true") docRegistry.addWidgetExtension("Notebook", { createNew });
  shell.restored.then(async ({ fresh }) => { // who has arranged the page finds it as he left it
    await new Promise(requestAnimationFrame); // the file browser opens itself, too, when the page is there
    if (fresh) shell.collapseLeft();
  });
  window.addEventListener("click", ({ target }) => { // what is small on a low screen is shown in its own size, and back again
    if (target.matches?.(".jp-RenderedImage img")) target.classList.toggle("fstats-whole");
  });
  let enough = () => {}; // until the reader does something, what grows is kept in view: pictures find their size late
  for (const act of ["keydown", "pointerdown", "wheel", "touchstart"]) window.addEventListener(act, () => enough(), { capture: true, passive: true });
  const keep = (output, scroller) => {
    const look = () => {
      const seen = scroller.getBoundingClientRect(), box = output.getBoundingClientRect();
      const above = seen.top - box.top, below = box.top + Math.min(box.height, seen.height) - Math.min(seen.bottom, innerHeight);
      if (box.height && (above > 0 || below > 0)) scroller.scrollTop += above > 0 ? -above : Math.ceil(below);
    };
    const observer = new ResizeObserver(look);
    for (const part of [output, scroller, scroller.firstElementChild]) observer.observe(part);
    enough();
    enough = () => observer.disconnect();
  };
  Object.values(offered["@jupyterlab/notebook"])[0].get().then((library) => {
    library().NotebookActions.executed.connect((_, { notebook, cell }) => {
      const behind = notebook.activeCellIndex - notebook.widgets.indexOf(cell); // of a whole notebook that runs, only the end is shown
      const scroller = notebook.node.querySelector(".jp-WindowedPanel-outer") || notebook.node;
      if (cell.outputArea && (behind === 0 || behind === 1)) keep(cell.outputArea.node, scroller);
    });
  });
}

window._JUPYTERLAB = window._JUPYTERLAB || {};
window._JUPYTERLAB.fstats = {
  init: (scope) => { offered = scope; },
  get: async () => () => ({ __esModule: true, default: { id: "fstats:hall", autoStart: true, activate } }),
};
