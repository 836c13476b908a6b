"""The course in JupyterLab and a real Chromium: each slider by its name and the keyboard, each number by a fresh test; an exercise."""

import base64
import io
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pandas as pd
import pytest
from laboratory import READY, TOKEN, Locator, Page, browser_page, jupyterlab, open_and_run
from looking import DESK, SCREENS, THEMES, arrange, crowded, faults, in_view, script, serious
from shortcuts import parametrize

import fstats
from fstats import explore
from fstats.core.hypothesis import HypothesisTest
from fstats.explore.two_classifiers.mcnemar_explorer import discordant_bars
from fstats.explore.walkthrough.walk_lines import WALK_NAME
from fstats.explore.widgets.explorer import Explorer
from fstats.guide.decision_questions import QUESTIONS
from fstats.plot.drawing import matplotlib_figure
from fstats.plot.drawing.picture_marks import DARK_PAGE_COLORS, VERMILLION
from fstats.publish.notebook_content import explorer_name as stands_for
from fstats.publish.notebook_content import read_notebook
from fstats.render import row_layout
from fstats.render.display_table import WARNING_STYLE, emphasize

pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]
ROOT = Path(__file__).parents[2]
SLIDERS = "Data set to change | Score of A | Number of data sets | Level alpha | Alternative"
RANKING = (
    "Data set to change | Classifier to change | Score to change | Number of data sets | Number of classifiers | Procedure | Level alpha"
)
RATES = "Test | Number of records n | Error rate of both classifiers | Number of data sets | Level alpha"
CONTROLS = {  # of each explorer, by its notebook and its place there, counted from 0
    "00_start_here.ipynb 0": "Initial weights | Split of the data | Evaluation | Draw",
    "00_start_here.ipynb 1": "Records | Right records | Interval | Share under H0 | Level alpha",
    "01_paired_t.ipynb 0": SLIDERS,
    "01b_without_pairs.ipynb 0": "Value to compare with | Test | Data set to change | Score of A | Level alpha | Alternative",
    "02_wilcoxon.ipynb 0": f"{SLIDERS} | Differences of 0",
    "02_wilcoxon.ipynb 1": "Last score of A",
    "03_contingency_table.ipynb 0": "Only B is right | Only A is right | Test | Level alpha | Alternative",
    "03_contingency_table.ipynb 1": "Groups K | Random partition | Level alpha",
    "04_anova.ipynb 0": "Differences between data sets | Bonus for svm | Level alpha",
    "05_friedman.ipynb 0": RANKING,
    "05b_post_hoc.ipynb 0": RANKING,
    "05b_post_hoc.ipynb 1": "Number of data sets | Number of classifiers | Advantage of the first classifier | Level alpha",
    "06_cross_validation_is_not_independent.ipynb 0": "Number of splits J | Share of test records",
    "07_five_by_two.ipynb 0": "Difference in the numerator | Added to all differences | Level alpha",
    "08_bcv_mcnemar.ipynb 0": (
        "Correlation ρ₁ of the two folds of one repetition | Correlation ρ₂ of folds of different repetitions | Level alpha"
    ),
    "09_which_test.ipynb 0": " | ".join(question.text for question in QUESTIONS),
    "10_contingency_simulation.ipynb 0": (
        "Number of records N | Share on which system II is forced to be right | Number of classes | Trials | Level alpha"
    ),
    "10_contingency_simulation.ipynb 1": "Learner | Folds K | Repetitions L",
    "11_fold_hacking.ipynb 0": "Data set | Learners | Recipe for records and folds | Test | Random seed of the folds | Choice of the seed",
    "13_block_regularized_cv.ipynb 0": "Data set | Learners",
    "14_bayesian_comparison.ipynb 0": "Rope r | Added to all differences | Correlation rho | Level alpha",
    "14_bayesian_comparison.ipynb 1": "Rope r | Weight of the prior, in data sets | In the prior's data sets, C4.5+m is | Level alpha",
    "15_unstable_learners.ipynb 0": (
        "Standard deviation of a training (points) | Number of records n | Data set | Share of discordant records | Level alpha"
    ),
    "09_which_test.ipynb 1": "Number of settings tried | Number of records n | Similarity of the settings | Data set | Level alpha",
    "16_language_models.ipynb 0": (
        "Number of questions | Correlation of the models' scores | Questions in a family | Answers to each question | "
        "Benchmark | Level alpha"
    ),
    "12_type_one_error_and_power.ipynb 0": RATES,
    "12_type_one_error_and_power.ipynb 1": RATES,
}
NAMES = {explorer: controls.split(" | ") for explorer, controls in CONTROLS.items()}
CHANGES = {"Data set to change": (), "Classifier to change": (), "Score there": ("numbers",)}  # other sliders change all that is shown
CHANGES |= {question.text: () for question in QUESTIONS[1:]}  # once equivalence is asked for, two or many classifiers are told the same
# Three explorers are driven in every run, the others in the complete one: to open a notebook and run it takes half a minute.  What is
# shown after each move is held against a fresh test for all of them without a browser, in tests/explore.
ALWAYS = {  # scores that are dragged, counts, a stored study with a seed
    f"{notebook}.ipynb {place}" for notebook, place in (("01_paired_t", 0), ("03_contingency_table", 0), ("11_fold_hacking", 0))
}
assert set(NAMES) >= ALWAYS
EACH = [pytest.param(name, marks=() if name in ALWAYS else pytest.mark.slow) for name in NAMES]
with_scores = pytest.mark.parametrize(
    "opened", [each for each in EACH if {"Score of A", "Number of data sets"} <= {*NAMES[each.values[0]]}], indirect=True, scope="module"
)
one_explorer = pytest.mark.parametrize(  # in every run; tests/explore/test_explore_names.py looks at names without a browser
    "opened",
    [pytest.param(name, marks=[pytest.mark.slow] * (name != "01_paired_t.ipynb 0")) for name in NAMES],
    indirect=True,
    scope="module",
)
OPEN: dict[str, Any] = {}  # the notebook that the page shows, and what the page said since it was opened


class Noise:
    """What a page says that nobody wants to hear: errors, and requests that leave this machine."""

    def __init__(self, page: Page) -> None:
        self.errors: list[str] = []
        self.outside: list[str] = []
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self._called(request.url))
        page.on("websocket", lambda socket: self._called(socket.url))

    def _called(self, url: str) -> None:
        if urlsplit(url).scheme in ("http", "https", "ws", "wss") and urlsplit(url).hostname != "127.0.0.1":
            self.outside.append(url)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """JupyterLab on a copy of the course."""
    copy = tmp_path_factory.mktemp("lab")
    for folder in ("notebooks", "exercises"):
        shutil.copytree(ROOT / folder, copy / folder)
    with jupyterlab(copy) as address:
        yield address


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """One browser page for all tests."""
    with browser_page() as page:
        yield page


@dataclass
class Opened:
    """A notebook that was opened and run from top to bottom, one of its explorers as it started, and what the page said."""

    name: str
    page: Page
    noise: Noise
    explorer: Locator
    start: dict[str, Any]


@pytest.fixture(scope="module", params=EACH)
def opened(request: pytest.FixtureRequest, address: str, page: Page) -> Opened:
    """Each explorer of each notebook in turn."""
    notebook, place = request.param.split()
    if OPEN.get("notebook") != notebook:  # its other explorer is already there
        OPEN.update(notebook=notebook, noise=Noise(page))
        open_and_run(page, address, f"notebooks/{notebook}")
        arrange(page, "desk", "light")
    explorer = page.locator(".fstats-explorer:not(.fstats-walk)").nth(int(place))
    explorer.scroll_into_view_if_needed()
    unfold(explorer)
    return Opened(request.param, page, OPEN["noise"], explorer, settled(explorer))


def unfold(explorer: Locator, name: str = "More controls", on: bool = True) -> None:
    """Show what is folded away, or fold it again; not every explorer has more controls."""
    button = explorer.get_by_role("button", name=name)
    if button.is_visible() and (button.get_attribute("aria-expanded") == "true") != on:
        button.click()


@pytest.fixture
def explorer(opened: Opened) -> Locator:
    """The explorer of the notebook, as it starts, with all its controls."""
    arrange(opened.page, "desk", "light")
    unfold(opened.explorer)
    opened.explorer.get_by_role("button", name="Reset all controls").click()
    wait_until(lambda: without_pictures(seen(opened.explorer)) == without_pictures(opened.start))
    if seen(opened.explorer) != opened.start:  # the page has come to give it other room than when it was first seen
        opened.start = settled(opened.explorer)
    return opened.explorer


def without_pictures(shown: dict[str, Any]) -> dict[str, Any]:
    """What does not depend on the room."""
    return {part: what for part, what in shown.items() if part != "pictures"}


def wait_until(reached: Callable[[], bool]) -> None:
    """Look again until the page shows what is expected."""
    end = monotonic() + 30
    while not reached():
        assert monotonic() < end, "the page did not come to show what was expected"
        sleep(0.02)


def settled(explorer: Locator) -> dict[str, Any]:
    """What it shows as soon as that does not change any more: its pictures are drawn again for the room that they have."""
    sleep(0.2)  # until it knows its room
    shown: list[dict[str, Any]] = [{}, seen(explorer)]
    while shown[-1] != shown[-2] or explorer.get_attribute("aria-busy") != "false":
        sleep(0.2)
        shown.append(seen(explorer))
    return shown[-1]


# -- reading the page --------------------------------------------------------------------------------------------------------
def seen(explorer: Locator) -> dict[str, Any]:
    """All that an explorer shows at this moment."""
    shown: dict[str, Any] = explorer.evaluate(script("explorer_state"))
    return shown


@cache
def random_draws() -> Explorer:
    """The explorer of randomness, with the models and the data of the opening notebook."""
    from sklearn.datasets import load_wine
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    network = MLPClassifier((4,), learning_rate_init=0.1, tol=0.01, n_iter_no_change=2)
    return explore.randomness(make_pipeline(StandardScaler(), network), GaussianNB(), *load_wine(return_X_y=True))


TABLE = {"tree": [78, 65, 90, 71, 84, 59, 88, 73], "bayes": [80, 68, 91, 70, 88, 62, 87, 75], "svm": [84, 71, 92, 77, 89, 63, 92, 80]}


def demsar() -> tuple[Any, list[str]]:
    """The table of notebook 05, and its labels."""
    cases = json.loads((Path(__file__).parents[1] / "published" / "cases.json").read_text(encoding="utf-8"))
    data = next(case["data"] for case in cases if case["name"] == "demsar2006_friedman_printed_scores")
    return data["scores"], data["labels"]


@cache
def neighbours_and_bayes(test: Any) -> Any:
    """The test of notebooks 07 and 08 on their models and data."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    neighbours = make_pipeline(StandardScaler(), KNeighborsClassifier())
    return fstats.compare(neighbours, GaussianNB(), *load_breast_cancer(return_X_y=True), test=test)


@cache
def linear_and_five() -> Any:
    """The differences of two models in notebook 14."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    five = make_pipeline(StandardScaler(), KNeighborsClassifier(5))
    plan = fstats.CorrectedRepeatedKFoldT
    scores = fstats.scores_on(plan, LinearDiscriminantAnalysis("lsqr"), five, *load_breast_cancer(return_X_y=True), rng=1, progress=False)
    return scores.difference.ravel()


def c45() -> tuple[Any, Any]:
    """The scores of C4.5 in notebook 14, with their names."""
    table, names = demsar()
    return tuple(pd.Series([row[k] for row in table], name=names[k]) for k in (1, 0))  # type: ignore[return-value]


RATED = [  # the tests of notebook 12
    *(fstats.ResampledT, fstats.KFoldT, fstats.FiveByTwoT),
    *(fstats.CorrectedRepeatedKFoldT, fstats.BlockedFiveByTwoMcNemar, fstats.BlockedFiveByTwoT),
]
GUIDED = {  # explorers that are known by one of their controls, as their notebooks start them
    "right": lambda: explore.binomial_proportion(19, 20, share=0.75),  # which has a share, too: before those that do
    "strays": explore.unstable_training,  # which has a draw and a share, too: before those that do
    "tried": explore.tuning,  # which has a draw, too
    "samples": explore.two_models,  # which has a draw, too
    "rho": lambda: explore.rope(linear_and_five(), labels=["linear", "five"]),  # which moves a shift, too: before those that do
    "prior": lambda: explore.prior(*c45()),
    "first": lambda: explore.five_by_two(neighbours_and_bayes(fstats.FiveByTwoT).d),
    "epsilon": (lambda: explore.false_alarms(RATED), explore.false_alarms),  # of some tests, and of all
    "mu": lambda: explore.unpaired([85, 70, 79, 78, 83], [87, 68, 85, 75, 83], mu=75),
    "draw": random_draws,
    "away": lambda: explore.outlier([83, 79, 91, 88, 76, 85, 90, 81, 78, 84], [81, 78, 89, 87, 74, 84, 88, 80, 76, 83], reach=60),
    "apart": lambda: explore.anova(np.array(list(TABLE.values())).T, list(TABLE), step=0.5),
    "procedure": lambda: explore.ranking(*demsar(), alpha=0.1, step=0.005),
    "shift": lambda: explore.multiplicity(n=20, k=5),
    "share": lambda: explore.overlap(splits=15),
    "aim": explore.which_test,
    "trials": explore.contingency_simulation,
    "learner": lambda: explore.repeated_folds(learner="1-nearest neighbour"),
    "wanted": lambda: explore.fold_hacking("iris", ("GNB", "KNN"), seed=213),
    "rho1": lambda: explore.bcv_mcnemar(neighbours_and_bayes(fstats.BlockedFiveByTwoMcNemar).tables),
    "data": explore.correlations,  # which the fold experiment has, too: its own control stands above
}


def guide(shown: dict[str, Any]) -> Any:
    """An explorer made afresh and moved to where the page's sliders stand, whose places there mean what they mean in the page."""
    made = next(made for control, made in GUIDED.items() if control in shown["places"])
    *others, guided = [_guide(one, tuple(shown["places"].items())) for one in (made if isinstance(made, tuple) else (made,))]
    for other in others:  # two that start alike are told apart by what their pictures say
        if [picture.text for picture in other.pictures(other.test)] == shown["words"]:
            guided = other
    assert {control.name: control.text for control in guided.controls} == shown["positions"]
    return guided


@cache
def _guide(made: Callable[[], Any], places: tuple[tuple[str, int], ...]) -> Any:
    guided = made()
    for control in guided.controls:
        place = min(dict(places)[control.name], guided.control(control.name).most)
        if control.value != place:
            guided.move(**{control.name: place})
    return guided


def fresh(shown: dict[str, Any]) -> HypothesisTest:
    """The test of the scores or counts that stand in the page, with the settings that its sliders name."""
    numbers, positions = shown["numbers"], shown["positions"]
    if "n01" in positions:
        n01, n10, alpha = int(positions["n01"]), int(positions["n10"]), float(positions["alpha"])
        if positions["test"].startswith("χ²"):
            return fstats.McNemar(n01, n10, correction=positions["test"] == "χ², corrected", alpha=alpha)
        counted = {"exact": fstats.McNemarExact, "mid-p": fstats.McNemarMidP}[positions["test"]]
        return counted(n01, n10, alpha=alpha, alternative=positions["alternative"])
    if GUIDED.keys() & positions.keys():
        return guide(shown).test
    if "k" in positions:
        groups, size = map(int, positions["k"].split(" times "))
        a, b = ([round(size * float(numbers[f"{side}[{k}]"])) / size for k in range(groups)] for side in "ab")
        return fstats.PairedT(a, b, alpha=float(positions["alpha"]))
    a, b = ([float(numbers[f"{side}[{k}]"]) for k in range(int(positions["n"]))] for side in "ab")
    settings = {"zeros": positions["zeros"]} if "zeros" in positions else {}
    test_class = getattr(fstats, shown["name"].split()[0])  # "PairedT with sliders"
    test: HypothesisTest = test_class(a, b, alpha=float(positions["alpha"]), alternative=positions["alternative"], **settings)
    return test


def assert_all_from(test: HypothesisTest, shown: dict[str, Any]) -> None:
    """Every number, the pictures and the conclusion in the page are those of this test."""
    rows = {row.name: row for row in test.worked()}
    for step, text in shown["numbers"].items():
        name, _, entry = step.partition("[")
        place = tuple(map(int, entry[:-1].split(","))) if entry else ()
        value = rows[name].value
        if np.ndim(value) == 4:  # shown as a table: two indices along the lines, two along the columns
            value = np.reshape(value, (value.shape[0] * value.shape[1], -1))
        right = row_layout.format_cell(rows[name], value[place]) if entry else row_layout.format_value(rows[name])
        assert text == right, step
    if GUIDED.keys() & shown["positions"].keys():
        told = {row.name for row in test.worked() if not row.is_names} - {"alternative", "claim", "conclusion"}
        assert told == {name for name in (step.partition("[")[0] for step in shown["numbers"]) if not rows[name].is_names}
        assert shown["words"] == [picture.text for picture in guide(shown).pictures(test)]
        assert (shown["roles"], shown["conclusion"]) == (["img"] * len(shown["words"]), test.conclusion)
        return
    assert {"n", "statistic", "pvalue", "critical_value", "reject", "effect_size", "alpha"} <= shown["numbers"].keys()
    said, words = list(shown["words"]), [test.plot().text]
    if isinstance(test, (fstats.PairedT, fstats.SignedRank)):
        assert "d[0]" in shown["numbers"]
        words.insert(0, fstats.plot.scores(test).text)
    else:
        words.insert(0, discordant_bars(int(shown["positions"]["n01"]), int(shown["positions"]["n10"])).text)
    if "k" in shown["positions"]:  # and p for all partitions, which no single test knows
        words[0] = words[0].replace("data sets", "groups")
        assert said.pop(0).endswith(f"The partition shown has p = {shown['numbers']['pvalue']}.")
    assert (said, shown["roles"], shown["conclusion"]) == (words, ["img"] * len(shown["words"]), test.conclusion)


def control(explorer: Locator, label: str) -> Locator:
    """The control of this name: a slider, or the chosen one of its buttons."""
    group = explorer.get_by_role("radiogroup", name=label, exact=True)
    return group.locator("input:checked") if group.count() else explorer.get_by_role("slider", name=label, exact=True)


def press(explorer: Locator, label: str, key: str) -> None:
    """Press a key on the control of this name, and wait until the page shows the answer."""
    before = seen(explorer)["positions"]
    control(explorer, label).focus()
    explorer.page.keyboard.press(key)
    wait_until(lambda: seen(explorer)["positions"] != before and explorer.get_attribute("aria-busy") == "false")


def onwards(explorer: Locator, label: str) -> str:
    """The key that moves this slider on, or back where it stands at its end; buttons go round."""
    slider = control(explorer, label)
    return "ArrowLeft" if slider.input_value() == slider.get_attribute("max") else "ArrowRight"


# -- the tests ---------------------------------------------------------------------------------------------------------------
def test_every_explorer_of_every_notebook_is_driven() -> None:
    found = set()
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        outputs = [output for cell in read_notebook(path).cells for output in cell.get("outputs", ())]
        explorers = [name for name in map(stands_for, outputs) if name and not name.startswith(WALK_NAME)]
        found |= {f"{path.name} {place}" for place in range(len(explorers))}
    assert found == set(NAMES)


@pytest.mark.one_case
def test_every_slider_has_its_name_and_obeys_the_keyboard(opened: Opened, explorer: Locator) -> None:
    """Each one by its accessible name: a key press changes what the page shows, and all of it is a fresh test's."""
    labels = NAMES[opened.name]
    assert explorer.locator("[type=range], [role=radiogroup]").count() == len(labels)
    assert_all_from(fresh(opened.start), opened.start)
    for label in labels:
        before = seen(explorer)
        if control(explorer, label).is_disabled():  # it does not matter while the others stand as they do
            assert opened.name.startswith("09_which_test")
            continue
        press(explorer, label, onwards(explorer, label))
        after = seen(explorer)
        assert after["positions"] != before["positions"], label
        for part in CHANGES.get(label, ("numbers", "pictures", "conclusion")):
            assert after[part] != before[part], f"{label}: {part}"
        assert_all_from(fresh(after), after)


@with_scores
def test_the_conclusion_follows_the_score(explorer: Locator) -> None:
    said = set()
    for _ in range(6):
        press(explorer, "Score of A", "ArrowLeft")
        shown = seen(explorer)
        assert f"p = {shown['numbers']['pvalue']}" in shown["conclusion"]
        said.add((shown["numbers"]["a[0]"], shown["words"][0]))
    assert len(said) == 6


@with_scores
def test_no_press_is_lost(opened: Opened, explorer: Locator) -> None:
    """An answer to an early press must not put the slider back that has moved on meanwhile."""
    explorer.get_by_role("slider", name="Score of A", exact=True).focus()
    for _ in range(10):
        opened.page.keyboard.press("ArrowRight")
        sleep(0.01)  # the next one comes before the answer
    wait_until(lambda: float(seen(explorer)["numbers"]["a[0]"]) == float(opened.start["numbers"]["a[0]"]) + 10)
    shown = seen(explorer)
    assert_all_from(fresh(shown), shown)


@with_scores
@parametrize("label, control, keys", ("Data set to change", "dataset", ["ArrowRight"] * 3), ("Number of data sets", "n", ["ArrowLeft"] * 2))
def test_a_key_held_down_changes_no_score(opened: Opened, explorer: Locator, label: str, control: str, keys: list[str]) -> None:
    """Presses come faster than answers; the score slider follows the chosen data set and must move nothing by itself."""
    if control == "n":  # the last data set is the chosen one, and goes
        explorer.get_by_role("slider", name="Data set to change").press("End")
        wait_until(lambda: seen(explorer)["positions"]["dataset"] == f"number {opened.start['positions']['n']}")
    explorer.get_by_role("slider", name=label, exact=True).focus()
    for key in keys:
        opened.page.keyboard.press(key)  # without waiting for the answer
    end = "number 4" if control == "dataset" else str(int(opened.start["positions"]["n"]) - 2)
    wait_until(lambda: seen(explorer)["positions"][control] == end)
    shown = seen(explorer)
    assert_all_from(fresh(shown), shown)
    scores = {step: text for step, text in shown["numbers"].items() if step.startswith("a[")}
    assert scores.items() <= opened.start["numbers"].items()


def test_start_again(opened: Opened, explorer: Locator) -> None:
    for label in NAMES[opened.name][1:3] or NAMES[opened.name]:
        assert control(explorer, label).is_enabled()
        press(explorer, label, onwards(explorer, label))
    assert seen(explorer) != opened.start
    explorer.get_by_role("button", name="Reset all controls").press("Enter")
    wait_until(lambda: seen(explorer) == opened.start)


@pytest.fixture(scope="module")
def first_page(address: str, page: Page) -> Noise:
    """JupyterLab as it starts, on the page of contents, and what it says."""
    OPEN.clear()  # whoever comes next opens his notebook again
    noise = Noise(page)
    page.goto(f"{address}/lab/tree/notebooks/contents.ipynb?token={TOKEN}&reset")
    page.locator(".jp-RenderedMarkdown table a").first.wait_for()
    page.wait_for_selector(READY)
    return noise


def test_the_first_page_is_quiet_and_its_links_look_like_links(first_page: Noise, page: Page) -> None:
    """No question about news stands over the page of contents; its links are underlined; printed lines do not break inside words."""
    assert page.evaluate("window.jupyterapp.isPluginActivated('@jupyterlab/apputils-extension:notification')")  # it would be shown
    sleep(3)  # the question came within a second after the start
    assert (page.locator(".Toastify__toast").count(), first_page.outside) == (0, [])
    links = page.locator(".jp-RenderedMarkdown table a")
    assert set(links.evaluate_all("all => all.map(a => getComputedStyle(a).textDecorationLine)")) == {"underline"}
    broken = page.evaluate(
        """() => {
            const box = document.body.appendChild(document.createElement("div"));
            box.className = "jp-RenderedText";
            box.innerHTML = "<pre></pre>";
            const found = getComputedStyle(box.firstChild).wordBreak;
            box.remove();
            return found;
        }"""
    )
    assert broken == "normal"
    arrange(page, "desk", "dark")
    alarm = page.evaluate(
        """html => {
            const box = document.querySelector(".jp-Notebook").appendChild(document.createElement("div"));
            box.className = "jp-RenderedHTML";
            box.innerHTML = html;
            const found = getComputedStyle(box.firstChild).color;
            box.remove();
            return found;
        }""",
        emphasize("printed → computed", WARNING_STYLE).html,
    )
    arrange(page, "desk", "light")
    assert alarm == "rgb({}, {}, {})".format(*bytes.fromhex(DARK_PAGE_COLORS[VERMILLION][1:]))


@pytest.mark.usefixtures("first_page")
def test_pictures_of_the_course_are_dark_on_a_dark_page_and_those_of_others_stay(page: Page) -> None:
    """Light and dark change places in what the library draws; a photograph would be spoilt by it."""
    pictures = {"ours": matplotlib_figure.figure_png(fstats.plot.null(fstats.PairedT([1, 2, 4], [2, 2, 2]))), "theirs": drawn_by_others()}
    filters = {}
    for theme in THEMES:
        arrange(page, "desk", theme)
        for whose, png in pictures.items():
            filters[theme, whose] = page.evaluate(
                """png => {
                    const box = document.querySelector(".jp-Notebook").appendChild(document.createElement("div"));
                    box.className = "jp-RenderedImage";
                    box.append(Object.assign(new Image(), { src: `data:image/png;base64,${png}` }));
                    const found = getComputedStyle(box.firstChild).filter;
                    box.remove();
                    return found;
                }""",
                base64.b64encode(png).decode(),
            )
    arrange(page, "desk", "light")
    assert (filters.pop(("dark", "ours")), set(filters.values())) == ("invert(0.92) hue-rotate(180deg)", {"none"})


def drawn_by_others() -> bytes:
    """A picture as matplotlib makes it by itself."""
    from matplotlib.figure import Figure

    buffer = io.BytesIO()
    Figure().savefig(buffer, format="png")
    return buffer.getvalue()


# -- on the screen of a hall, and on a phone ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("screen", "theme"),
    [
        pytest.param(screen, theme, marks=() if (screen, theme) in (("hall", "light"), ("phone", "dark")) else pytest.mark.slow)
        for screen in SCREENS
        for theme in THEMES
    ],
)
def test_question_sentence_controls_and_picture_are_seen_at_once(opened: Opened, screen: str, theme: str) -> None:
    """What else there is is folded away; all words can be read from the back row (18 pixels of 720: 12 at 150 %), and on a phone."""
    unfold(opened.explorer, on=False)
    arrange(opened.page, screen, theme)
    found = in_view(opened.explorer)
    assert set(found["beyond"]) == {"question", "sentence", "controls", "picture"}
    assert max(found["beyond"].values()) <= 1, found
    assert found["covered"] == []
    assert 1 <= found["controls"] <= 3
    assert found["folded"]
    assert sorted(turned_over(opened.explorer)) == list(range(opened.explorer.locator(".fstats-picture").count()))
    assert found["too_wide"] == 0
    assert found["smallest"] >= 12, found
    assert found["picture"][1] >= 120
    assert (found["paper"], found["ink"]) == {"light": (PAPER, INK), "dark": (INK_OF_DARK, PAPER_OF_DARK)}[theme]
    unfold(opened.explorer)
    assert faults(opened.explorer) == []
    arrange(opened.page, screen, "light")


def test_a_screen_that_becomes_lower_leaves_no_gap(opened: Opened) -> None:
    """The window is as wide as before: a sentence that moves from its column to the whole width keeps no height of the column."""
    unfold(opened.explorer, on=False)
    width, height = SCREENS["hall"]
    try:
        for high in (2 * height, height):
            arrange(opened.page, "hall", "light")
            opened.page.set_viewport_size({"width": width, "height": high})
            settled(opened.explorer)
            found = in_view(opened.explorer)
        assert max(found["beyond"].values()) <= 1, found
        assert found["covered"] == []
        room = "e => e.offsetHeight - [...e.children].reduce((high, part) => high + part.offsetHeight, 0)"
        assert opened.explorer.locator(".fstats-said").evaluate(room) < 2 * 19  # not two lines that nothing fills
    finally:
        unfold(opened.explorer)


def turned_over(explorer: Locator) -> list[int]:
    """The pictures that one sees, by their places, if one presses the button for the next ones until the first come again."""
    next_ones, found = explorer.locator(".fstats-act", has_text="Picture"), list[int]()
    while True:
        now: list[int] = explorer.evaluate(
            "root => [...root.querySelectorAll('.fstats-picture')].flatMap((e, k) => e.getClientRects().length ? [k] : [])"
        )
        if now[0] in found:
            return found
        found += now
        if next_ones.is_visible():
            assert max(in_view(explorer)["beyond"].values()) <= 1
            next_ones.click()


def test_beside_the_file_browser_nothing_is_cut(opened: Opened) -> None:
    """Half the screen is left: everything moves closer together, and the picture is smaller but whole."""
    unfold(opened.explorer, on=False)
    arrange(opened.page, "hall", "light", files=True)
    settled(opened.explorer)
    found = in_view(opened.explorer)
    if opened.explorer.locator(".fstats-question").is_hidden():  # what comes first is left out where a picture has no room below it
        del found["beyond"]["question"]
    assert max(found["beyond"].values()) <= 1, found
    assert found["folded"]
    assert found["too_wide"] == 0
    assert found["smallest"] >= 11.95, found
    assert found["picture"][1] >= 120
    assert faults(opened.explorer) == []
    arrange(opened.page, "hall", "light")


@one_explorer
@pytest.mark.parametrize("files", [False, True], ids=["page alone", "beside the file browser"])
def test_no_names_stand_over_each_other_at_any_width(opened: Opened, files: bool) -> None:
    """Nor are any below 12 pixels: labels leave before that.  853 pixels are 1280 at 150 %, of which a file browser leaves 523."""
    unfold(opened.explorer, on=False)
    found = {}
    try:
        for width in (480, 523, 640, 775, 853, 1280):
            arrange(opened.page, "hall", "light", files=files)
            opened.page.set_viewport_size({"width": width, "height": 720 if width == 1280 else 480})
            settled(opened.explorer)
            in_view(opened.explorer)
            for turn in range(opened.explorer.locator(".fstats-picture").count()):
                found[width, turn] = crowded(opened.explorer)
                if not (onward := opened.explorer.locator(".fstats-act", has_text="Picture")).is_visible():
                    break
                onward.click()
    finally:
        arrange(opened.page, "hall", "light")
    assert {place: faulty for place, faulty in found.items() if faulty} == {}


@one_explorer
@pytest.mark.parametrize("theme", [pytest.param("light", marks=pytest.mark.slow), "dark"])
def test_axe_finds_nothing_serious(opened: Opened, theme: str) -> None:
    arrange(opened.page, "desk", theme)
    unfold(opened.explorer)
    unfold(opened.explorer, "Worked steps")
    opened.explorer.evaluate("root => root.setAttribute('data-looked-at', '')")
    try:
        assert serious(opened.page, "[data-looked-at]") == []
    finally:
        opened.explorer.evaluate("root => root.removeAttribute('data-looked-at')")
        unfold(opened.explorer, "Worked steps", on=False)
        arrange(opened.page, "desk", "light")


PAPER, INK = "rgb(255, 255, 255)", "rgb(0, 0, 0)"
INK_OF_DARK, PAPER_OF_DARK = "rgb(22, 22, 22)", "rgb(242, 242, 242)"


def test_worked_steps_unfold_and_keep_to_their_room(opened: Opened, explorer: Locator) -> None:
    """By mouse and by a key, and the browser remembers it; each value is seen, however long its formula is."""
    button = explorer.get_by_role("button", name="Worked steps")
    button.click()
    assert button.get_attribute("aria-expanded") == "true"
    for width in (DESK[0], SCREENS["hall"][0], SCREENS["phone"][0]):
        opened.page.set_viewport_size({"width": width, "height": 800})
        beyond = explorer.evaluate(
            """root => {
                const edge = root.getBoundingClientRect().right + 1;
                return [...root.querySelectorAll(".fstats-work .fstats-lines, .fstats-lines [data-step], .fstats-work > div")]
                    .filter(e => e.getBoundingClientRect().right > edge).map(e => e.textContent.slice(0, 60));
            }"""
        )
        assert beyond == []
    kept = "Object.entries(localStorage).filter(([name, value]) => name.startsWith('fstats: ') && JSON.parse(value).work).length"
    assert opened.page.evaluate(kept) == 1
    button.press("w")
    assert (button.get_attribute("aria-expanded"), opened.page.evaluate(kept)) == ("false", 0)


def test_worked_tables_of_the_notebook_keep_to_their_page(opened: Opened) -> None:
    """As cells show them, typeset by MathJax: nothing reaches beyond, and what is too wide scrolls in its own cell."""
    shown = opened.page.add_style_tag(content=".jp-Cell { content-visibility: visible !important }")  # also where nobody has scrolled to
    for width in (DESK[0], 1400, SCREENS["hall"][0]):
        opened.page.set_viewport_size({"width": width, "height": DESK[1]})
        opened.page.wait_for_timeout(200)
        beyond = opened.page.evaluate(
            """() => [...document.querySelectorAll(".jp-OutputArea-output .fstats")].map(e => e.parentElement)
                .filter(page => page.scrollWidth > page.clientWidth + 1).map(page => [page.scrollWidth - page.clientWidth,
                    page.innerText.slice(0, 60)])"""
        )
        assert beyond == []
    shown.evaluate("style => style.remove()")


def test_subscripts_are_lowered(explorer: Locator) -> None:
    unfold(explorer, "Worked steps")
    lowered = explorer.evaluate(
        """root => [...root.querySelectorAll("msub")].filter(e => e.getClientRects().length
            && [...e.children].every(part => part.matches("mi, mn")))
            .map(e => [...e.children].map(part => part.getBoundingClientRect().bottom)).map(([base, sub]) => sub - base)"""
    )
    assert all(by > 1 for by in lowered), lowered
    unfold(explorer, "Worked steps", on=False)


def test_one_click_presents(opened: Opened, explorer: Locator) -> None:
    """It fills the screen, in large type; Escape and the button lead back."""
    arrange(opened.page, "hall", "light")
    before = float(explorer.evaluate("e => parseFloat(getComputedStyle(e).fontSize)"))
    for leave in (lambda: opened.page.keyboard.press("Escape"), lambda: explorer.get_by_role("button", name="Leave full screen").click()):
        explorer.get_by_role("button", name="Full screen with large text").click()
        wait_until(lambda: explorer.evaluate("e => e.clientWidth === innerWidth && e.clientHeight === innerHeight"))
        assert float(explorer.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")) >= before + 1
        leave()
        wait_until(lambda: explorer.evaluate("e => !e.matches('.fstats-present') && e.clientWidth < innerWidth"))


def test_a_mark_is_moved_by_mouse_by_touch_and_by_the_keyboard(opened: Opened, explorer: Locator) -> None:
    """Its slider follows, and all else; explorers whose pictures hold no number that one may move have no such mark."""
    grips = explorer.locator(".fstats-grip")
    if not grips.count():
        pytest.skip("no mark of this explorer's pictures is a number that moves")
    grip, page = grips.first, opened.page
    grip.scroll_into_view_if_needed()
    at_end = grip.get_attribute("aria-valuenow") == grip.get_attribute("aria-valuemax")
    key, sign = ("ArrowDown", -1) if at_end else ("ArrowUp", 1)

    def moved(do: Callable[[], None]) -> None:
        before = seen(explorer)
        do()
        wait_until(lambda: seen(explorer)["positions"] != before["positions"] and explorer.get_attribute("aria-busy") == "false")
        after = seen(explorer)
        assert after["numbers"] != before["numbers"]
        assert_all_from(fresh(after), after)

    def far() -> tuple[float, float, float, float]:
        """From the middle of the mark a sixth of the picture along its axis."""
        box, picture = grip.bounding_box(), explorer.locator(".fstats-picture svg").first.bounding_box()
        assert box
        assert picture
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if grip.get_attribute("data-along") == "x":
            return x, y, x + sign * picture["width"] / 6, y
        return x, y, x, y - sign * picture["height"] / 6

    def drag() -> None:
        x, y, to_x, to_y = far()
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(to_x, to_y, steps=3)
        page.mouse.up()

    def touch() -> None:
        x, y, to_x, to_y = far()
        hand = page.context.new_cdp_session(page)
        hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        hand.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": to_x, "y": to_y}]})
        hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        hand.detach()

    moved(lambda: grip.press(key))
    for way in (drag, touch):
        explorer.get_by_role("button", name="Reset all controls").click()
        wait_until(lambda: seen(explorer)["positions"] == opened.start["positions"])
        moved(way)


def test_hatches_are_an_explorers_own(explorer: Locator) -> None:
    """A hatch that another explorer on the page defines disappears with it, as soon as JupyterLab hides that one."""
    used, defined, elsewhere = explorer.evaluate(
        """own => [
            [...own.innerHTML.matchAll(/url\\(#([^)]+)\\)/g)].map(found => found[1]),
            [...own.querySelectorAll("pattern")].map(pattern => pattern.id),
            [...document.querySelectorAll("pattern")].filter(pattern => !own.contains(pattern)).map(pattern => pattern.id),
        ]"""
    )
    assert set(used) <= set(defined)
    assert not set(defined) & set(elsewhere)


def test_the_page_is_quiet(opened: Opened) -> None:
    assert (opened.noise.errors, opened.noise.outside) == ([], [])


# -- an exercise: unanswered, answered wrongly by the keyboard, and the link that helps --------------------------------------------
IN_SIGHT = "heading => { const top = heading.getBoundingClientRect().top; return top > 0 && top < innerHeight }"


@pytest.fixture(scope="module")
def exercise(address: str, page: Page) -> Page:
    """The first exercise, run from top to bottom without an answer."""
    OPEN.clear()
    open_and_run(page, address, "exercises/01_paired_t_by_hand.ipynb", shows=".fstats-feedback")
    arrange(page, "desk", "light")
    return page


def answered(page: Page, key: str, name: str, answer: str) -> Locator:
    """Type an answer into its place as a student does, run it and its check, and give what comes back."""
    page.locator(".jp-CodeCell .cm-content").filter(has_text=f"{name} =").filter(has_not_text="check(").filter(
        has_not_text="task"
    ).first.click()
    page.keyboard.press("Control+A")
    page.keyboard.type(f"{name} = {answer}")
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    feedback = page.locator(".jp-CodeCell").filter(has_text=f'check("{key}"').locator(".fstats-feedback")
    feedback.filter(has_not_text="Not answered yet").wait_for()
    return feedback


def test_an_empty_exercise_asks_for_answers(exercise: Page) -> None:
    """No traceback anywhere, and a friendly word behind each question that is in sight."""
    assert exercise.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']").count() == 0
    assert exercise.locator(".fstats-feedback").filter(has_text="Not answered yet").count()


def test_a_mistake_is_named_and_its_formula_typeset(exercise: Page) -> None:
    """Division by n instead of n - 1: the name, the reason, the formula as mathematics."""
    feedback = answered(exercise, "q3", "sd", "2.8137")
    assert "Not yet: divided by n" in feedback.inner_text()
    feedback.locator("mjx-container").wait_for()
    assert feedback.get_attribute("role") == "status"


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_serious_in_replies(exercise: Page, theme: str) -> None:
    """Of those that are in sight: not answered, and a mistake with its name and its formula."""
    answered(exercise, "q3", "sd", "2.8137")
    arrange(exercise, "desk", theme)
    assert serious(exercise, ".fstats-feedback") == []
    arrange(exercise, "desk", "light")


def test_what_follows_from_a_mistake_is_right_given_the_mistake(exercise: Page) -> None:
    """The standard error from the wrong standard deviation; and after it is mended, right."""
    assert "Right, given your earlier answer" in answered(exercise, "q4", "se", "2.8137 / 6 ** 0.5").inner_text()
    assert "Right" in answered(exercise, "q3", "sd", "3.082").inner_text()


def test_the_link_leads_to_the_section_of_the_notebook(exercise: Page) -> None:
    """The first click opens the notebook beside the exercise, and goes to the heading."""
    answered(exercise, "q6", "df", "6").get_by_role("link").click()
    heading = exercise.locator(".jp-NotebookPanel:not(.lm-mod-hidden) h2").filter(has_text="Step 4. How far is far?")
    heading.wait_for()
    exercise.wait_for_function(IN_SIGHT, arg=heading.element_handle())
    assert heading.evaluate(IN_SIGHT)


def test_a_link_in_the_text_leads_to_the_section_too(exercise: Page) -> None:
    exercise.goto(exercise.url.partition("/lab")[0] + "/lab/tree/exercises/17_sign_test_by_hand.ipynb?reset")
    exercise.locator(".jp-NotebookPanel:not(.lm-mod-hidden)").get_by_role("link", name="The relatives").click()
    heading = exercise.locator(".jp-NotebookPanel:not(.lm-mod-hidden) h2").filter(has_text="The relatives")
    heading.wait_for()
    exercise.wait_for_function(IN_SIGHT, arg=heading.element_handle())
    assert heading.evaluate(IN_SIGHT)
