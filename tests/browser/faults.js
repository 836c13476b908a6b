root => {
    const light = color => {
        const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }), pen = canvas.getContext("2d");
        pen.fillStyle = color;
        pen.fillRect(0, 0, 1, 1);
        const linear = [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3).map(x => x / 255)
            .map(x => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const contrast = (one, other) => {
        const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
        return (bright + 0.05) / (dark + 0.05);
    };
    const behind = e => {
        for (; e; e = e.parentElement) {
            const paper = getComputedStyle(e).backgroundColor;
            if (paper !== "rgba(0, 0, 0, 0)" && paper !== "transparent") return paper;
        }
        return "white";
    };
    const found = [], shown = [...root.querySelectorAll("*")].filter(e => e.getClientRects().length);
    for (const e of shown) {
        const own = [...e.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
        const ink = e.closest("svg") ? getComputedStyle(e).fill : getComputedStyle(e).color;
        const apart = contrast(ink, behind(e));
        if (own && apart < 4.5) found.push(`contrast ${apart.toFixed(2)}: ${e.textContent.slice(0, 30)}`);
        const role = e.getAttribute("role");
        const name = e.getAttribute("aria-label") || [...(e.labels || [])].map(label => label.textContent).join(" ") || e.textContent;
        if ((e.matches("input, button, svg, summary") || ["slider", "radiogroup", "img"].includes(role))
            && !name.trim()) found.push(`no name: ${e.outerHTML.slice(0, 80)}`);
        const told = ["now", "min", "max", "text"].every(part => e.hasAttribute(`aria-value${part}`));
        if (role === "slider" && !told) found.push(`no value: ${name}`);
        if (e.matches("[role=img] *") && e.tabIndex >= 0) found.push(`inside a picture: ${name}`);
        if (e.matches("button, .fstats-word, .fstats-grip, input[type=range]") &&
            Math.min(e.offsetWidth, e.offsetHeight) < 24) found.push(`too small: ${name} ${e.offsetWidth} x ${e.offsetHeight}`);
    }
    for (const e of shown.filter(e => e.matches("input, button, [role=slider]") && !e.matches(":disabled"))) {
        e.focus({ focusVisible: true });
        const ring = e.matches("[type=radio]") ? e.nextElementSibling : e;
        if (document.activeElement !== e || getComputedStyle(ring)
            .outlineStyle === "none") found.push(`focus is not seen: ${e.outerHTML.slice(0, 80)}`);
    }
    const ids = [...document.querySelectorAll("[id^=fstats-]")].map(e => e.id);
    if (new Set(ids).size < ids.length) found.push("an id stands twice");
    return found;
}
