async root => {
    const panel = root.closest(".jp-WindowedPanel-outer"), scroller = panel || document.scrollingElement;
    const frame = () => (panel ? panel.getBoundingClientRect() : new DOMRect(0, 0, innerWidth, innerHeight));
    const still = () => new Promise(done => setTimeout(done, 100));
    for (let k = 0, before = ""; k < 50; k++) {  // until the pictures have found their size
        scroller.scrollTop += root.getBoundingClientRect().top - frame().top;
        await still();
        const now = JSON.stringify([...root.querySelectorAll("svg")].map(e => e.getBoundingClientRect())) + scroller.scrollTop;
        if (now === before) break;
        before = now;
    }
    const seen = frame(), bottom = Math.min(seen.bottom, innerHeight);
    const parts = {
        question: [root.querySelector(".fstats-question")],
        sentence: [root.querySelector(".fstats-said")],
        controls: [...root.querySelectorAll(".fstats-control")].filter(e => e.offsetParent),
        picture: [...root.querySelectorAll(".fstats-picture svg")].filter(e => e.getClientRects().length),
    };
    const beyond = e => {
        const box = e.getBoundingClientRect();
        return Math.max(box.bottom - bottom, seen.top - box.top - 1, box.right - seen.right, seen.left - box.left);
    };
    const scale = svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    const size = e => parseFloat(getComputedStyle(e).fontSize);
    const texts = parts.picture.flatMap(svg => [...svg.querySelectorAll("text")].map(e => size(e) * scale(svg)));
    const wordy = ".fstats-question, .fstats-said, .fstats-label, .fstats-text, .fstats-word, .fstats-act";
    const words = [...root.querySelectorAll(wordy)]
        .filter(e => e.getClientRects().length);
    texts.push(...words.map(size));
    const covered = e => {  // by something else, or by the edge of what it stands in
        const range = document.createRange();
        range.selectNodeContents(e);
        return [...range.getClientRects()].some(line => [line.left + 2, (line.left + line.right) / 2, line.right - 2].some(x => {
            const top = document.elementFromPoint(x, (line.top + line.bottom) / 2);
            return !top || top !== e && !e.contains(top);
        }));
    };
    const box = parts.picture[0].getBoundingClientRect();
    return {
        beyond: Object.fromEntries(Object.entries(parts).map(([name, all]) => [name, Math.max(...all.map(beyond))])),
        covered: words.filter(e => e.matches(".fstats-question, .fstats-said") && covered(e)).map(e => e.textContent),
        controls: parts.controls.length,
        folded: [...root.querySelectorAll(".fstats-more, .fstats-work")].every(e => !e.offsetParent),
        smallest: Math.min(...texts),
        picture: [box.width, box.height],
        too_wide: [root, ...root.querySelectorAll("*")].filter(e => e.offsetParent && !e.closest("svg, .fstats-picture"))
            .filter(e => e.getBoundingClientRect().right > root.getBoundingClientRect().right + 1).length,
        ink: getComputedStyle(root).color,
        paper: getComputedStyle(root).backgroundColor,
    };
}
