"""An exercise in JupyterLab and a real Chromium: unanswered, answered wrongly by the keyboard, and the link that helps."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from laboratory import browser_page, jupyterlab, open_and_run
from looking import THEMES, arrange, serious

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]

ROOT = Path(__file__).parents[2]
IN_SIGHT = "heading => { const top = heading.getBoundingClientRect().top; return top > 0 && top < innerHeight }"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The first exercise, run from top to bottom without an answer."""
    copy = tmp_path_factory.mktemp("lab")
    for folder in ("notebooks", "exercises"):
        shutil.copytree(ROOT / folder, copy / folder)
    with jupyterlab(copy) as address, browser_page() as page:
        open_and_run(page, address, "exercises/01_paired_t_by_hand.ipynb", shows=".fstats-feedback")
        yield page


def answered(page: Page, key: str, name: str, answer: str) -> Locator:
    """Type an answer into its place as a student does, run it and its check, and give what comes back."""
    page.locator(".jp-CodeCell .cm-content").filter(has_text=f"{name} =").filter(has_not_text="check(").filter(
        has_not_text="task"
    ).first.click()
    page.keyboard.press("Control+A")
    page.keyboard.type(f"{name} = {answer}")
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    check = page.locator(".jp-CodeCell").filter(has_text=f'check("{key}"')
    feedback = check.locator(".fstats-feedback")
    feedback.filter(has_not_text="Not answered yet").wait_for()
    return feedback


def test_an_empty_exercise_asks_for_answers(page: Page) -> None:
    """No traceback anywhere, and a friendly word behind each question that is in sight."""
    assert page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']").count() == 0
    assert page.locator(".fstats-feedback").filter(has_text="Not answered yet").count()


def test_a_mistake_is_named_and_its_formula_typeset(page: Page) -> None:
    """Division by n instead of n - 1: the name, the reason, the formula as mathematics."""
    feedback = answered(page, "q3", "sd", "2.8137")
    assert "Not yet: divided by n" in feedback.inner_text()
    feedback.locator("mjx-container").wait_for()
    assert feedback.get_attribute("role") == "status"


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_serious_in_replies(page: Page, theme: str) -> None:
    """Of those that are in sight: not answered, and a mistake with its name and its formula."""
    answered(page, "q3", "sd", "2.8137")
    arrange(page, "desk", theme)
    assert serious(page, ".fstats-feedback") == []
    arrange(page, "desk", "light")


def test_what_follows_from_a_mistake_is_right_given_the_mistake(page: Page) -> None:
    """The standard error from the wrong standard deviation; and after it is mended, right."""
    assert "Right, given your earlier answer" in answered(page, "q4", "se", "2.8137 / 6 ** 0.5").inner_text()
    assert "Right" in answered(page, "q3", "sd", "3.082").inner_text()


def test_the_link_leads_to_the_section_of_the_notebook(page: Page) -> None:
    """The first click opens the notebook beside the exercise, and goes to the heading."""
    feedback = answered(page, "q6", "df", "6")
    feedback.get_by_role("link").click()
    heading = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) h2").filter(has_text="Step 4. How far is far?")
    heading.wait_for()
    page.wait_for_function(IN_SIGHT, arg=heading.element_handle())
    assert heading.evaluate(IN_SIGHT)


def test_a_link_in_the_text_leads_to_the_section_too(page: Page) -> None:
    """At the first click, into a notebook that is not open yet."""
    page.goto(page.url.partition("/lab")[0] + "/lab/tree/exercises/17_sign_test_by_hand.ipynb?reset")
    page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)").get_by_role("link", name="The relatives").click()
    heading = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) h2").filter(has_text="The relatives")
    heading.wait_for()
    page.wait_for_function(IN_SIGHT, arg=heading.element_handle())
    assert heading.evaluate(IN_SIGHT)
