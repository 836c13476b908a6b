() => {
    const cut = MEASURE_CUT;
    const slide = Reveal.getCurrentSlide(), scale = Reveal.getScale(), size = e => parseFloat(getComputedStyle(e).fontSize) * scale;
    const box = slide.getBoundingClientRect(), shown = [...slide.querySelectorAll("*")].filter(e => e.getClientRects().length
        && !e.closest("aside, svg, mjx-container > *"));
    const words = shown.filter(e => [...e.childNodes].some(node => node.nodeType === 3 && node.textContent.trim()));
    return {
        place: JSON.stringify([Reveal.getIndices().h, Reveal.getIndices().v]), last: Reveal.isLastSlide()
            && !Reveal.availableFragments().next,
        cut: cut(slide), scrolls: slide.scrollHeight > 721 || slide.matches(".fstats-long"), wide: slide.scrollWidth > 1281,
        smallest: Math.min(...words.filter(e => !e.matches("sub, sup")).map(size),
            ...shown.filter(e => e.matches("mjx-container")).map(size)),
        pictures: shown.filter(e => e.matches("img.fstats-picture")).map(e => [Number(e.getAttribute("width")),
            e.getBoundingClientRect().width / e.getAttribute("width")]),
        drawn: Math.min(...[...slide.querySelectorAll(".cell_output svg:not(mjx-container svg) text")]
            .filter(e => e.getClientRects().length).map(e => parseFloat(getComputedStyle(e).fontSize) * Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b))),
        under: words.filter(e => e.closest("summary") || !e.closest("details:not([open])"))
            .flatMap(e => [...e.childNodes].filter(node => node.nodeType === 3 && node.textContent.trim())).filter(node => {
            const range = document.createRange(), { top, right } = document.querySelector(".slide-number a").getBoundingClientRect();
            range.selectNodeContents(node);
            return [...range.getClientRects()].some(box => box.bottom > top + 4 && box.left < right);
        }).map(node => node.textContent),
        apart: [...slide.querySelectorAll("mjx-container")].filter(e => {
            const range = document.createRange(), next = e.nextSibling;
            if (next?.nodeType !== 3 || !/^[.,;:!?)]/.test(next.data)) return false;
            range.setStart(next, 0);
            range.setEnd(next, 1);
            return range.getBoundingClientRect().left < e.getBoundingClientRect().left;
        }).map(e => e.parentElement.textContent),
        broken: [...slide.querySelectorAll(".fstats-lines th code")].flatMap(e => [...e.childNodes]).filter(node => {
            const range = document.createRange();
            range.selectNodeContents(node);
            return range.getClientRects().length > 1;
        }).map(node => node.textContent),
        explorers: slide.querySelectorAll(".fstats-still a[href^='notebooks/']").length,
            untypeset: /\$\\displaystyle/.test(slide.innerText),
    };
}
