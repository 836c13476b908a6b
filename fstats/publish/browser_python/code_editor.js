// Code editor: a text field over a coloured copy of the code. The text field is a native field with undo, selection and keyboard.
// WORDS (Python's keywords and builtins) is defined before this script (site_files.py).
const KINDS = { keyword: "k", string: "s1", number: "mi", operator: "o", comment: "c1", builtin: "nb", defined: "nf" }; // token -> CSS class of Pygments
const TOKENS = new RegExp([
  /(?<comment>#.*)/, /(?<string>\b[rbf]{1,2}(?=["'])|(?="""|'''|["']))(?<quote>"""|'''|["'])/,
  /(?<number>(?<![\w.])(?:0[xob][\da-f_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?\d+)?)j?)/,
  /(?<defined>(?<=\b(?:def|class)\s+)\w+)/, /(?<word>(?<!\.)[A-Za-z_]\w*)/, /(?:[A-Za-z_]\w*)/, /(?<operator>[-+*/%@&|^~<>=!.]+|:=)/,
].map((one) => one.source).join("|"), "giu");

const tokens = (text, from = 0, to = text.length) => { // [kind, start, end] of each coloured token
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
const closed = (text, from, quote, to) => { // end of a string; an unclosed string ends with its line or with the cell
  for (let at = from; at < to; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (text[at] === "\n" && quote.length === 1) return at;
  }
  return to;
};
const filled = (text, start, from, end) => { // an f-string, whose values are code
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

const STEP = " ".repeat(4);
const indent = (event) => { // Enter keeps the indentation, and increases it after a colon; Backspace decreases it
  const { key, shiftKey, ctrlKey, metaKey, isComposing, target: { value, selectionStart, selectionEnd } } = event;
  if (shiftKey || ctrlKey || metaKey || isComposing || !["Enter", "Backspace"].includes(key)) return;
  const line = value.slice(0, selectionStart).split("\n").at(-1), back = ((line.length - 1) % STEP.length) + 1;
  if (key === "Backspace" && (selectionStart !== selectionEnd || line.trim() || line.length < 2)) return;
  event.preventDefault();
  if (key === "Enter") document.execCommand("insertText", false, `\n${line.match(/^ */)[0]}${/:\s*(#.*)?$/.test(line) ? STEP : ""}`);
  else for (let k = 0; k < back; k += 1) document.execCommand("delete");
};
const field = (copy) => { // replace the code by the field over the coloured copy
  const area = made("textarea", "fstats-field"), both = made("div", "fstats-code");
  const paint = () => {
    const text = area.value, parts = [];
    let at = 0;
    for (const [kind, start, end] of tokens(text)) {
      parts.push(text.slice(at, start), made("span", KINDS[kind], text.slice(start, end)));
      at = end;
    }
    copy.replaceChildren(...parts, `${text.slice(at)}\n`);
  };
  area.value = copy.textContent.replace(/\n$/, "");
  Object.assign(area, { spellcheck: false, autocapitalize: "off", rows: 1 });
  area.setAttribute("autocorrect", "off");
  copy.setAttribute("aria-hidden", "true");
  copy.replaceWith(both);
  both.append(copy, area);
  area.addEventListener("keydown", indent);
  area.addEventListener("input", paint);
  area.write = (text) => {
    area.value = text;
    paint();
  };
  paint();
  return area;
};
