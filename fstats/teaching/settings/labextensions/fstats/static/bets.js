// Bets for a reader alone: what answers a bet is covered until the reader chooses. Used by JupyterLab (hall.js) and by the site (site.js).
//
// `bets` lists for each bet the element `asked` with its question, the element `answer` with its folded answer, and the covered parts;
// `hide(part, covered)` covers or uncovers one part. The result is a function that uncovers the parts for which a test is true.
globalThis.fstatsBets = (bets, hide) => {
  const made = (tag, words, about) => Object.assign(document.createElement(tag), { textContent: words }, about);
  const refresh = () => { // a part may belong to several bets
    const covered = new Set(bets.flatMap((bet) => (bet.open ? [] : bet.covered)));
    for (const part of new Set(bets.flatMap((bet) => bet.covered))) hide(part, covered.has(part));
  };
  const open = (bet, choice) => { // choice: the number of a choice, a number as text, null without a bet, undefined after a link
    if (bet.open) return;
    Object.assign(bet, { open: true, choice });
    const focused = bet.note.contains(document.activeElement);
    bet.note.remove();
    refresh();
    look(bet);
    if (focused) bet.answer.querySelector("summary")?.focus({ preventScroll: true });
  };
  const dress = (bet, list) => { // the choices become radio buttons
    list.className += " fstats-choices";
    list.dataset.lmSuppressShortcuts = true; // keys belong to the choices, not to JupyterLab
    list.setAttribute("role", "radiogroup");
    list.setAttribute("aria-label", "Your bet");
    [...list.children].forEach((item, k, items) => {
      item.setAttribute("role", "radio");
      item.addEventListener("click", () => open(bet, k));
      item.addEventListener("keydown", (event) => {
        const way = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
        if (way) items.at((k + way) % items.length).focus();
        else if (!event.shiftKey && (event.key === "Enter" || event.key === " ")) open(bet, k); // Shift + Enter runs cells
        else return;
        event.preventDefault();
      });
    });
  };
  const look = (bet) => { // JupyterLab may render a cell late, and again
    const list = bet.asked.querySelector("ul"), details = bet.answer.closest("details") || bet.answer.querySelector("details");
    if (list && list.role !== "radiogroup") dress(bet, list);
    if (list && bet.open) delete list.dataset.lmSuppressShortcuts; // Shift + Enter goes on
    [...(list?.children || [])].forEach((item, k) => {
      item.tabIndex = bet.open || k ? -1 : 0;
      item.ariaChecked = k === bet.choice;
      item.ariaDisabled = Boolean(bet.open);
    });
    if (!bet.open || bet.choice === undefined || !details || details.matches(".fstats-answered")) return;
    details.classList.add("fstats-answered");
    details.open = true;
    if (bet.choice === null) return;
    const told = made("strong", list ? "You chose: " : `You bet ${bet.choice}.`, { className: "fstats-chosen" });
    if (list) {
      const chosen = list.children[bet.choice];
      told.append(...(chosen.querySelector(":scope > p") || chosen).cloneNode(true).childNodes);
      details.querySelectorAll("li")[bet.choice].prepend(told);
    } else details.querySelector("summary").after(told);
    told.scrollIntoView({ block: "nearest" });
  };
  const note = (bet) => { // below the question
    const show = made("button", "Show the answer without betting", { type: "button", onclick: () => open(bet, null) });
    const what = made("div", "", { className: "fstats-note" });
    what.dataset.lmSuppressShortcuts = true;
    if (bet.number) {
      const form = made("form", ""), label = form.appendChild(made("label", "Your number "));
      const field = label.appendChild(made("input", "", { type: "number", step: "any", required: true }));
      form.append(" ", made("button", "Bet"));
      form.addEventListener("submit", (event) => { event.preventDefault(); open(bet, field.value); });
      field.addEventListener("keydown", (event) => { // JupyterLab keeps Enter from forms
        if (event.key !== "Enter") return;
        event.preventDefault();
        form.requestSubmit();
      });
      what.append(form);
    }
    what.append(made("span", "The part of the lesson that tells the answer is covered until you choose. "), show);
    return what;
  };
  for (const bet of bets) {
    bet.asked.append(bet.note = note(bet));
    look(bet);
    for (const part of [bet.asked, bet.answer]) new MutationObserver(() => look(bet)).observe(part, { childList: true, subtree: true });
  }
  refresh();
  return (test) => bets.forEach((bet) => bet.covered.some(test) && open(bet));
};
document.head.append(Object.assign(document.createElement("style"), { textContent: `
  ul.fstats-choices { list-style: none; padding: 0 !important; margin: 0.6em 0; }
  .fstats-choices > li { margin: 0.35em 0; padding: 0.35em 0.8em; border: 1px solid #7a7f87; border-radius: 6px; cursor: pointer; }
  .fstats-choices > :is(:hover, :focus-visible, [aria-checked=true]) { outline: 2px solid #2b7bd6; outline-offset: -1px; }
  .fstats-choices > [aria-disabled=true] { cursor: default; }
  .fstats-choices > :not([aria-checked=true])[aria-disabled=true] { outline: none; border-color: transparent; }
  .fstats-choices p { margin: 0 !important; }
  .fstats-chosen { display: block; }
  .fstats-note { margin: 0.6em 0; font-style: italic; }
  .fstats-note :is(button, input) { font: inherit; font-style: normal; color: inherit; background: none; padding: 0.2em 0.7em; }
  .fstats-note :is(button, input) { border: 1px solid #7a7f87; border-radius: 6px; }
  .jp-Cell > .fstats-note { margin-left: calc(var(--jp-cell-prompt-width) + var(--jp-cell-collapser-width) + 6px); }
  @media (max-width: 760px) { .jp-Cell > .fstats-note { margin-left: 14px; } }
  .fstats-note form { margin: 0.6em 0; font-style: normal; }
  .fstats-note input { width: 7em; }
  @media screen { .fstats-covered[hidden] { content-visibility: hidden; margin: 0 !important; padding: 0 !important; border: 0; } }
  @supports (content-visibility: hidden) { .fstats-covered[hidden] { display: block !important; } }
  @media print { .fstats-note { display: none; } }
  @media print { .fstats-covered[hidden] { display: block !important; content-visibility: visible !important; } }
` }));
