// What a reader has to know of the page, wherever he is on it: one line at its foot for each matter.
const ROOT = new URL(document.documentElement.dataset.content_root || "./", document.baseURI);
const MINE = new URL(document.currentScript.src).pathname; // this script bears a hash of all that a page fetches: the name of its build
const address = (name) => new URL(`live/${name}`, ROOT).href;
const made = (tag, name, words = "") => Object.assign(document.createElement(tag), { className: name, textContent: words });

const foot = document.body.appendChild(made("div", "fstats-news"));
foot.setAttribute("role", "status");
const notice = (matter, words = "") => { // without words, or closed, the line goes
  let line = foot.querySelector(`[data-matter="${matter}"]`);
  if (!line) {
    line = foot.appendChild(made("p", ""));
    line.dataset.matter = matter;
    const close = Object.assign(made("button", "fstats-act", "Close"), { type: "button" });
    close.addEventListener("click", () => { line.hidden = true; });
    line.append(made("span", ""), close);
  }
  if (line.firstChild.textContent === words) return; // said already, and perhaps closed
  line.firstChild.textContent = words;
  line.hidden = !words;
};

const listed = () => fetch(address("files.json"), { cache: "no-cache" }).then((found) => found.json()).catch(() => null);
const newer = async () => { // whether the server has another build by now, which may have taken away the files of this one
  const sizes = await listed(); // what the site has, with the bytes of each
  if (sizes && !Object.keys(sizes).some((name) => new URL(name, ROOT).pathname === MINE)) {
    notice("build", "The course has a newer version: reload this page. What you typed stays.");
  }
};
document.addEventListener("visibilitychange", () => { if (!document.hidden) newer(); });
