// What was typed stays in this browser, and leaves it as the notebook that a lecturer marks.
const opened = new Promise((done, fail) => {
  const asked = indexedDB.open("fstats", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("pages");
  asked.onsuccess = () => done(asked.result);
  asked.onerror = () => fail(asked.error);
});
const stores = async (mode, does) => {
  const store = (await opened).transaction("pages", mode).objectStore("pages"), asked = does(store);
  return new Promise((done, fail) => {
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => fail(asked.error);
  });
};
const notes = async (script) => {
  const { name, ids, notebook } = await unpack(script.textContent), given = cells.map(source);
  const words = [...document.querySelectorAll("textarea.fstats-words")], place = location.pathname;
  const typed = () => Object.fromEntries([
    ...cells.map((cell, k) => [ids[k], source(cell)]).filter(([, text], k) => text !== given[k]),
    ...words.filter(({ value }) => value.trim()).map(({ dataset, value }) => [dataset.cell, value]),
  ]);
  const before = (await stores("readonly", (store) => store.get(place)).catch(() => null)) || {};
  cells.forEach(({ box, code }, k) => {
    if (!(ids[k] in before)) return;
    code.write(before[ids[k]]);
    box.dataset.state = "edited";
  });
  for (const area of words) area.value = before[area.dataset.cell] || "";
  let waits;
  const save = () => {
    clearTimeout(waits);
    waits = setTimeout(() => stores("readwrite", (store) => store.put(typed(), place)).catch(() => {}), 300);
  };
  for (const one of [...cells.map(({ code }) => code), ...words]) one.addEventListener("input", save);

  const line = made("p", "fstats-run fstats-notes");
  const button = (label, does) => {
    const one = line.appendChild(Object.assign(made("button", "fstats-act", label), { type: "button" }));
    one.addEventListener("click", does);
  };
  button("Download my notebook", () => {
    const texts = typed(), copy = structuredClone(notebook);
    for (const cell of copy.cells) if (cell.id in texts) cell.source = texts[cell.id];
    const link = Object.assign(document.createElement("a"), {
      download: name,
      href: URL.createObjectURL(new Blob([`${JSON.stringify(copy, null, 1)}\n`], { type: "application/x-ipynb+json" })),
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  button("Forget what I typed", async () => {
    clearTimeout(waits);
    await stores("readwrite", (store) => store.delete(place));
    location.reload();
  });
  script.replaceWith(line);
};
if (CAN) document.querySelectorAll("script.fstats-notebook").forEach(notes);
