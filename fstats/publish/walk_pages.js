// Walks in a page without Python: the frames of every alternative and level are in a script element after the picture of the walk.
const fstatsWalks = async (root = document) => {
  if (!("DecompressionStream" in window)) return; // the picture of the last step stays
  for (const script of [...root.querySelectorAll("script.fstats-walk-frames")]) {
    const bytes = Uint8Array.from(atob(script.textContent.trim()), (one) => one.charCodeAt(0));
    const told = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
    const unfold = (one) => {
      if (typeof one === "string") return one.replace(/\u0001(\d+);/g, (_, number) => told.texts[number]);
      if (Array.isArray(one)) return one.map(unfold);
      return one && typeof one === "object" ? Object.fromEntries(Object.entries(one).map(([name, value]) => [name, unfold(value)])) : one;
    };
    const chosen = (choice) => {
      const wanted = told.choices.map((name, k) => choice[name] ?? told.start[k]);
      return unfold(told.views.find(([values]) => values.every((value, k) => value === wanted[k]))[1]);
    };
    const state = { view: chosen({}), choice: {} }, listeners = [];
    const model = {
      get: (name) => state[name],
      set: (name, value) => { state[name] = value; },
      on: (_, listener) => listeners.push(listener),
      off: () => listeners.splice(0),
      save_changes: () => {
        state.view = chosen(state.choice);
        listeners.forEach((listener) => listener());
      },
    };
    const still = script.previousElementSibling, el = document.createElement("div");
    el.id = still.id;
    still.replaceWith(el);
    window.fstatsWalk.render({ model, el });
    script.remove();
  }
};
// The arrow keys move the walk that is on the screen, if nothing else has the focus; in a deck they move the slides.
document.addEventListener("keydown", (event) => {
  if (event.target !== document.body || !["ArrowLeft", "ArrowRight"].includes(event.key) || document.querySelector(".reveal")) return;
  const isShown = (walk) => { const { top, bottom } = walk.getBoundingClientRect(); return (top < innerHeight / 2 && bottom > innerHeight / 2) || (top >= 0 && bottom <= innerHeight); };
  [...document.querySelectorAll(".fstats-walk")].find(isShown)?.dispatchEvent(new KeyboardEvent("keydown", { key: event.key }));
});
