root => {
    const found = [], shown = [...root.querySelectorAll(".fstats-picture svg")].filter(e => e.getClientRects().length);
    for (const svg of shown) {
        const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width, edge = svg.getBoundingClientRect();
        const words = [...svg.querySelectorAll("text")].filter(e => e.textContent.trim()).map(e => {
            const box = e.getBoundingClientRect(), size = parseFloat(getComputedStyle(e).fontSize) * scale;
            const turned = box.height > 1.5 * size && box.width < 1.5 * size, spare = turned ? box.width : box.height;
            const in_ = 0.14 * spare; // of a line's height, what no letter fills
            return { name: e.textContent, size, box, left: box.left + (turned ? in_ : 0.5), right: box.right - (turned ? in_ : 0.5),
                top: box.top + (turned ? 0.5 : in_), bottom: box.bottom - (turned ? 0.5 : in_) };
        });
        for (const word of words) {
            if (word.size < 11.95) found.push(`small: ${word.name} (${word.size.toFixed(1)} px)`);
            const { left, right, top, bottom } = word.box;
            if (left < edge.left - 1 || right > edge.right + 1 || top < edge.top - 3
                || bottom > edge.bottom + 3) found.push(`cut: ${word.name}`);
        }
        words.forEach((one, k) => words.slice(k + 1).forEach(other => {
            const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
            const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
            if (across > 0 && down > 0) found.push(`over each other: ${one.name} | ${other.name}`);
        }));
    }
    return found;
}
