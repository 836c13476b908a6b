// Page of `fstats desk`: a model with the interface of anywidget, whose requests go to the Python that serves the page.
/* the state */
const listeners = [];
const model = {
  get: (name) => state[name],
  set: (name, value) => { state[name] = value; },
  on: (event, listener) => listeners.push(listener),
  off: () => {},
  stop() { // the reader cancels: do not wait for the answer
    model.waits = false;
    model.cancel?.abort();
  },
  async save_changes() { // one request at a time; the latest settings follow when the answer is here
    model.waits = true;
    if (model.busy && model.key !== state.request.key) model.cancel.abort(); // cancel the request for the former table
    if (model.busy) return;
    model.busy = true;
    while (model.waits) {
      model.waits = false;
      [model.key, model.cancel] = [state.request.key, new AbortController()];
      try {
        state.view = await (await fetch(location.pathname, { method: "POST", body: JSON.stringify(state.request), signal: model.cancel.signal })).json();
      } catch {
        if (model.cancel.signal.aborted) continue;
        state.view = { ...state.view, number: state.request.number, error: "Python does not answer: start fstats desk again, and reload the page." };
      }
      for (const listener of listeners) listener();
    }
    model.busy = false;
  },
};
const dark = matchMedia("(prefers-color-scheme: dark)"), theme = () => { document.documentElement.dataset.theme = dark.matches ? "dark" : "light"; };
dark.addEventListener("change", theme);
theme();
fstatsDesk.render({ model, el: document.getElementById("desk") });
