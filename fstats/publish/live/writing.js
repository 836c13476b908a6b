// Code as it is written: coloured like the pages, and indented.  What is coloured are places in the text, so the browser's undo stays whole.
// WORDS (Python's keywords and builtins) stands above.
const KINDS = { k: "keyword", s1: "string", mi: "number", o: "operator", c1: "comment", nb: "builtin", nf: "defined" }; // a class of pages each
const PLACES = "Highlight" in window && CSS.highlights
  ? Object.fromEntries(Object.values(KINDS).map((kind) => [kind, new Highlight()])) : null;
const TOKENS = new RegExp([
  /(?<comment>#.*)/, /(?<string>\b[rbf]{1,2}(?=["'])|(?="""|'''|["']))(?<quote>"""|'''|["'])/,
  /(?<number>(?<![\w.])(?:0[xob][\da-f_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?\d+)?)j?)/,
  /(?<defined>(?<=\b(?:def|class)\s+)\w+)/, /(?<word>(?<!\.)[A-Za-z_]\w*)/, /(?:[A-Za-z_]\w*)/, /(?<operator>[-+*/%@&|^~<>=!.]+|:=)/,
].map((one) => one.source).join("|"), "giu");

const tokens = (text, from = 0, to = text.length) => { // [kind, start, end] of all that has a colour
  const found = [], seen = new RegExp(TOKENS), put = (kind, start, end) => { if (end > start) found.push([kind, start, end]); };
  seen.lastIndex = from;
  for (let one; (one = seen.exec(text)) && one.index < to;) {
    const { comment, quote, string, number, defined, word, operator } = one.groups, end = seen.lastIndex;
    if (comment) put("comment", one.index, end);
    else if (quote) {
      const close = closed(text, end, quote, to);
      found.push(...(/f/i.test(string) ? filled(text, one.index, end, close) : [["string", one.index, close]]));
      seen.lastIndex = close;
    } else if (number) put("number", one.index, end);
    else if (defined) put("defined", one.index, end);
    else if (word && WORDS.keywords.includes(word)) put("keyword", one.index, end);
    else if (word && WORDS.builtins.includes(word)) put("builtin", one.index, end);
    else if (operator) put("operator", one.index, end);
  }
  return found;
};
const closed = (text, from, quote, to) => { // where a string ends; one that does not ends with its line, or with the cell
  for (let at = from; at < to; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (text[at] === "\n" && quote.length === 1) return at;
  }
  return to;
};
const filled = (text, start, from, end) => { // a string with places for values, which are code
  const found = [];
  let begin = start;
  for (let at = from; at < end; at += 1) {
    if (text[at] !== "{" || text[at + 1] === "{") {
      if (text[at] === "{") at += 1;
      continue;
    }
    let depth = 1, stop = at + 1;
    const ends = () => (depth === 1 && (text[stop] === ":" || (text[stop] === "!" && text[stop + 1] !== "="))) || !depth;
    for (; stop < end; stop += 1) {
      depth += "([{".includes(text[stop]) - ")]}".includes(text[stop]);
      if (ends()) break;
    }
    found.push(["string", begin, at + 1], ...tokens(text, at + 1, stop));
    begin = at = stop;
  }
  return [...found, ["string", begin, end]];
};

const colours = () => { // those of the page's theme
  const box = document.body.appendChild(made("div", "highlight")), rules = [];
  box.hidden = true;
  for (const [name, kind] of Object.entries(KINDS)) {
    rules.push(`::highlight(fstats-${kind}) { color: ${getComputedStyle(box.appendChild(made("span", name))).color}; }`);
  }
  box.remove();
  return rules.join("\n");
};
const coloured = (code) => { // colours it now and whenever it changes
  if (!PLACES) return;
  code.textContent = code.textContent.replace(/\n$/, ""); // one text without the classes of the page
  let mine = [];
  const paint = () => {
    for (const [kind, place] of mine) PLACES[kind].delete(place);
    const parts = [], walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    let length = 0;
    for (let node; (node = walker.nextNode()); length += node.data.length) parts.push([length, node]);
    const at = (place) => { // the part of the text in which a place lies
      const [start, node] = parts.findLast(([begin]) => begin <= place);
      return [node, Math.min(place - start, node.data.length)];
    };
    mine = tokens(parts.map(([, { data }]) => data).join("")).map(([kind, start, end]) => {
      const range = new Range();
      range.setStart(...at(start));
      range.setEnd(...at(end));
      PLACES[kind].add(range);
      return [kind, range];
    });
  };
  code.addEventListener("input", paint);
  paint();
};
if (PLACES) {
  for (const [kind, places] of Object.entries(PLACES)) CSS.highlights.set(`fstats-${kind}`, places);
  const style = document.head.appendChild(made("style", "")), dress = () => { style.textContent = colours(); };
  new MutationObserver(dress).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  dress();
}

const indented = (code) => { // Enter goes on where the line began, a step further after a colon; Backspace takes a step back
  code.addEventListener("keydown", (event) => {
    const { key, shiftKey, ctrlKey, metaKey, isComposing } = event;
    if (shiftKey || ctrlKey || metaKey || isComposing || !["Enter", "Backspace"].includes(key)) return;
    const selection = getSelection(), until = selection.getRangeAt(0).cloneRange();
    if (key === "Backspace" && !selection.isCollapsed) return;
    until.setStart(code, 0);
    const line = until.toString().split("\n").at(-1), step = " ".repeat(4);
    if (key === "Backspace" && (line.trim() || line.length < 2)) return;
    event.preventDefault();
    if (key === "Enter") document.execCommand("insertText", false, `\n${line.match(/^ */)[0]}${/:\s*(#.*)?$/.test(line) ? step : ""}`);
    else for (let k = (line.length - 1) % step.length + 1; k; k -= 1) document.execCommand("delete");
  });
};
