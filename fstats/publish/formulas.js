// Where nothing scrolls, on a slide and on paper, a formula that is wider than its place first gets the place of the sentence beside it,
// then becomes smaller, down to `least` pixels.
const blockAround = (e) => {
  let box = e.parentElement;
  while (getComputedStyle(box).display.startsWith("inline")) box = box.parentElement;
  return box;
};
const room = (box) => box.clientWidth - parseFloat(getComputedStyle(box).paddingLeft) - parseFloat(getComputedStyle(box).paddingRight);
const narrow = (page, least) => {
  const formulas = [...page.querySelectorAll("mjx-container")].filter((e) => e.getClientRects().length && !e.closest("aside"));
  const scale = page.getBoundingClientRect().width / page.offsetWidth || 1;
  const tooWide = () => formulas.map((e) => [e, room(blockAround(e)) / (e.querySelector("svg").getBoundingClientRect().width / scale)]).filter(([, part]) => part < 1);
  for (const e of formulas) {
    e.style.fontSize = "";
    if (e.matches(".fstats-lines td > div > div > *")) e.parentElement.style.flexBasis = "";
  }
  for (const [e] of tooWide()) if (e.matches(".fstats-lines td > div > div > *")) e.parentElement.style.flexBasis = "100%";
  for (const [e, part] of tooWide()) {
    const size = parseFloat(getComputedStyle(e.parentElement).fontSize);
    e.style.fontSize = `${Math.max(Math.floor(size * part * 100) / 100, Math.min(size, least))}px`;
  }
};
