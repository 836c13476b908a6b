// A deck in a room: it tells the server which question its slide asks (data-poll) and whether the answer is seen, draws the address for
// phones on that slide, and on a key the votes: beside the choices, or as a picture of the numbers.
(() => {
  const { own, move } = document.currentScript.dataset; // the cell of the room's own numbers; the page that phones may move
  const follows = /[?&]receiver\b/.test(location.search); // a picture of the deck in the speaker's window leads nobody
  const made = (kind, className, html = "") => Object.assign(document.createElement(kind), { className, innerHTML: html });
  document.head.appendChild(made("style", "", `
    .fstats-join { float: right; width: 230px; margin: 0 0 8px 24px; font-size: 22px; line-height: 1.25; text-align: center; overflow-wrap: anywhere; }
    .fstats-join img { display: block; width: 200px; height: 200px; margin: 0 auto 6px; } .fstats-join button { font: inherit; padding: 4px 14px; }
    .fstats-votes:has(svg) { min-height: 240px; } .fstats-chart svg { display: block; max-width: 100%; height: auto; }
    [data-poll] ol { list-style: upper-alpha; } [data-poll] ol:first-of-type { overflow: hidden; padding-left: 1.6em; list-style-position: outside; }
    [data-poll] .cell { display: flow-root; } /* code stands beside the address, not under it */
    .fstats-count { font-weight: 700; white-space: nowrap; padding-left: 0.6em; }
    .fstats-right { outline: 3px solid #00734f; outline-offset: -3px; } .fstats-join b { font-weight: 700; }`));
  const code = own && document.querySelector(`.cell[data-cell="${CSS.escape(own)}"]`);
  if (code) code.closest("section").dataset.poll = own;
  const slides = () => document.querySelectorAll("section[data-poll]:not(:has(section))"); // one may have become two, for lack of height
  for (const slide of slides()) {
    slide.prepend(made("div", "fstats-join", '<img src="room.svg" alt="The address for phones, to be photographed"><b></b><div></div>'));
    slide.querySelector(".fstats-votes")?.append(made("div", "fstats-chart fragment"));
  }
  const seen = (e) => !e.closest(".fragment:not(.visible)");
  const answered = (slide) => { // the votes stand behind a key, the answer behind the next one, or on a slide below
    const all = [...slide.querySelectorAll(".fragment:not(.fstats-chart)")];
    return slide.dataset.poll !== own && (all.length ? seen(all.at(-1)) : !slide.querySelector(".fstats-join"));
  };
  let socket, wait = 250, before = "", state = { poll: "" };
  const tell = () => {
    const slide = window.Reveal.getCurrentSlide?.();
    if (!slide) return;
    draw();
    if (follows || socket.readyState !== WebSocket.OPEN) return;
    const poll = slide.dataset.poll || "", moves = slide.querySelector(".fstats-moving, .fstats-live, .fstats-still") ? move : "";
    const now = JSON.stringify({ show: poll, answer: Boolean(poll) && answered(slide), move: slide.dataset.move || moves || "" });
    if (now !== before) socket.send(before = now);
  };
  const take = () => { // the room's own numbers, in the cell that is to run on them
    const field = code.querySelector("textarea");
    if (field) {
      field.value = state.source;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    } else code.querySelector("pre").textContent = state.source;
  };
  const count = (slide, shown) => [...slide.querySelector("ol").children].forEach((line, k) => {
    line.querySelector(".fstats-count")?.remove();
    const share = shown ? (100 * state.counts[k]) / Math.max(1, state.votes) : 0;
    line.style.background = `linear-gradient(90deg, #a9d0ee ${share}%, transparent ${share}%)`;
    line.classList.toggle("fstats-right", Boolean(shown && state.right?.[k]));
    const words = `${state.counts[k]} (${share.toFixed(0)} %)${state.right?.[k] ? " ✓ right" : ""}`;
    if (shown) (line.querySelector("p") || line).append(Object.assign(made("span", "fstats-count"), { textContent: words }));
  });
  const draw = () => {
    for (const slide of slides()) {
      const join = slide.querySelector(".fstats-join"), chart = slide.querySelector(".fstats-chart");
      if (!join || !state.address) continue;
      const [host, path] = state.address.replace("http://", "").split("/r/");
      join.querySelector("b").replaceChildren(host, document.createElement("wbr"), `/r/${path}`);
      if (slide.dataset.poll !== state.poll) continue;
      join.querySelector("div").textContent = `${state.votes} answered, ${state.phones} here${state.open ? "" : "; closed"}`;
      if (chart && state.counts) count(slide, seen(chart));
      if (chart && state.svg) chart.innerHTML = state.svg;
      if (state.source && !join.querySelector("button")) {
        join.append(Object.assign(made("button", ""), { type: "button", textContent: "Use these numbers", onclick: take }));
      }
    }
  };
  const come = () => {
    const way = new URL("room", location.href);
    way.protocol = "ws:";
    way.search = way.hash = "";
    socket = new WebSocket(way);
    socket.onopen = () => {
      [wait, before] = [250, ""];
      tell();
    };
    socket.onmessage = ({ data }) => {
      const news = JSON.parse(data);
      if (news.refused) return console.warn(`fstats: ${news.refused}`);
      state = news;
      draw();
    };
    socket.onclose = () => { setTimeout(come, wait = Math.min(2000, 2 * wait)); };
  };
  come();
  for (const turn of ["ready", "slidechanged", "fragmentshown", "fragmenthidden"]) window.Reveal.on(turn, tell);
})();
