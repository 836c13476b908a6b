// A deck in a room: it tells the server which question its slide asks (data-poll) and whether the answer is seen (.fstats-answer), what
// phones may move (data-move), and draws the address and the votes into the slide's .fstats-votes.  The votes come on their own key.
(() => {
  const follows = /[?&]receiver\b/.test(location.search); // a picture of the deck in the speaker's window leads nobody
  const style = `
    .fstats-votes { display: flex; gap: 24px; align-items: flex-start; min-height: 250px; }
    .fstats-chart { flex: 1; min-width: 0; } .fstats-chart svg { display: block; max-width: 100%; height: auto; }
    .fstats-join { order: 2; margin-left: auto; width: 240px; font-size: 22px; line-height: 1.25; text-align: center; overflow-wrap: anywhere; }
    .fstats-join img { display: block; width: 200px; height: 200px; margin: 0 auto 6px; } .fstats-join b { font-size: 24px; }
    .fstats-chart button { font: inherit; font-size: 22px; padding: 4px 14px; }
    [data-poll] ul { list-style: upper-alpha; }`;
  document.head.appendChild(Object.assign(document.createElement("style"), { textContent: style }));
  for (const place of document.querySelectorAll("[data-poll] .fstats-votes")) {
    place.innerHTML = '<div class="fstats-join"><img src="room.svg" alt="The address for phones, to be photographed"><b></b><div></div></div><div class="fstats-chart fragment"></div>';
  }
  const seen = (e) => Boolean(e && !e.closest(".fragment:not(.visible)"));
  let socket, wait = 250, before = "", state = { poll: "" };
  const tell = () => {
    const slide = window.Reveal.getCurrentSlide?.();
    if (!slide || follows || socket.readyState !== WebSocket.OPEN) return;
    const now = JSON.stringify({ show: slide.dataset.poll || "", answer: seen(slide.querySelector(".fstats-answer")), move: slide.dataset.move || "" });
    if (now !== before) socket.send(before = now);
  };
  const take = () => { // the room's own numbers, in the cell that is to run on them
    const code = document.querySelector(`.cell[data-cell="${CSS.escape(state.poll)}"] pre`);
    if (!code) return;
    code.textContent = state.source;
    code.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const draw = () => {
    for (const slide of document.querySelectorAll("[data-poll]")) {
      const place = slide.querySelector(".fstats-votes");
      if (!place || !state.address) continue;
      place.querySelector("b").textContent = state.address.replace("http://", "");
      if (slide.dataset.poll !== state.poll) continue;
      place.querySelector(".fstats-join div").textContent = `${state.votes} answered, ${state.phones} here`;
      const chart = place.querySelector(".fstats-chart");
      chart.innerHTML = state.svg;
      if (state.source) chart.appendChild(Object.assign(document.createElement("button"), { textContent: "Use these numbers", onclick: take }));
    }
    document.dispatchEvent(new CustomEvent("fstats-room", { detail: state }));
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
