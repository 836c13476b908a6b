root => {
    const box = root.getBoundingClientRect(), scale = box.width / root.offsetWidth || 1, found = [];
    const shown = [...root.querySelectorAll("*")].filter(e => e.getClientRects().length && !e.closest("aside, mjx-assistive-mml, svg *"));
    const name = e => `${e.localName}.${e.getAttribute("class") || ""} ${(e.closest("mjx-container") || e).textContent.trim()
        .slice(0, 40)}`;
    // a part of a picture has the whole; the lines of a walk scroll with its steps
    for (const e of shown.filter(e => !e.closest(".fstats-part") && !e.matches(".fstats-walk .fstats-lines"))) {
        const here = e.getBoundingClientRect(), style = getComputedStyle(e);
        if (here.right > box.right + 1 || here.left < box.left - 1) found.push(`outside: ${name(e)}`);
        if (style.overflowX !== "visible" && e.clientWidth && e.scrollWidth > e.clientWidth + 1) found.push(`cut: ${name(e)}`);
        if (style.overflowY !== "visible" && e.clientHeight && e.scrollHeight > e.clientHeight + 1
            && e !== root) found.push(`cut below: ${name(e)}`);
    }
    for (const part of root.querySelectorAll(".fstats-part")) {
        const here = part.getBoundingClientRect();
        if (here.right > box.right + 1 || here.bottom > box.bottom + 1) found.push(`outside: ${name(part)}`);
        if (here.height < part.parentElement.getBoundingClientRect().height - 1) found.push(`shows the part before it: ${name(part)}`);
    }
    for (const svg of shown.filter(e => e.matches("mjx-container > svg"))) {
        let block = svg.parentElement.parentElement;
        while (getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
        const wide = svg.getBoundingClientRect().width / scale;
        if (wide > block.clientWidth + 1) found.push(`wider than its place: ${name(svg)}`);
    }
    return found;
}
