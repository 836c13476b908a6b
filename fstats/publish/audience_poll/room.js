// Votes in a slide deck: report to the server which question a slide asks (data-poll) or answers later (data-bet), and whether the answer is
// visible. Show the voting address on slides with a question; after a key press, show the votes beside the choices or as a dot plot.
(() => {
  const { own, bets, move } = document.currentScript.dataset; // the cell for the audience's numbers; ids of bets; page with an explorer for phones
  const follows = /[?&]receiver\b/.test(location.search); // the preview in the speaker's window sends nothing
  const made = (kind, className, html = "") => Object.assign(document.createElement(kind), { className, innerHTML: html });
  document.head.appendChild(made("style", "", `
    .fstats-join { float: right; width: 230px; margin: 0 0 8px 24px; font-size: 22px; line-height: 1.25; text-align: center; overflow-wrap: anywhere; }
    .fstats-join img { display: block; width: 200px; height: 200px; margin: 0 auto 6px; } .fstats-join button { font: inherit; margin-top: 6px; padding: 4px 14px; }
    .fstats-chart:has(svg) { min-height: 240px; } .fstats-chart svg { display: block; max-width: 100%; height: auto; }
    :is([data-poll], [data-bet]) ol:first-of-type { overflow: hidden; padding-left: 1.6em; list-style-position: outside; }
    [data-poll] .cell { display: flow-root; } /* code is beside the address, not below it */
    .fstats-count { font-weight: 700; white-space: nowrap; padding-left: 0.6em; visibility: hidden; } .fstats-told { visibility: visible; }
    .fstats-join div:not(.fstats-told), .fstats-join b:not(.fstats-told) { visibility: hidden; }
    .fstats-right { outline: 3px solid #00734f; outline-offset: -3px; } .fstats-join b { font-weight: 700; }`));
  const code = own && document.querySelector(`.cell[data-cell="${CSS.escape(own)}"]`);
  if (code) code.closest("section").dataset.poll = own;
  const slides = () => document.querySelectorAll("section:is([data-poll], [data-bet]):not(:has(section))"); // if a slide has been split, its parts
  const about = ({ dataset }) => dataset.poll || dataset.bet || "";
  const most = "300 answered, 300 here; closed"; // reserve space for the longest text, so that no slide becomes too high
  for (const slide of slides()) {
    const { poll } = slide.dataset, [answer] = slide.querySelectorAll(".fragment");
    if (poll !== own && !bets.split(" ").includes(poll)) answer?.classList.add("fstats-answer");
    if (poll) slide.prepend(made("div", "fstats-join", `<img src="room.svg" alt="QR code of the voting address"><b>&nbsp;<br>&nbsp;</b><div>${most}</div>`));
    if (poll === own) slide.firstChild.append(made("button", "", "Use these numbers"));
    else for (const line of slide.querySelectorAll("li:not(.fragment li, aside li)")) (line.querySelector("p") || line).append(made("span", "fstats-count", "300 (100 %) ✓ right"));
    slide.querySelector(".fstats-votes")?.append(made("div", "fstats-chart fragment"));
    if (!poll) answer?.before(made("div", "fstats-chart"));
  }
  const seen = (e) => !e.closest(".fragment:not(.visible)");
  const answered = (slide) => [...slide.querySelectorAll(".fstats-answer")].some(seen);
  let socket, wait = 250, before = "", state = { poll: "" };
  const tell = () => {
    const slide = window.Reveal.getCurrentSlide?.();
    if (!slide) return;
    draw();
    if (follows || socket.readyState !== WebSocket.OPEN) return;
    const explorer = slide.querySelector(".fstats-live, .fstats-still"), moves = explorer && move ? `${move}#${explorer.id}` : "";
    const now = JSON.stringify({ show: about(slide), vote: "poll" in slide.dataset, answer: answered(slide), move: slide.dataset.move || moves || "" });
    if (now !== before) socket.send(before = now);
  };
  const take = () => { // put the audience's numbers into the cell that uses them
    const field = code.querySelector("textarea");
    if (field) {
      field.value = state.source;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    } else code.querySelector("pre").textContent = state.source;
  };
  const count = (slide, shown) => slide.querySelectorAll(".fstats-count").forEach((words, k) => {
    const line = words.closest("li");
    const share = shown ? (100 * state.counts[k]) / Math.max(1, state.votes) : 0;
    line.style.background = `linear-gradient(90deg, #a9d0ee ${share}%, transparent ${share}%)`;
    line.classList.toggle("fstats-right", Boolean(shown && state.right?.[k]));
    words.textContent = `${state.counts[k]} (${share.toFixed(0)} %)${state.right?.[k] ? " ✓ right" : ""}`;
    words.classList.toggle("fstats-told", shown);
  });
  const invite = (join) => {
    const [host, path] = state.address.replace("http://", "").split("/r/"), place = join.querySelector("b");
    place.className = "fstats-told";
    place.replaceChildren(host, document.createElement("wbr"), `/r/${path}`);
  };
  const draw = () => {
    for (const slide of slides()) {
      const join = slide.querySelector(".fstats-join"), chart = slide.querySelector(".fstats-chart");
      if (!state.address) continue;
      if (join) invite(join);
      if (about(slide) !== state.poll) continue;
      if (join) {
        join.querySelector("div").className = "fstats-told";
        join.querySelector("div").textContent = `${state.votes} answered, ${state.phones} here${state.open ? "" : "; closed"}`;
        const button = join.querySelector("button");
        if (button) Object.assign(button, { type: "button", disabled: !state.source, onclick: take });
      }
      if (chart && state.counts) count(slide, seen(chart));
      if (chart && state.svg) chart.innerHTML = state.svg;
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
