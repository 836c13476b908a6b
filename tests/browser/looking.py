"""What a person in the hall or with a phone sees of an explorer, measured in the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SCREENS = {"hall": (853, 480), "phone": (390, 844)}  # 1280 x 720 at 150 %; a phone held upright
DESK = 1500, 1300
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}


def arrange(page: Page, screen: str, theme: str, files: bool = False) -> None:
    """A screen of this size, JupyterLab in this theme, its file browser closed, as a lecturer would have it, or open."""
    width, height = SCREENS.get(screen, DESK)
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(
        """async ([theme, files]) => {
            const { commands } = window.jupyterapp;
            if (document.body.dataset.jpThemeName !== theme) await commands.execute("apputils:change-theme", { theme });
            if (!!document.querySelector(".jp-FileBrowser")?.offsetParent !== files) await commands.execute("application:toggle-left-area");
        }""",
        [THEMES[theme], files],
    )
    page.wait_for_function("theme => document.body.dataset.jpThemeName === theme", arg=THEMES[theme])


def in_view(explorer: Locator) -> dict[str, Any]:
    """What is seen when the explorer begins at the top of a notebook or a page: how far parts reach below what is seen, sizes, colours."""
    found: dict[str, Any] = explorer.evaluate(
        """async root => {
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
        }"""
    )
    return found


FAULTS = """root => {
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
}"""


def faults(explorer: Locator) -> list[str]:
    """What would keep somebody out: names, values and roles, contrast, sizes to hit, focus that is seen; by WCAG's rules."""
    found: list[str] = explorer.evaluate(FAULTS)
    return found


CUT = """root => {
    const box = root.getBoundingClientRect(), scale = box.width / root.offsetWidth || 1, found = [];
    const shown = [...root.querySelectorAll("*")].filter(e => e.getClientRects().length && !e.closest("aside, mjx-assistive-mml, svg *"));
    const name = e => `${e.localName}.${e.getAttribute("class") || ""} ${(e.closest("mjx-container") || e).textContent.trim()
        .slice(0, 40)}`;
    for (const e of shown.filter(e => !e.closest(".fstats-part"))) {  // which shows a part of a picture, and has the whole
        const here = e.getBoundingClientRect(), style = getComputedStyle(e);
        if (here.right > box.right + 1 || here.left < box.left - 1) found.push(`outside: ${name(e)}`);
        if (style.overflowX !== "visible" && e.clientWidth && e.scrollWidth > e.clientWidth + 1) found.push(`cut: ${name(e)}`);
        if (style.overflowY !== "visible" && e.clientHeight && e.scrollHeight > e.clientHeight + 1
            && e !== root) found.push(`cut below: ${name(e)}`);
    }
    for (const part of root.querySelectorAll(".fstats-part")) {
        const here = part.getBoundingClientRect();
        if (here.right > box.right + 1 || here.bottom > box.bottom + 1) found.push(`outside: ${name(part)}`);
    }
    for (const svg of shown.filter(e => e.matches("mjx-container > svg"))) {
        let block = svg.parentElement.parentElement;
        while (getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
        const wide = svg.getBoundingClientRect().width / scale;
        if (wide > block.clientWidth + 1) found.push(`wider than its place: ${name(svg)}`);
    }
    return found;
}"""


def cut(page: Page, where: str) -> list[str]:
    """What of this part of a page is not seen without scrolling sideways: formulas, tables, code, pictures."""
    found: list[str] = page.locator(where).first.evaluate(CUT)
    return found


def serious(page: Page, *where: str) -> list[str]:
    """What axe-core finds serious or critical in these parts of a page, or in all of it."""
    from axe_playwright_python.sync_playwright import Axe

    context = {"include": [[one] for one in where]} if where else None
    options = {"preload": False, "resultTypes": ["violations"]}  # preloading would ask for files again; what passes need not be named
    found = Axe().run(page, context=context, options=options).response["violations"]
    grave = [one for one in found if one["impact"] in ("serious", "critical")]
    return [f"{one['id']}: {node['html'][:120]} ({node['failureSummary']})" for one in grave for node in one["nodes"]]


NAMES = """root => {
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
}"""


def crowded(explorer: Locator) -> list[str]:
    """Which words of its pictures, those that are seen now, stand over each other, are too small for the last row, or are cut."""
    found: list[str] = explorer.evaluate(NAMES)
    return found
