"""A notebook from its first cell to its last, and each explorer in it, without a mouse."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from laboratory import READY, TOKEN, Page, browser_page, jupyterlab

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium"), pytest.mark.slow]
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
NOTEBOOK = "01_paired_t.ipynb"
PLACE = """() => {
    const notebook = window.jupyterapp.shell.currentWidget.content, cell = document.activeElement.closest(".jp-Cell");
    const box = document.activeElement.getBoundingClientRect();
    return {
        cell: notebook.widgets.findIndex(one => one.node === cell), active: notebook.activeCellIndex, cells: notebook.widgets.length,
        explorer: !!document.activeElement.closest(".fstats-explorer:not(.fstats-walk)"),
        explores: /^explore\\./m.test(notebook.activeCell.model.sharedModel.source),
        seen: box.bottom > 0 && box.top < innerHeight,
    };
}"""


def test_from_the_first_cell_to_the_last(tmp_path: Path) -> None:
    """Shift + Enter runs cell after cell; Tab leads into an explorer, whose slider, mark and keys do what a mouse does; Escape leaves."""
    shutil.copytree(NOTEBOOKS, tmp_path / "notebooks")
    with jupyterlab(tmp_path) as address, browser_page() as page:
        page.set_viewport_size({"width": 1280, "height": 720})
        page.goto(f"{address}/lab/tree/notebooks/{NOTEBOOK}?token={TOKEN}&reset")
        page.wait_for_selector(".jp-Notebook .jp-CodeCell")
        page.wait_for_selector(READY)
        explored, place = 0, page.evaluate(PLACE)
        assert place["cell"] == place["active"] == 0  # the first cell has the focus when a notebook opens
        while place["active"] < place["cells"] - 1:
            before, explores = place["active"], place["explores"]
            page.keyboard.press("Shift+Enter")
            page.wait_for_function("before => window.jupyterapp.shell.currentWidget.content.activeCellIndex === before + 1", arg=before)
            if explores:
                page.wait_for_function(
                    "k => window.jupyterapp.shell.currentWidget.content.widgets[k].node.querySelector('.fstats-grip')", arg=before
                )
                page.keyboard.press("ArrowUp")  # back to what has just run
                explore(page, before)
                explored += 1
                page.keyboard.press("ArrowDown")
            place = page.evaluate(PLACE)
            assert place["cell"] == place["active"] == before + 1, f"the focus is lost behind cell {before + 1}"
            assert place["seen"]
        assert explored


def explore(page: Page, cell: int) -> None:
    """Into an explorer, through all that it offers, and out of it."""
    explorer = page.locator(".fstats-explorer:not(.fstats-walk):focus-within")
    page.keyboard.press("Tab")
    assert page.evaluate(PLACE)["explorer"]
    shown = explorer.inner_html()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("([root, before]) => root.innerHTML !== before", arg=[explorer.element_handle(), shown])
    for key, what in (("w", ".fstats-work"), ("m", ".fstats-more")):
        hidden: Any = explorer.locator(what).is_hidden()
        page.keyboard.press(key)
        assert explorer.locator(what).is_hidden() != hidden
        page.keyboard.press(key)
    for _ in range(20):  # on to the mark in the picture
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.matches('.fstats-grip')"):
            break
    before = page.evaluate("() => document.activeElement.getAttribute('aria-valuenow')")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("before => document.activeElement.getAttribute('aria-valuenow') !== before", arg=before)
    page.keyboard.press("p")
    page.wait_for_function("() => document.querySelector('.fstats-present')")
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('.fstats-present') && !document.fullscreenElement")
    page.keyboard.press("Escape")
    place = page.evaluate(PLACE)
    assert (place["cell"], place["explorer"]) == (cell, False)
