// Files that a student drops on the page or chooses: cells find these files in the working folder. The files never leave the browser, which
// stores the files for the page until the student deletes them; slide decks store no files.
const MOST = 50e6; // largest size of a file, in bytes
const own_files = new Map(); // name -> content in Base64; a restarted Python gets the files again
const hand = () => Promise.all([...own_files].map(([name, data]) => engine.ask({ do: "file", name, data })));
const takes = (place) => {
  const line = place.appendChild(made("p", "fstats-run fstats-files")), input = made("input", "");
  const button = line.appendChild(Object.assign(made("button", "fstats-act", "Add a file (CSV)"), { type: "button" }));
  const told = line.appendChild(made("span", "fstats-told"));
  told.setAttribute("role", "status");
  const take = async (files) => {
    for (const file of files) {
      if (file.size > MOST) {
        told.textContent = `A file must have at most ${megabytes(MOST)} MB; ${file.name} has ${megabytes(file.size)} MB.`;
        return;
      }
      const letters = await new Promise((done) => {
        const reader = Object.assign(new FileReader(), { onload: () => done(reader.result.split(",")[1] || "") });
        reader.readAsDataURL(file);
      });
      own_files.set(file.name, letters);
      if (!DECK) stores((_, __, ___, kept) => { kept.put({ name: file.name, letters }, [location.pathname, file.name]); }).catch(unkept);
      if (state === "here") await hand();
    }
    say();
  };
  const say = () => {
    const names = [...own_files.keys()], last = JSON.stringify(names.at(-1));
    told.textContent = `${names.join(", ")}: use the file in a cell, for example from fstats import PairedT, apply_test; apply_test(PairedT, ${last})`;
  };
  if (!DECK) {
    stores((_, __, ___, kept) => kept.getAll(partsOf(location.pathname))).then((found) => {
      for (const { name, letters } of found) if (!own_files.has(name)) own_files.set(name, letters);
      if (found.length) say();
    }).catch(() => {});
  }
  Object.assign(input, { type: "file", multiple: true, hidden: true, accept: ".csv,.tsv,.txt,.json" });
  input.addEventListener("change", () => take(input.files));
  button.addEventListener("click", () => input.click());
  line.appendChild(input);
  document.addEventListener("dragover", (event) => event.preventDefault()); // otherwise the browser leaves the page and shows the file
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    take([...event.dataTransfer.files].filter(({ name }) => !name.endsWith(".ipynb")));
  });
};
