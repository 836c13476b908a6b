// A student's answers: they are stored in this browser, downloaded as the notebook that a lecturer marks, and restored from a notebook.
const title = ({ cells: every }) => every.map((cell) => /^# (.+)$/m.exec(cell.source)?.[1]).find(Boolean) || "a notebook without a title";
const read = async (file) => { // read a notebook file and join its source lines; null if the file is not a notebook
  try {
    const found = JSON.parse(await file.text());
    for (const cell of found.cells) {
      cell.source = [cell.source].flat().join("");
      if (cell.outputs) cell.outputs = cell.outputs.filter((one) => one.output_type);
    }
    return found.nbformat === 4 && found.cells.length ? found : null;
  } catch {
    return null;
  }
};
const notes = async (script) => {
  const { name, ids, questions, notebook } = await unpack(script.textContent), place = location.pathname;
  let book = { name, notebook };
  const kept = new Map(), given = new Map(); // by cell id: the stored state, and the text in the notebook
  const ours = new Set(notebook.cells.map(({ id }) => id)), own = []; // ids of the page's cells; cells that only an opened notebook has
  const named = made("span", "fstats-told");

  // -- input fields of the page ------------------------------------------------------------------------------------------------------------
  const typing = new Map(), enter = (id, cell) => typing.set(id, {
    element: cell.code, cell, read: () => source(cell), write: (text) => { cell.code.write(text); },
  });
  cells.forEach((cell, k) => enter(ids[k], cell));
  for (const area of document.querySelectorAll("textarea.fstats-words")) {
    const empty = notebook.cells.find(({ id }) => id === area.dataset.cell).source;
    typing.set(area.dataset.cell, {
      element: area, read: () => (area.value.trim() ? area.value : empty), write: (text) => { area.value = text === empty ? "" : text; },
    });
  }
  const write = (id, text) => {
    const { cell, write: put } = typing.get(id);
    put(text);
    if (cell) cell.box.dataset.state = "edited";
  };
  const adopt = (other) => { // show an opened notebook: its texts, and its outputs as plain text, because HTML of others is unsafe
    book = other;
    named.textContent = `Open: ${book.name}`;
    for (const id of own.splice(0)) {
      const { cell } = typing.get(id);
      typing.delete(id);
      cells.splice(cells.indexOf(cell), 1);
      cell.box.remove();
    }
    let above = cells[0]; // the page's cell after which an additional cell is inserted
    for (const { id, cell_type: kind, source: text, outputs = [] } of book.notebook.cells) {
      if (id && kind === "code" && !ours.has(id) && text.trim()) {
        enter(id, added(above));
        own.push(id);
        listen(id);
      }
      if (!typing.has(id)) continue;
      above = typing.get(id).cell || above;
      write(id, text);
      const { cell, read: now } = typing.get(id);
      given.set(id, now());
      delete cell?.box.dataset.state;
      if (cell && questions) restored(cell.out, outputs, ["image/png", "text/plain"]);
    }
  };

  // -- storing, and other tabs of the page -------------------------------------------------------------------------------------------------
  const waiting = new Set(), others = new BroadcastChannel(`fstats ${place}`);
  let waits;
  const save = () => {
    clearTimeout(waits);
    const some = [...waiting].map((id) => kept.get(id));
    waiting.clear();
    const put = (change) => stores((store) => some.forEach((one) => { store.put({ ...one, ...change }, [place, one.id]); }));
    return some.length ? put().catch(() => put({ outputs: undefined })).catch(unkept) : undefined; // without space for the outputs, store only the answers
  };
  const note = (id, news) => {
    kept.set(id, { id, ...kept.get(id), ...news });
    waiting.add(id);
    clearTimeout(waits);
    waits = setTimeout(save, 300);
  };
  const listen = (id) => {
    const { element, cell, read: now } = typing.get(id);
    element.addEventListener("input", () => {
      const text = now() === given.get(id) ? undefined : now();
      note(id, { text });
      others.postMessage({ id, text });
    });
    cell?.box.addEventListener("fstats-ran", ({ detail }) => {
      note(id, detail);
      if (questions && detail.outputs.length) count().catch(() => {}); // Python may have been stopped meanwhile
    });
  };
  others.onmessage = ({ data: { said, id, text } }) => {
    if (said === "hello") others.postMessage({ said: "here" });
    if (said === "here") notice("tabs", "This page is also open in another tab. Both tabs show the same answers.");
    if (said === "anew") {
      waiting.clear();
      location.reload();
    }
    if (said === "bye") {
      notice("tabs");
      others.postMessage({ said: "hello" });
    }
    if (!typing.has(id)) return;
    kept.set(id, { id, ...kept.get(id), text });
    write(id, text ?? given.get(id));
  };

  // -- restoring the page ------------------------------------------------------------------------------------------------------------------
  for (const [id, one] of typing) {
    given.set(id, one.read());
    listen(id);
  }
  const before = await stores((store) => store.getAll(partsOf(place))).catch(() => { unkept(); return []; });
  const taken = await stores((_, notebooks) => notebooks.get(place)).catch(() => null);
  if (taken) adopt(taken);
  for (const { id, text, outputs, count } of before) {
    if (!typing.has(id)) continue; // a cell of another build: it stays in the storage
    kept.set(id, { id, text, outputs, count });
    if (text !== undefined) write(id, text);
    if (outputs?.length) restored(typing.get(id).cell.out, outputs);
  }
  others.postMessage({ said: "hello" });
  addEventListener("pagehide", () => {
    save();
    others.postMessage({ said: "bye" });
  });

  // -- download and upload -----------------------------------------------------------------------------------------------------------------
  const filled = () => {
    const copy = structuredClone(book.notebook);
    for (const cell of copy.cells) {
      const { text, outputs, count: number } = kept.get(cell.id) || {};
      if (text !== undefined) cell.source = text;
      if (outputs) Object.assign(cell, { outputs, execution_count: number });
    }
    return copy;
  };
  const count = async () => { // Python counts the right answers
    const { right, of, marks } = await engine.ask({ do: "stand", cells: filled().cells });
    await stores((_, __, progress) => progress.put({ right, of, marks }, place)).catch(unkept);
  };
  const download = () => {
    const link = Object.assign(document.createElement("a"), {
      download: book.name,
      href: URL.createObjectURL(new Blob([`${JSON.stringify(filled(), null, 1)}\n`], { type: "application/x-ipynb+json" })),
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const emptied = (other) => stores((store, notebooks, progress, files) => { // delete all answers, and start from the page or from another notebook
    waiting.clear();
    store.delete(partsOf(place));
    progress.delete(place);
    if (other) notebooks.put(other, place);
    else {
      notebooks.delete(place);
      files.delete(partsOf(place));
    }
  }).then(() => others.postMessage({ said: "anew" }));
  const typed = () => [...kept.values()].some(({ text }) => text !== undefined);
  const refused = (file, theirs) => { // the reason why a file cannot be opened on this page; empty if it can
    if (!theirs) {
      return "The file must be a notebook, whose name ends in .ipynb; "
        + `${file.name} cannot be read as a notebook. Choose the notebook that you were given or that you downloaded here.`;
    }
    const there = new Set(theirs.cells.map(({ id }) => id));
    if (ids.filter((id) => there.has(id)).length * 2 > ids.length) return "";
    const same = title(theirs) === title(notebook);
    const advice = same ? "with other cells: copy your answers into this page by hand" : "which has its own page: open the file there";
    return `This page is for “${title(notebook)}”; ${file.name} is “${title(theirs)}”, ${advice}.`;
  };
  const take = async (file) => {
    const theirs = await read(file), why = refused(file, theirs), other = { name: file.name, notebook: theirs };
    notice("file");
    if (why) return notice("file", why);
    const question = `${file.name} replaces your answers on this page. Download your notebook first if you want to keep them.`;
    if (typed() && !window.confirm(`${question} Open ${file.name}?`)) return;
    await emptied(other).catch(unkept);
    kept.clear();
    adopt(other);
    anew("Another notebook was opened.");
    notice("file", `${file.name} is open: this page shows its answers and checks with its data.`);
  };

  const chooser = Object.assign(document.createElement("input"), { type: "file", accept: ".ipynb", hidden: true });
  chooser.addEventListener("change", () => {
    if (chooser.files.length) take(chooser.files[0]);
    chooser.value = "";
  });
  document.addEventListener("drop", (event) => { // student_files.js prevents the browser from leaving the page
    const file = [...event.dataTransfer.files].find(({ name: dropped }) => dropped.endsWith(".ipynb"));
    if (file) take(file);
  });
  const line = made("p", "fstats-run fstats-notes");
  const button = (box, label, does) => {
    const one = box.appendChild(Object.assign(made("button", "fstats-act", label), { type: "button" }));
    one.addEventListener("click", does);
  };
  button(line, "Download my notebook", download);
  button(line, "Open my notebook", () => chooser.click());
  button(line, "Delete my answers", async () => {
    const question = "Delete your answers on this page, the notebook that you opened and the files that you added?";
    if ((typed() || own_files.size || book.notebook !== notebook) && !window.confirm(question)) return;
    await emptied().catch(() => {});
    kept.clear();
    location.reload();
  });
  line.append(chooser, named);
  script.replaceWith(line);
  if (questions) button(document.querySelector(".fstats-files"), "Open my notebook", () => chooser.click()); // also at the top of the page
};
if (CAN) document.querySelectorAll("script.fstats-notebook").forEach(notes);
