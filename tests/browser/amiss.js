() => {
    const found = [], all = where => [...document.querySelectorAll(where)].filter(e => e.getClientRects().length);
    for (const area of all("textarea.fstats-field")) {
        const [field, copy] = [area, area.previousElementSibling].map(e => e.getBoundingClientRect());
        const apart = ["x", "y", "width", "height"].filter(side => Math.abs(field[side] - copy[side]) > 1);
        const [ours, theirs] = [area, area.previousElementSibling].map(e => getComputedStyle(e));
        apart.push(...["font", "padding", "letterSpacing", "tabSize"].filter(name => ours[name] !== theirs[name]));
        if (apart.length) found.push(`${apart} of field and copy differ: ${area.value.slice(0, 40)}`);
        if (area.scrollWidth > area.clientWidth || area.scrollHeight > area.clientHeight) found.push(`cut: ${area.value.slice(0, 40)}`);
    }
    for (const e of all("main button, .fstats-news button, main summary, textarea")) {
        const { width, height } = e.getBoundingClientRect();
        if (Math.min(width, height) < 24) found.push(`too small: ${e.outerHTML.slice(0, 80)} ${width} x ${height}`);
    }
    for (const e of all(".fstats-act, .fstats-told, .fstats-error, .fstats-field, .fstats-words, .cell_output pre, .fstats-news span")) {
        const size = parseFloat(getComputedStyle(e).fontSize);
        if (size < 12) found.push(`tiny: ${e.className} ${e.textContent.slice(0, 40)} ${size}`);
    }
    return found;
}
