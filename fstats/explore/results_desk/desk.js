// Front end of the desk: takes a table, shows how the table was read, and sends settings; Python computes everything that is shown.
const MOST = 50e6; // largest size of a file, in bytes
const LARGE = 1.5e6; // characters: a longer table is first sent without a comparison, so that its first rows are shown at once
const MOST_KEPT = 4e6; // characters: a longer table is not kept over a reload of the tab

function render({ model, el }) {
  el.classList.add("fstats-explorer", "fstats-desk");
  el.setAttribute("role", "group");
  el.setAttribute("aria-label", "The desk: compare the classifiers in a table");
  el.addEventListener("focusin", ({ target }) => { target.dataset.lmSuppressShortcuts = "true"; }); // otherwise JupyterLab handles the keys
  const id = `fstats-desk-${Math.random().toString(36).slice(2)}`, linked = model.get("linked");
  const part = (tag, name = "", into = el, words = "") => {
    const made = into.appendChild(document.createElement(tag));
    if (name) made.className = name.split(" ").map((one) => `fstats-${one}`).join(" ");
    if (words) made.textContent = words;
    return made;
  };
  const button = (words, into, pressed, name = "act") => {
    const made = part("button", name, into, words);
    made.type = "button";
    made.addEventListener("click", pressed);
    return made;
  };
  const heading = (title, into) => part("h3", "title", into, title).setAttribute("aria-level", "2");
  const section = (name, title) => {
    const made = Object.assign(part("section", `part ${name}`), { hidden: true, tabIndex: -1 });
    heading(title, made);
    return made;
  };
  const folded = (title, into, name = "", style = "") => {
    const made = part("details", name, into);
    part("summary", style, made, title);
    return made;
  };

  // -- the table -----------------------------------------------------------------------------------------------------------------
  const intake = folded("A table", el, "intake", "title");
  intake.open = true;
  const drop = part("div", "drop", intake);
  const input = part("input", "", drop);
  Object.assign(input, { type: "file", id: `${id}-file`, accept: ".csv,.tsv,.txt,.md,.tex,.json,.jsonl,.xlsx,.gz,.arff" });
  part("label", "act", drop, "Choose a file").htmlFor = input.id;
  part("span", "", drop, " or drop it here: scores of classifiers on data sets, or predictions for test records.");
  const paste = part("div", "paste", intake), area = part("textarea", "area", paste);
  Object.assign(area, { rows: 3, placeholder: "or paste cells of a spreadsheet" });
  area.setAttribute("aria-label", "Cells of a spreadsheet");
  button("Compare", paste, () => { if (area.value.trim()) take({ name: "table.csv", text: area.value }); });
  const examples = part("p", "examples", intake, "Or an example: ");
  for (const name of model.get("view").examples) button(name, examples, () => take({ name, example: name }));
  const kept = "This tab keeps the table until it is closed; the link holds the settings, and not the table.";
  part("p", "privacy", intake, `${model.get("privacy")} ${linked ? kept : ""}`);
  const hint = part("p", "asked"); // outside of the intake, which closes when a table has been given
  hint.hidden = true;
  const base64 = (file) => new Promise((done, fail) => {
    const reader = Object.assign(new FileReader(), { onload: () => done(reader.result.split(",")[1] || ""), onerror: () => fail(reader.error) });
    reader.readAsDataURL(file);
  });
  const choose = async ([file]) => {
    if (!file) return;
    if (file.size > MOST) return say(`A file must have at most 50 MB; ${file.name} has ${Math.ceil(file.size / 1e6)} MB.`);
    try { take({ name: file.name, data: await base64(file) }); } catch (error) { say(`The file ${file.name} cannot be read: ${error.message}`); }
  };
  input.addEventListener("change", () => choose(input.files).finally(() => { input.value = ""; }));
  for (const kind of ["dragover", "dragleave", "drop"]) {
    el.addEventListener(kind, (event) => {
      event.preventDefault();
      event.stopPropagation(); // otherwise the page around the desk would also handle the file
      drop.classList.toggle("fstats-over", kind === "dragover");
      if (kind === "drop") choose(event.dataTransfer.files);
    });
    if (linked) document.addEventListener(kind, (event) => event.preventDefault()); // otherwise the browser would open the file in place of the page
  }
  const progress = part("p", "wait"), meter = part("progress", "", progress), stage = part("span", "", progress), seconds = part("span", "", progress);
  meter.setAttribute("aria-label", "computing");
  stage.setAttribute("role", "status");
  seconds.setAttribute("aria-hidden", "true");
  button("Cancel", progress, () => {
    model.stop?.();
    number += 1; // so that a late answer is not shown
    [table, settings] = answered;
    wait("");
    link();
    showReading(shown);
  });
  progress.hidden = true;
  let clock, began;
  const wait = (words, value = 0, delay = 0) => { // show what is being computed, the progress (`value` of 3) and the time; empty words hide the message
    clearTimeout(clock);
    el.setAttribute("aria-busy", String(words !== ""));
    if (!words) { [progress.hidden, began] = [true, 0]; return; }
    began ||= Date.now();
    const show = () => {
      [progress.hidden, stage.textContent, meter.max] = [false, ` ${words}: `, 3];
      if (value) meter.value = value; else meter.removeAttribute("value");
      seconds.textContent = `${Math.round((Date.now() - began) / 1000)} s `;
      clock = setTimeout(show, 1000);
    };
    if (delay) clock = setTimeout(show, delay); else show();
  };
  const error = part("p", "error");
  error.setAttribute("role", "alert");
  const say = (words) => { error.textContent = words; error.hidden = !words; };
  say("");

  // -- sending -------------------------------------------------------------------------------------------------------------------
  let settings = {}, table = {}, answered = [{}, {}], shown = {}, number = 0; // answered: table and settings of the last answer; shown: its view
  let leads = false; // whether to scroll to the answer, because the user has given a table or answered a question
  const stored = () => { try { return JSON.parse(decodeURIComponent(location.hash.slice(1) || "{}")); } catch { return {}; } };
  const take = (given, again = false) => {
    leads = !again;
    table = { ...given, key: `${id}-${number}` };
    settings = linked && !number ? stored() : {}; // a link holds the settings for the first table
    hint.hidden = again || !Object.keys(settings).length;
    hint.textContent = hint.hidden ? "" : "The settings in the link are used for this table. ";
    if (!hint.hidden) button("Use the table without them", hint, () => { [settings, hint.hidden] = [{}, true]; send(); });
    send({ only_table: size() > LARGE });
  };
  const size = () => (table.data || table.text || "").length;
  const place = `fstats desk ${location.pathname}`;
  const put = (given) => { try { sessionStorage.setItem(place, JSON.stringify(given)); return true; } catch { return false; } };
  const keep = () => { // store the table in the tab, or only its name if there is no space for the table
    const { key, ...given } = table;
    if (linked && !(size() <= MOST_KEPT && put(given))) put({ name: table.name });
  };
  const restore = () => { // after a reload, take the table from the tab and the settings from the link
    let given = {};
    try { given = JSON.parse(sessionStorage.getItem(place)) || {}; } catch { /* no storage, or nothing stored */ }
    const linkHolds = Object.keys(stored()).length > 0;
    if (given.text || given.data || given.example) take(given, true);
    else if (given.name) hint.textContent = `Choose ${given.name} again: a table of this size is not kept over a reload. The settings are in the link.`;
    else if (model.get("view").columns) { // the command that opened the desk has given a table; ask for pictures that fit the page
      settings = linkHolds ? stored() : settings;
      send();
    }
    else if (linkHolds) hint.textContent = "This link holds settings: choose the table to which they belong.";
    hint.hidden = !hint.textContent;
  };
  const follow = () => { // a link with settings, opened in the tab that already shows the desk
    const given = stored();
    if (!Object.keys(given).length) return;
    if (!number) return restore();
    [settings, leads] = [given, true];
    send();
  };
  const link = () => {
    const kept = Object.keys(settings).length ? `#${encodeURIComponent(JSON.stringify(settings))}` : location.pathname + location.search;
    if (linked) history.replaceState(null, "", kept);
  };
  const send = (more = {}) => {
    const known = model.get("view").key === table.key; // Python has the table already
    number += 1;
    link();
    model.set("request", { ...(known ? { key: table.key, name: table.name } : table), settings, number, width: width(), ...more });
    model.save_changes();
    const large = size() > LARGE;
    if (!large) wait("Computing", 0, 400);
    else if (more.only_table) wait(`Reading ${Math.ceil(size() / 1.4e6)} MB`, 1);
    else wait("Comparing", 2);
  };
  const change = (group, name, value) => {
    const into = group ? (settings[group] = { ...settings[group] }) : settings;
    if (value === "" || value === null) delete into[name];
    else into[name] = value;
    send();
  };
  const width = () => Math.max(280, el.clientWidth < 900 ? Math.min(640, el.clientWidth - 26) : Math.floor((el.clientWidth - 40) / 2)); // on a wide page, two pictures are side by side

  // -- the parts of the page ------------------------------------------------------------------------------------------------------
  const asked = section("asked", "A question about the table");
  const result = section("result", "Result");
  const conclusion = part("div", "conclusions", result);
  conclusion.setAttribute("aria-live", "polite");
  const pictures = part("div", "desk-pictures", result);
  const reading = section("reading", "How the table is read");
  const which = section("which", "Which test");
  const rest = part("div", "rest");

  const menu = (into, style, group, name, options, value) => { // options: values with their words
    const made = Object.assign(part("select", style, into), { name });
    for (const [, words] of options) part("option", "", made, words);
    made.selectedIndex = Math.max(0, options.findIndex(([one]) => JSON.stringify(one) === JSON.stringify(value)));
    made.addEventListener("change", () => change(group, name, options[made.selectedIndex][0]));
    return made;
  };
  const labelled = (words, into) => {
    const row = part("label", "control", into);
    part("span", "label", row, words);
    return row;
  };
  const refill = (into, filled, fill) => { // fill a section again; a control that had the focus keeps it
    const focused = into.contains(document.activeElement) ? document.activeElement.name : "";
    into.hidden = !filled;
    into.replaceChildren(into.firstChild);
    if (filled) fill();
    if (focused) into.querySelector(`[name="${CSS.escape(focused)}"]`)?.focus();
  };
  const showReading = (view) => refill(reading, view.columns, () => {
    part("p", "", reading, `${view.name}: ${view.size}. The menu above a column says what the column holds.`);
    const box = part("div", "preview", reading), grid = part("table", "", box), head = part("tr", "", part("thead", "", grid));
    Object.assign(box, { tabIndex: 0 }).setAttribute("aria-label", "The first rows of the table");
    for (const { head: name, role, reason, stated } of view.columns) {
      const cell = Object.assign(part("th", "", head), { scope: "col" });
      const roles = [["", stated ? "let the reader decide" : role || "not read yet"], ...view.roles.map((one) => [one, one])];
      const chip = Object.assign(menu(cell, "chip", "roles", name, roles, stated), { title: reason });
      chip.setAttribute("aria-label", `Role of the column ${name || "without a heading"}`);
      part("span", "head", cell, name);
    }
    const body = part("tbody", "", grid);
    for (const row of view.rows) {
      const line = part("tr", "", body);
      for (const cell of row) part("td", "", line, cell);
    }
    for (const [name, words] of view.stated) {
      button(`${words} ✕`, reading, () => change("reading", name, "")).setAttribute("aria-label", `Take back: ${words}`);
    }
    for (const note of view.notes) part("p", "note", reading, note);
  });
  const showQuestion = ({ question }) => refill(asked, question, () => {
    part("p", "", asked, `${question.text}${question.answers.length ? " What is right?" : ""}`).setAttribute("role", "status");
    const row = part("div", "bar", asked);
    for (const { label: words, call, reading: answer, roles, answers } of question.answers) {
      button(words, row, () => {
        for (const [group, given] of Object.entries({ reading: answer, roles, answers })) {
          if (Object.keys(given).length) settings[group] = { ...settings[group], ...given };
        }
        leads = true;
        send();
      }).title = call;
    }
    if (question.choice) part("p", "note", asked, question.choice);
  });
  const showChoice = ({ controls, numbers, facts, advice }) => refill(which, controls, () => {
    if (advice) {
      const line = part("p", "", which);
      part("strong", "", line, advice.test);
      if (advice.name) line.append(" (", part("code", "", line, advice.name), ")");
      line.append(`: ${advice.why}`);
    }
    const grid = part("div", "settings", which);
    for (const { group, name, label, options, value } of controls) menu(labelled(label, grid), "select", group, name, options, value);
    for (const { name, label, value } of numbers) {
      const made = part("input", "number", labelled(label, grid));
      Object.assign(made, { type: "text", inputMode: "decimal", name, value: value ?? "", placeholder: "none" }); // an input of type "number" may not accept "0,1"
      made.addEventListener("change", () => change("", name, made.value.trim()));
    }
    if (!advice) return; // a question about the table is open
    const list = part("ul", "", folded("Why not another test, what to report", which));
    const points = { "From the table": facts, "Also fits": advice.also, "Not recommended": advice.not, "After a rejected H0": advice.after, "To report": advice.report };
    for (const [title, texts] of Object.entries(points)) for (const text of [texts].flat()) if (text) part("li", "", list, `${title}: ${text}`);
  });
  const copy = (text, into, words) => {
    const made = button(words, into, () => navigator.clipboard.writeText(text).then(() => { made.textContent = "Copied"; }, () => { made.textContent = "Select the text to copy it"; }));
  };
  const showResult = (view) => {
    result.hidden = rest.hidden = !view.conclusions;
    result.firstChild.textContent = view.stale ? "Result of the former settings" : "Result";
    if (!view.conclusions) return;
    const told = [...view.conclusions, view.direction].join("<br>");
    if (conclusion.dataset.told !== told) { // otherwise a screen reader would read it again
      conclusion.dataset.told = told;
      conclusion.replaceChildren();
      view.conclusions.forEach((words, k) => { part("p", k ? "" : "conclusion", conclusion).innerHTML = words; });
      if (view.direction) part("p", "note", conclusion, view.direction);
    }
    pictures.replaceChildren();
    view.pictures.forEach((svg, k) => { part("div", "picture", pictures).innerHTML = svg.replace(/(id="|url\(#)hatch/g, `$1${id}-${k}-hatch`); });
    const open = [...rest.querySelectorAll("details")].map((one) => one.open);
    rest.replaceChildren();
    const block = (title, name = "") => (heading(title, rest), part("div", `work ${name}`.trim(), rest));
    block("Ranking").innerHTML = view.ranking;
    block("Steps").innerHTML = view.steps;
    const paragraph = block("Paragraph for a paper");
    part("p", "paragraph", paragraph, view.paragraph);
    copy(view.paragraph, paragraph, "Copy");
    for (const work of view.references) part("p", "note", paragraph, `Reference: ${work}`);
    const threats = block("Threats to this conclusion", "threats"), list = part("ul", "", threats);
    if (!view.threats.length) part("li", "", list, "Nothing was found in this table.");
    for (const threat of view.threats) part("li", "", list).innerHTML = threat;
    if (view.multiverse) part("div", "multiverse", threats).innerHTML = view.multiverse;
    else if (view.can_multiverse) button("All recommended analyses (multiverse)", threats, () => send({ multiverse: true }));
    if (!view.stale) { // the files would be those of the new settings, which have no result
      const files = block("Download"), bar = part("div", "bar", files);
      for (const name of view.files) button(name, bar, () => send({ file: name }));
      const python = folded("The same in Python", files);
      part("pre", "code", python, view.code).tabIndex = 0;
      copy(view.code, python, "Copy");
    }
    rest.querySelectorAll("details").forEach((one, k) => { one.open = open[k] || false; });
    reachable();
  };
  const reachable = () => { // make parts that scroll reachable by the keyboard
    for (const box of [...pictures.children, ...rest.querySelectorAll(".fstats-work, .fstats-work div")]) {
      if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  rest.addEventListener("toggle", reachable, true);
  const save = ({ name, data }) => {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0)), link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  const show = () => {
    const view = model.get("view");
    if (view.number && view.number < number) return; // an answer to a later request follows
    if (view.needs && table.key) return send(); // Python was restarted: the table is sent again
    say([view.error, view.stale].filter(Boolean).join(" "));
    if (view.only_table) { // the first rows; the result follows
      showReading(view);
      send();
      return;
    }
    wait("");
    if (view.refused || (view.error && !view.columns && shown.columns)) { // the file is no table: the former table and its result stay
      [table, settings] = answered;
      link();
      showChoice(shown); // reset the controls to the former settings
      return;
    }
    if (view.error && Object.keys(settings).length) button("Forget all settings", (error.append(" "), error), () => { settings = {}; send(); });
    settings = view.columns ? { ...view.settings } : settings;
    [answered, shown] = [[table, settings], view];
    if (table.key) keep();
    if (view.file) { save(view.file); return; }
    const inside = el.contains(document.activeElement);
    if (view.columns && intake.contains(document.activeElement)) intake.firstChild.focus({ preventScroll: true });
    if (view.columns) [intake.open, intake.firstChild.textContent] = [false, "Another table"];
    showReading(view);
    showQuestion(view);
    showChoice(view);
    showResult(view);
    const news = asked.hidden ? result : asked;
    if (news.hidden || !(leads || (inside && !el.contains(document.activeElement)))) return; // move the focus only to what the user asked for, or if the pressed button is gone
    news.focus({ preventScroll: true });
    const { top } = news.getBoundingClientRect();
    if (leads && (top < 0 || top > innerHeight / 3)) news.scrollIntoView();
    leads = false;
  };
  model.on("change:view", show);
  show();
  if (linked) restore();
  if (linked) addEventListener("hashchange", follow);
  return () => { clearTimeout(clock); removeEventListener("hashchange", follow); model.off("change:view", show); };
}

export default { render };
