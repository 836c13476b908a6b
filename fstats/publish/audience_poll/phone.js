// Voting page: show the question, send the answer until the server has it, and reconnect after an interruption.
const HERE = location.pathname.replace(/\/$/, "");
const place = (id) => document.getElementById(id), said = (words) => { place("said").textContent = words; };
let socket, wait = 500, poll = null, unsent = null, shown = "";

const send = (answer) => {
  unsent = answer;
  said("Sending …");
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(answer));
};
const made = (kind, html, about = {}) => Object.assign(document.createElement(kind), { innerHTML: html }, about);
const number = (words) => (words.trim() ? Number(words.trim().replace(/\s*%$/, "").replace("−", "-").replace(",", ".")) : NaN);
const chosen = (k) => send({ poll: poll.id, choice: k });
const typed = (event) => {
  event.preventDefault();
  const numbers = [...place("answers").querySelectorAll("input")].map((one) => number(one.value));
  if (numbers.every(Number.isFinite)) send({ poll: poll.id, numbers });
  else said("Please type a number in each field.");
};
const build = () => {
  const form = place("answers");
  form.replaceChildren();
  place("question").innerHTML = poll ? poll.question : "";
  place("kind").textContent = poll ? "The question on the slide" : "Audience poll";
  if (!poll) return;
  poll.choices.forEach((words, k) => {
    const one = form.appendChild(made("button", `<b>${k + 1}</b><span>${words}</span>`, { type: "button" }));
    one.addEventListener("click", () => chosen(k));
    form.appendChild(made("div", "", { className: "why", hidden: true }));
  });
  for (const name of poll.names) {
    const label = form.appendChild(document.createElement("label"));
    label.append(name, made("input", "", { inputMode: "text", autocomplete: "off", maxLength: 24, enterKeyHint: "send" }));
  }
  if (poll.names.length) {
    form.appendChild(made("button", "Send", { type: "submit" }));
    form.appendChild(made("div", "", { className: "why", hidden: true }));
    if (poll.mine) form.querySelectorAll("input").forEach((one, k) => { one.value = poll.mine[k]; });
  }
};
const fill = () => {
  const buttons = [...place("answers").querySelectorAll("button")], whys = [...place("answers").querySelectorAll(".why")];
  const { mine, open, answer } = poll;
  for (const one of place("answers").elements) one.disabled = !open;
  buttons.forEach((one, k) => {
    if (one.type === "button") one.setAttribute("aria-pressed", String(mine === k));
    one.classList.toggle("right", Boolean(answer && answer.right[k]));
  });
  whys.forEach((one, k) => {
    one.hidden = !answer;
    one.innerHTML = answer ? answer.why[k] : "";
  });
  if (answer) said(mine === null ? "The answer is on the slide." : "The answer is on the slide; your vote is marked.");
  else if (!open) said("This question is closed.");
  else if (mine === null) said(poll.choices.length ? "Choose one." : "Type and send.");
  else said(`Your ${poll.choices.length ? "vote" : "number"} has arrived. You can change it while the question is on the slide.`);
};
const told = (news) => {
  if (news.refused) {
    const late = news.again && unsent;
    if (late) setTimeout(() => { if (unsent === late) send(late); }, 1000); // send again, unless the voter has sent another answer since
    else unsent = null;
    return said(`Refused: ${news.refused}.`);
  }
  if ("of" in news) {
    if (poll?.id === news.of) poll.mine = news.mine;
  } else {
    poll = news.poll;
    place("move").hidden = !news.move;
    if (news.move) place("move").firstElementChild.href = `${HERE}/pages/${news.move}`;
  }
  if (!poll || poll.id !== unsent?.poll || !poll.open) unsent = null;
  else if (JSON.stringify(poll.mine) === JSON.stringify(unsent.choice ?? unsent.numbers)) unsent = null;
  if (shown !== (poll ? poll.id : "")) {
    shown = poll ? poll.id : "";
    build();
  }
  if (poll) fill();
  else said("You are connected. The next question appears here automatically.");
};
const come = () => {
  socket = new WebSocket(`ws://${location.host}${HERE}/vote`);
  socket.onopen = () => { wait = 500; };
  let first = true;
  socket.onmessage = ({ data }) => {
    told(JSON.parse(data));
    if (first && unsent) send(unsent); // the answer was chosen during the interruption
    first = false;
  };
  socket.onclose = () => {
    said("No connection: is this phone still in the lecture's network? The page reconnects automatically.");
    setTimeout(come, wait * (0.5 + Math.random()));
    wait = Math.min(5000, 2 * wait);
  };
};
place("answers").addEventListener("submit", typed);
document.addEventListener("visibilitychange", () => { // after the phone was locked, reconnect quickly
  if (!document.hidden && socket.readyState > WebSocket.OPEN) wait = 500;
});
come();
