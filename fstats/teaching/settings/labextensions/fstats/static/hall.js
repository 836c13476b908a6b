// What `fstats lab` adds to JupyterLab, which no setting of it says: it opens with the file browser away, and what a cell has
// just shown is wholly in view.  The last lines are the form in which JupyterLab loads an extension that is built already.
let offered; // the libraries that JupyterLab shares with extensions

function activate({ shell }) {
  const told = JSON.parse(document.getElementById("jupyter-config-data").textContent);
  document.documentElement.classList.toggle("fstats-lecture", told.fstatsLecture === "true"); // custom.css says what follows from it
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
