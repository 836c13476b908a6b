"""A deck in a hall and three phones in a real Chromium: what is asked, chosen, counted and answered, as the room sees it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from laboratory import PATIENCE, Page
from looking import SCREENS, cut, serious

from fstats.publish.audience_poll.lecture_command import _write_deck
from fstats.publish.audience_poll.poll_connections import PollConnections
from fstats.publish.audience_poll.poll_questions import poll_questions
from fstats.publish.audience_poll.poll_server import PollServer
from fstats.publish.notebook_content import read_notebook
from fstats.publish.slide_deck import write_deck

sys.path.append(str(Path(__file__).parents[1] / "publish"))
from phones import lesson

GO = "e => { const { h, v } = Reveal.getIndices(e.closest('section')); Reveal.slide(h, v); }"
pytestmark = [pytest.mark.browser, pytest.mark.needs("chromium")]


class Looked:
    """A page, and what it complained of."""

    def __init__(self, browser: Page, **how: Any) -> None:
        self.page = browser.context.browser.new_context(**how).new_page()
        self.page.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.asked: set[str] = set()
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.asked.add("/".join(request.url.split("/")[:3])))

    def says(self, where: str, words: str) -> None:
        """Wait until something says this."""
        self.page.locator(where).filter(has_text=words).first.wait_for()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[PollConnections]:
    """A lesson's deck in a room."""
    notebook, to = lesson(tmp_path), tmp_path / "deck"
    page = write_deck(notebook, to)
    (tmp_path / "pages" / "notebooks").mkdir(parents=True)
    (tmp_path / "pages" / "notebooks" / "01_luck.html").write_text("<title>Move</title>")
    with PollServer(poll_questions(read_notebook(notebook).cells), to, "", 0, tmp_path / "room.jsonl", tmp_path / "pages") as made:
        made.add_votes_to_deck(page.name, "notebooks/01_luck.html")
        yield made.connections


@pytest.fixture
def hall(room: PollConnections, browser: Page) -> Iterator[tuple[Looked, list[Looked]]]:
    """The deck at 1280 x 720, and three phones, one of them dark; in the end nobody has complained, or asked anybody else."""
    width, height = SCREENS["phone"]
    deck = Looked(browser, viewport={"width": 1280, "height": 720})
    deck.page.goto(f"{room.deck_url}01_luck.html")
    deck.page.wait_for_selector("[data-ready]")
    phones = []
    for scheme in ("light", "dark", "light"):
        phones.append(Looked(browser, viewport={"width": width, "height": height}, has_touch=True, is_mobile=True, color_scheme=scheme))
        phones[-1].page.goto(room.phone_url)
        phones[-1].says("#said", "You are connected.")
    yield deck, phones
    for one in [deck, *phones]:
        assert one.complaints == []
        one.page.context.close()
    assert deck.asked <= {room.deck_url.rpartition("/")[0].rpartition("/")[0], "data:"}
    for one in phones:
        assert one.asked <= {room.phone_url.partition("/r/")[0], room.phone_url.partition("/r/")[0].replace("http", "ws"), "data:"}


def looks_well(phone: Looked) -> None:
    """Nothing is cut, nothing is too small for a thumb, nobody is kept out."""
    assert cut(phone.page, "main") == []
    small = "[...document.querySelectorAll('button, input')].filter(e => e.offsetParent && e.offsetHeight < 44).map(e => e.outerHTML)"
    assert phone.page.evaluate(small) == []
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= SCREENS["phone"][0]
    assert serious(phone.page) == []


def fits(deck: Looked) -> None:
    """Nothing of the slide is cut or scrolls."""
    assert deck.page.evaluate("Reveal.getCurrentSlide().scrollHeight") <= 720
    assert cut(deck.page, "section.present section.present") == []


def test_a_poll_and_its_answer(room: PollConnections, hall: tuple[Looked, list[Looked]]) -> None:
    deck, phones = hall
    deck.page.keyboard.press("ArrowRight")
    deck.says(".present .present .fstats-join b", room.phone_url.removeprefix("http://"))
    assert deck.page.evaluate("document.querySelector('section.present section.present .fstats-join img').naturalWidth") > 100
    assert deck.page.locator(".present .present h2").inner_text() == "p is 73 %. What does that say?"
    for phone, choice in zip(phones, (0, 1, 1)):
        phone.says("#question", "p is 73 %. What does that say?")
        assert phone.page.locator("button math").count() == 1
        looks_well(phone)
        phone.page.locator("button").nth(choice).tap()
        phone.says("#said", "Your vote has arrived.")
    phones[0].page.evaluate("for (let k = 0; k < 15; k += 1) document.querySelectorAll('button')[k % 2].click()")
    phones[0].says("#said", "Refused: the votes came too fast. Wait a second.")
    phones[0].page.locator("button").nth(1).tap()  # who changes his mind, however often
    phones[0].says("#said", "Your vote has arrived.")
    deck.says(".present .present .fstats-join", "3 answered, 3 here")
    assert deck.page.locator(".fstats-count.fstats-told").count() == 0  # a bet holds: the votes come on a key
    fits(deck)
    deck.page.keyboard.press("ArrowRight")
    deck.says(".fstats-count.fstats-told", "3 (100 %)")
    assert [one.text_content() for one in deck.page.locator(".fstats-count.fstats-told").all()] == ["0 (0 %)", "3 (100 %)"]
    assert not any("secret reason" in phone.page.content() for phone in phones)
    fits(deck)
    deck.page.keyboard.press("ArrowRight")
    deck.says(".fstats-count.fstats-told", "✓ right")
    fits(deck)
    for phone in phones:
        phone.says("#said", "The answer is on the slide; your vote is marked.")
        phone.says(".why", "the secret reason")
        assert (phone.page.locator("button.right").count(), phone.page.locator("button:enabled").count()) == (1, 0)
        looks_well(phone)
    deck.page.keyboard.press("ArrowLeft")
    deck.page.keyboard.press("ArrowLeft")
    deck.page.locator(".fstats-count.fstats-told").first.wait_for(state="detached")
    deck.page.keyboard.press("PageUp")
    for phone in phones:
        phone.says("#said", "The next question appears here automatically.")


def test_a_bet_holds_until_it_is_answered_at_the_end(hall: tuple[Looked, list[Looked]]) -> None:
    deck, phones = hall
    for _ in range(4):
        deck.page.keyboard.press("ArrowRight")
    for phone, number in zip(phones, ("12", "9,5 %", "40")):
        phone.says("#question", "How many of 200 tests reject?")
        looks_well(phone)
        phone.page.locator("button").tap()
        phone.says("#said", "Please type a number in each field.")
        phone.page.locator("input").fill(number)
        phone.page.keyboard.press("Enter")
        phone.says("#said", "Your number has arrived.")
    deck.says(".present .present .fstats-join", "3 answered")
    deck.page.keyboard.press("ArrowRight")
    drawn = deck.page.locator("section.present section.present .fstats-chart svg")
    deck.page.locator(".fstats-chart circle").nth(2).wait_for()
    assert drawn.get_attribute("aria-label") == "Numbers: 3, from 9.5 to 40, median 12."
    fits(deck)
    deck.page.keyboard.press("ArrowRight")
    deck.page.locator(".present .present .fragment.visible", has_text="Now look.").wait_for()
    phones[0].page.locator("input").fill("13")
    phones[0].page.keyboard.press("Enter")
    deck.page.locator(".present .present .fstats-chart svg[aria-label$='median 13.']").wait_for()  # it is no answer, and the bet is open
    deck.page.locator("section[data-bet]:not(:has(section)) .fstats-again").evaluate(GO)
    for phone in phones:
        phone.says("#said", "This question is closed.")
        assert "the curve says so" not in phone.page.content()
    deck.page.locator(".present .present .fstats-chart svg[aria-label$='median 13.']").wait_for()
    deck.page.keyboard.press("ArrowRight")
    deck.page.locator(".present .present .fstats-chart svg[aria-label$='Right: 14.']").wait_for()
    fits(deck)
    for phone in phones:
        phone.says(".why", "the curve says so")


def test_the_rooms_own_numbers_go_into_the_cell(hall: tuple[Looked, list[Looked]]) -> None:
    deck, phones = hall
    deck.page.locator("section[data-poll=own] .fstats-join").evaluate(GO)
    for k, phone in enumerate(phones):
        phone.says("#question", "Your own numbers")
        for field, number in zip(phone.page.locator("input").all(), (80 + k, 70.5)):
            field.fill(str(number))
        looks_well(phone)
        phone.page.locator("button").tap()
        phone.says("#said", "Your number has arrived.")
    deck.says(".present .present .fstats-join", "3 answered")
    deck.page.locator("section.present .fstats-join button").click()
    lines = deck.page.locator('.cell[data-cell="own"] pre').text_content()
    assert lines == "ours = [80, 81, 82]\nyours = apply_test(PairedT, ours, [70.5, 70.5, 70.5])"
    fits(deck)


def test_a_phone_that_was_away_and_a_deck_that_is_loaded_again(room: PollConnections, hall: tuple[Looked, list[Looked]]) -> None:
    deck, (one, *_) = hall
    deck.page.keyboard.press("ArrowRight")
    one.says("button", "is true with probability")
    one.page.locator("button").first.tap()
    one.says("#said", "Your vote has arrived.")
    one.page.goto("about:blank")
    one.page.goto(room.phone_url)
    one.says("#said", "Your vote has arrived.")
    assert one.page.locator("button").first.get_attribute("aria-pressed") == "true"
    deck.page.reload()
    deck.says(".present .present .fstats-join", "1 answered")
    one.says("#said", "Your vote has arrived.")
    assert one.page.evaluate("document.cookie") == ""  # no script reads it


def test_a_page_may_be_moved_where_the_slide_says_so(hall: tuple[Looked, list[Looked]]) -> None:
    deck, phones = hall
    assert not phones[0].page.locator("#move").is_visible()
    deck.page.evaluate(
        "Reveal.getCurrentSlide().append(Object.assign(document.createElement('figure'), {className: 'fstats-still', id: 'explorer-2'}))"
    )
    deck.page.evaluate("Reveal.dispatchEvent ? Reveal.dispatchEvent({type: 'slidechanged'}) : 0")
    phones[0].page.locator("#move").wait_for(state="visible")
    with phones[0].page.context.expect_page() as opened:
        phones[0].page.locator("#move a").tap()
    opened.value.wait_for_load_state()
    assert opened.value.title() == "Move"
    assert opened.value.url.endswith("/notebooks/01_luck.html#explorer-2")  # which stands on the slide


def test_a_speakers_window_leads_nobody(room: PollConnections, hall: tuple[Looked, list[Looked]]) -> None:
    deck, phones = hall
    deck.page.keyboard.press("ArrowRight")
    phones[0].says("button b", "1")  # the classifiers are A and B, so that no choice is
    assert deck.page.eval_on_selector_all("[data-poll] ol", "lists => lists.map(e => getComputedStyle(e).listStyleType)") == ["decimal"] * 2
    with deck.page.context.expect_page() as opened:
        deck.page.keyboard.press("s")
    notes = opened.value
    notes.wait_for_selector("iframe")
    for frame in notes.frames[1:]:
        frame.wait_for_selector("[data-ready]")
    notes.frames[1].wait_for_selector(".fstats-join b:not(:empty)", state="attached")
    assert (room.state.current, len(room.decks)) == ("poll", 3)


@pytest.mark.live
@pytest.mark.needs("engine")
def test_a_live_cell_runs_on_the_rooms_numbers(browser: Page, tmp_path: Path) -> None:
    """The pages of a room may run Python, and nothing else that they do not bring."""
    notebook = Path(__file__).parents[2] / "notebooks" / "01_paired_t.ipynb"
    page, questions = _write_deck(notebook, tmp_path / "deck", ()), poll_questions(read_notebook(notebook).cells)
    with PollServer(questions, tmp_path / "deck", "", 0, tmp_path / "room.jsonl") as made:
        made.add_votes_to_deck(page.name)
        own = questions[-1].id
        deck = Looked(browser, viewport={"width": 1280, "height": 720})
        deck.page.goto(f"{made.connections.deck_url}{page.name}")
        deck.page.wait_for_selector("[data-ready]")
        deck.page.locator(f"section[data-poll='{own}'] .fstats-join").evaluate(GO)
        for pair in ((5, 1), (7, 2), (9, 6), (4, 4)):
            phone = Looked(browser)
            phone.page.goto(made.connections.phone_url)
            phone.page.locator("input").first.wait_for()
            for field, number in zip(phone.page.locator("input").all(), pair):
                field.fill(str(number))
            phone.page.locator("button").click()
            phone.says("#said", "has arrived")
            phone.page.context.close()
        deck.says(".present .present .fstats-join", "4 answered")
        deck.page.locator(".present .present .fstats-join button").click()
        deck.page.locator(f".cell[data-cell='{own}'] .fstats-run button").first.click()
        deck.page.locator(f".cell[data-cell='{own}'][data-state=ran]").wait_for(state="attached", timeout=PATIENCE)
        assert "(p = 0.06914)" in (deck.page.locator(f".cell_output[data-cell='{own}']").first.text_content() or "")
        assert deck.complaints == []
        deck.page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("notebook", sorted((Path(__file__).parents[2] / "notebooks").glob("[0-9]*.ipynb")), ids=lambda path: path.stem)
def test_no_slide_that_asks_scrolls(browser: Page, tmp_path: Path, notebook: Path) -> None:
    """Of any lesson, with the address, the votes of thirty phones and the answer; bets are not answered where they are asked."""
    questions, page = poll_questions(read_notebook(notebook).cells), write_deck(notebook, tmp_path / "deck")
    with PollServer(questions, tmp_path / "deck", "", 0, tmp_path / "room.jsonl") as made:
        for one in questions:
            votes = {str(k): k % len(one.choices) if one.choices else (k + 10.0,) * len(one.names) for k in range(30)}
            made.connections.state.votes[one.id] = votes
        made.add_votes_to_deck(page.name)
        deck = Looked(browser, viewport={"width": 1280, "height": 720})
        deck.page.goto(f"{made.connections.deck_url}{page.name}")
        deck.page.wait_for_selector("[data-ready]")
        slides = deck.page.locator("section:is([data-poll], [data-bet]):not(:has(section))")
        assert slides.count() == len(questions) + sum(one.is_bet for one in questions)
        for slide in slides.all():
            asked = slide.get_attribute("data-poll") or slide.get_attribute("data-bet")
            slide.locator("h2, h3, .cell").first.evaluate(GO)
            deck.page.evaluate("while (Reveal.availableFragments().next) Reveal.nextFragment()")
            if slide.locator(".fstats-count").count():
                slide.locator(".fstats-told", has_text="%").first.wait_for()
            elif slide.locator(".fstats-chart").count():
                slide.locator(".fstats-chart svg").wait_for()
            fits(deck)
            held = slide.get_attribute("data-poll") and next(one for one in questions if one.id == asked).is_bet
            assert asked == made.connections.state.current
            assert not (held and asked in made.connections.state.answered)
        assert deck.complaints == []
        deck.page.context.close()
