// Notices at the foot of the window: one line for each subject, visible at every scroll position.
const ROOT = new URL(document.documentElement.dataset.content_root || "./", document.baseURI);
const MINE = new URL(document.currentScript.src).pathname; // the name of this script contains a hash of all files that a page loads, so it identifies the build
const address = (name) => new URL(`live/${name}`, ROOT).href;
const made = (tag, name, words = "") => Object.assign(document.createElement(tag), { className: name, textContent: words });

const foot = document.body.appendChild(made("div", "fstats-news"));
foot.setAttribute("role", "status");
const notice = (matter, words = "", label = "", pressed = null) => { // an empty text or the button Close hides the line; a notice may offer an action
  let line = foot.querySelector(`[data-matter="${matter}"]`);
  if (!line && !words) return;
  if (!line) {
    line = foot.appendChild(made("p", ""));
    line.dataset.matter = matter;
    const close = Object.assign(made("button", "fstats-act", "Close"), { type: "button" });
    close.addEventListener("click", () => { line.hidden = true; });
    line.append(made("span", ""), close);
  }
  if (line.firstChild.textContent === words) return; // already shown, and perhaps closed by the reader
  line.firstChild.textContent = words;
  line.hidden = !words;
  line.querySelector(".fstats-offer")?.remove();
  if (!pressed) return;
  const offer = Object.assign(made("button", "fstats-act fstats-offer", label), { type: "button" });
  offer.addEventListener("click", pressed);
  line.lastChild.before(offer);
};

const listed = () => fetch(address("files.json"), { cache: "no-cache" }).then((found) => found.json()).catch(() => null);
const newer = async () => { // check whether the server has a newer build, in which files of this build may be missing
  const sizes = await listed(); // the files of the site with their sizes
  if (sizes && !Object.keys(sizes).some((name) => new URL(name, ROOT).pathname === MINE)) {
    notice("build", "There is a newer version of the course: reload this page. Your answers stay.");
  }
};
document.addEventListener("visibilitychange", () => { if (!document.hidden) newer(); });
