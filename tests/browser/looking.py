"""What a person in the hall or with a phone sees of an explorer, measured in the page."""

from pathlib import Path
from typing import Any

from laboratory import Locator, Page

SCREENS = {"hall": (853, 480), "phone": (390, 844)}  # 1280 x 720 at 150 %; a phone held upright
DESK = 1500, 1300
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}


def script(name: str) -> str:
    """A JavaScript function of this folder, which measures a page."""
    return Path(__file__).with_name(f"{name}.js").read_text(encoding="utf-8")


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
    found: dict[str, Any] = explorer.evaluate(script("in_view"))
    return found


FAULTS = script("faults")


def faults(explorer: Locator) -> list[str]:
    """What would keep somebody out: names, values and roles, contrast, sizes to hit, focus that is seen; by WCAG's rules."""
    found: list[str] = explorer.evaluate(FAULTS)
    return found


CUT = script("cut")


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


NAMES = script("crowded")


def crowded(explorer: Locator) -> list[str]:
    """Which words of its pictures, those that are seen now, stand over each other, are too small for the last row, or are cut."""
    found: list[str] = explorer.evaluate(NAMES)
    return found
