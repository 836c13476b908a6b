async k => {
    const cell = window.jupyterapp.shell.currentWidget.content.widgets[k], output = cell.outputArea?.node;
    if (!output) return null;
    const scroller = output.closest(".jp-WindowedPanel-outer"), explorer = output.querySelector(".fstats-explorer");
    const look = () => {
        const seen = scroller.getBoundingClientRect(), box = output.getBoundingClientRect();
        return { high: box.height, above: seen.top - box.top, below: box.bottom - Math.min(seen.bottom, innerHeight),
            pictures: [...output.querySelectorAll(".jp-RenderedImage img")].map(e => e.clientHeight) };
    };
    for (let k = 0, since = 0, before = ""; k < 300 && since < 4; k++) { // until nothing has moved for a while
        await new Promise(done => setTimeout(done, 100));
        const now = JSON.stringify(look());
        since = now === before && explorer?.getAttribute("aria-busy") !== "true" ? since + 1 : 0;
        before = now;
    }
    return look();
}
