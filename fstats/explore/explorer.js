// Native range inputs: they have a name, a value in words and the keyboard without further help.
function render({ model, el }) {
  el.classList.add("fstats-explorer");
  el.setAttribute("role", "group");
  el.setAttribute("aria-label", model.get("name"));
  const part = (tag, name, into = el) => {
    const made = into.appendChild(document.createElement(tag));
    made.className = `fstats-${name}`;
    return made;
  };
  const panel = part("div", "controls");
  const conclusion = part("p", "conclusion");
  conclusion.setAttribute("aria-live", "polite");
  const pictures = part("div", "pictures");
  const work = part("div", "work");
  const id = `fstats-${Math.random().toString(36).slice(2)}`;
  const sliders = {};

  let presses = 0;
  const send = (name, position) => {
    const positions = model.get("positions");
    presses = Math.max(presses, positions.presses || 0) + 1;
    model.set("positions", { ...positions, [name]: position, presses });
    model.save_changes();
  };
  const slider = (control) => {
    const row = document.createElement("div");
    row.className = "fstats-control";
    const label = part("label", "label", row);
    const input = part("input", "slider", row);
    const text = part("output", "text", row);
    Object.assign(input, { type: "range", step: 1, id: `${id}-${control.name}` });
    input.name = control.name;
    input.dataset.lmSuppressShortcuts = "true"; // or JupyterLab takes the arrow keys for itself
    label.htmlFor = text.htmlFor = input.id;
    label.textContent = control.label;
    input.addEventListener("input", () => send(control.name, input.valueAsNumber));
    panel.insertBefore(row, again);
    return (sliders[control.name] = { input, text });
  };
  const again = part("button", "again", panel);
  again.type = "button";
  again.textContent = "Start again";
  again.addEventListener("click", () => send("reset", (model.get("positions").reset || 0) + 1));

  const show = () => {
    const view = model.get("view");
    const answered = view.presses >= presses; // or the slider has moved on meanwhile: putting it back would lose presses
    for (const control of view.controls) {
      const { input, text } = sliders[control.name] || slider(control);
      input.min = control.least;
      input.max = control.most;
      if (answered && input.valueAsNumber !== control.value) input.value = control.value;
      input.setAttribute("aria-valuetext", control.text);
      text.textContent = control.text;
    }
    // Hatches have a name; two explorers on a page must not share it, or the one behind the other's hidden picture loses its own.
    pictures.innerHTML = view.pictures.join("").replace(/(id="|url\(#)hatch/g, `$1${id}-hatch`);
    work.innerHTML = view.work;
    if (conclusion.textContent !== view.conclusion) conclusion.textContent = view.conclusion;
  };
  model.on("change:view", show);
  show();
  return () => model.off("change:view", show);
}

export default { render };
