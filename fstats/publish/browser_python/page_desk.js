// The desk in a page: desk.js sends its requests to the Python of the page, which is loaded when the first table comes.
class DeskModel extends Model {
  sent() { return { request: this.state.request }; }

  back() { // no reply: the page keeps what it shows, and says why there is no answer
    this.take({ view: { ...this.state.view, number: this.state.request.number, error: "Python did not answer: try again." } });
  }

  async begin() {
    await wish();
    const told = [], source = "from fstats import explore\nexplore.desk()";
    const { error } = await engine.ask({ do: "run", apart: true, name: "desk", source }, (one) => told.push(one));
    if (error) throw new Error(error);
    Object.assign(this, { key: told.map((one) => one.output).find((one) => one && "widget" in one).widget, engine: engine.worker });
  }
}

for (const place of document.querySelectorAll(".fstats-desk-page")) {
  const more = `and ${megabytes(FILES.later["/site/more.xz"][1])} MB more for Excel files and downloaded pictures`;
  const once = `Nothing leaves this browser. Python comes once, ${megabytes(FILES.size)} MB, ${more}; then everything runs here.`;
  const privacy = CAN ? once : "This page needs a server: use fstats site --live --serve, fstats desk, or the page on the web.";
  const view = { examples: JSON.parse(place.dataset.examples), settings: {}, error: "" };
  const el = made("div", ""), line = made("p", "fstats-fetch"), progress = made("progress", "fstats-progress"), told = made("span", "fstats-told");
  place.append(line, el);
  line.append(progress, told);
  told.setAttribute("role", "status");
  progress.setAttribute("aria-label", "loaded part of Python");
  progress.max = FILES.size;
  bars.add({
    show: (now, bytes, words) => {
      line.hidden = now !== "coming" && !words;
      progress.hidden = now !== "coming";
      progress.value = bytes;
      told.textContent = words || `Python: ${megabytes(bytes)} of ${megabytes(FILES.size)} MB, once`;
    },
  });
  line.hidden = true;
  fstatsDesk.render({ model: new DeskModel({ request: {}, view, privacy, linked: true }), el });
}
