() => {
  const part = c => { const x = c / 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; };
  const light = rgb => {
      const [r, g, b] = rgb.match(/[\d.]+/g).map(Number);
      return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b); };
  const paper = one => { for (let e = one; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
      if (!/, 0\)|transparent/.test(c)) return c; } return "rgb(255, 255, 255)"; };
  const ink = one => { const style = getComputedStyle(one); return one.closest("svg") ? style.fill : style.color; };
  const wordy = "p, th, td, h1, h2, h3, .words, label, input, button, figcaption, svg text:not([style])";
  return [...document.querySelectorAll(wordy)].filter(one => one.textContent.trim() || one.value).map(one => {
    const [a, b] = [light(ink(one)), light(paper(one))].sort((x, y) => y - x);
    return [(a + 0.05) / (b + 0.05), one.tagName + " " + one.textContent.slice(0, 30)];
  }).sort((x, y) => x[0] - y[0])[0];
}
