// Fit formulas on slides and on paper, where nothing scrolls. A formula that is too wide first gets the space of the sentence beside it;
// a formula that is still too wide becomes smaller. A test checks that the formulas of the course stay readable.
const blockAround = (e) => {
  let box = e.parentElement;
  while (getComputedStyle(box).display.startsWith("inline")) box = box.parentElement;
  return box;
};
const room = (box) => box.clientWidth - parseFloat(getComputedStyle(box).paddingLeft) - parseFloat(getComputedStyle(box).paddingRight);
const narrow = (page) => {
  const formulas = [...page.querySelectorAll("mjx-container")].filter((e) => e.getClientRects().length && !e.closest("aside"));
  const scale = page.getBoundingClientRect().width / page.offsetWidth || 1;
  const share = (e) => (room(blockAround(e)) + 1) / (e.querySelector("svg").getBoundingClientRect().width / scale); // available share of the formula's width
  const tooWide = () => formulas.map((e) => [e, share(e)]).filter(([, part]) => part < 1);
  for (const e of formulas) {
    e.style.fontSize = "";
    e.parentElement.classList.remove("fstats-alone");
  }
  for (const [e] of tooWide()) e.parentElement.classList.add("fstats-alone");
  for (let again = 0, left; again < 12 && (left = tooWide()).length; again += 1) { // repeat, because the unit ex of formulas is rounded to whole pixels
    for (const [e, part] of left) e.style.fontSize = `${Math.min(part, 0.97) * parseFloat(getComputedStyle(e).fontSize)}px`;
  }
};
