"""The room answers: what is asked, what is counted, what a phone may do (vote) and what it may not (anything else)."""

import asyncio
import csv
import io
import json
import os
import random
import signal
import socket
import time
from contextlib import suppress
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import nbformat
import pytest
from phones import OWN, Caller, cookie_of, deck, lecture, lesson, percentile, phone, play, shows, votes_of
from shortcuts import assert_raises, parametrize
from tornado.httpclient import HTTPClientError

from fstats.cli import main
from fstats.publish.audience_poll.answer_dot_plot import SLIDE_SIZE, answer_dot_plot
from fstats.publish.audience_poll.poll_questions import PollQuestion, markdown_to_html, poll_questions
from fstats.publish.audience_poll.poll_server import PollServer
from fstats.publish.audience_poll.poll_state import MAX_VOTES, PollState, VoteRefused
from fstats.publish.audience_poll.rate_limit import RateLimit
from fstats.publish.audience_poll.request_handlers import MAX_PER_ADDRESS, MAX_PER_PHONE, MAX_REFUSED
from fstats.publish.audience_poll.vote_journal import MAX_AGE_HOURS, VoteJournal
from fstats.publish.notebook_content import read_notebook


def questions(folder):
    return poll_questions(read_notebook(lesson(folder)).cells)


@pytest.fixture
def state(tmp_path):
    made = PollState(questions(tmp_path), VoteJournal(tmp_path / "kept" / "room.jsonl"))
    yield made
    made.journal.close()


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """A room with a deck and a page that phones may move."""
    here = tmp_path_factory.mktemp("room")
    (here / "deck").mkdir()
    (here / "pages").mkdir()
    (here / "deck" / "01.html").write_text("the deck knows: the secret reason")
    (here / "pages" / "move.html").write_text("an explorer")
    with PollServer(questions(here), here / "deck", "", 0, here / "room.jsonl", here / "pages") as made:
        yield made.connections


@pytest.fixture
def quiet(room):
    """The same room, where nobody has voted and nothing was asked too often."""
    for votes in room.state.votes.values():
        votes.clear()
    room.state.answered.clear()
    for limit in (room.requests, room.newcomers, room.messages):
        limit._buckets.clear()
    return room


# -- what is asked ------------------------------------------------------------------------------------------------------------------
def test_the_questions_of_a_lesson(tmp_path):
    poll, bet, own = questions(tmp_path)
    assert (poll.id, poll.names, poll.right, poll.number) == ("poll", (), (False, True), None)
    assert poll.question == "<em>p is 73 %. What does that say?</em>"
    assert poll.choices[0].startswith("<math")
    assert poll.choices[0].endswith("</math> is true with probability 73 %")
    assert poll.choices[1] == "of 100 such experiments 73 would differ as much"  # a phone stays in the room: no link
    assert (bet.id, bet.choices, bet.names, bet.number) == ("bet", (), ("Your guess",), 14.0)
    assert [one.is_bet for one in (poll, bet, own)] == [False, True, False]
    assert (own.id, own.names, own.source) == ("own", ("ours", "B"), OWN)


def test_the_rooms_numbers_stand_in_its_cell(tmp_path):
    own = questions(tmp_path)[2]
    expected = "ours = [1, 3, 0.1]\nyours = apply_test(PairedT, ours, [2.5, -4, 1000000])"
    assert own.fill_source([(1.0, 2.5), (3.0, -4.0), (0.1, 1e6)]) == expected


@parametrize(
    "source, names",
    ("ours, theirs = [1, 2, 3, 4], [5, 6, 7, 8]", ("ours", "theirs")),
    ("f([1, 2, 3, 4], [5, 6, 7, 8.5])", ("A", "B")),
    ("a = [1, 2, 3, 4]; b = [1, 2, 3, 4]; c = [1, 2, 3, 4]; d = ['x', 'y']", ("a", "b", "c")),
    ("f([1, 2, 3, 4], [5, 6, 7])", None),  # not one as long as the other
    ("f([1, 2], [5, 6])", None),  # a fold and its mirror, not a class
    ("f([1, 2, 3, 4])", None),
    ("f(model_a, model_b)", None),
)
def test_which_cells_ask_for_numbers(source, names):
    cells = [nbformat.v4.new_markdown_cell("## Your own numbers"), nbformat.v4.new_code_cell(source)]
    assert [one.names for one in poll_questions(cells)] == ([names] if names else [])
    assert poll_questions([nbformat.v4.new_markdown_cell("## Others"), cells[1]]) == []


def test_a_formula_that_nobody_can_draw_is_words(monkeypatch):
    monkeypatch.setattr("fstats.publish.audience_poll.poll_questions.mathml", lambda _: 1 / 0)
    assert markdown_to_html("so $a < b$") == "so <code>a &lt; b</code>"


# -- what is counted ------------------------------------------------------------------------------------------------------------------
def test_a_phone_has_one_vote_and_may_change_it(state):
    state.show_slide({"show": "poll", "vote": True, "answer": False, "move": ""})
    for name, choice in (("a", 0), ("b", 1), ("a", 1), ("a", 1)):
        assert state.vote(name, json.dumps({"poll": "poll", "choice": choice})) == {"of": "poll", "mine": choice}
    assert state.votes["poll"] == {"a": 1, "b": 1}
    assert len(state.journal.path.read_text().splitlines()) == 3  # a line a vote; what says nothing new is none


def test_a_question_is_closed_when_its_slide_is_left_and_for_good_when_it_is_answered(state):
    vote = json.dumps({"poll": "poll", "choice": 0})
    for shown, taken in (("", False), ("poll", True), ("bet", False), ("poll", True)):
        state.show_slide({"show": shown, "vote": True, "answer": False, "move": ""})
        if taken:
            state.vote("a", vote)
        else:
            with pytest.raises(VoteRefused, match="closed"):
                state.vote("a", vote)
    state.show_slide({"show": "poll", "vote": True, "answer": True, "move": ""})
    state.show_slide({"show": "poll", "vote": True, "answer": False, "move": ""})  # who goes back has seen it
    assert_raises(lambda: state.vote("a", vote), "closed", VoteRefused)
    state.show_slide({"show": "bet", "vote": False, "answer": False, "move": ""})  # a slide that looks back at it
    assert state.phone_view("a")["poll"]["open"] is False
    assert_raises(lambda: state.vote("a", '{"poll": "bet", "numbers": [1]}'), "closed", VoteRefused)
    with pytest.raises(VoteRefused):
        state.show_slide({"show": "nothing", "vote": True, "answer": False, "move": ""})


def test_a_phone_is_told_what_is_right_once_the_deck_has_shown_it(state):
    state.show_slide({"show": "poll", "vote": True, "answer": False, "move": "m.html"})
    before = state.phone_view("a")
    assert before["move"] == "m.html"
    assert before["poll"]["answer"] is None
    assert "secret reason" not in json.dumps(before)
    assert "right" not in json.dumps(before)
    state.show_slide({"show": "poll", "vote": True, "answer": True, "move": ""})
    assert state.phone_view("a")["poll"]["answer"]["right"] == (False, True)


def test_a_room_is_full(state):
    state.show_slide({"show": "poll", "vote": True, "answer": False, "move": ""})
    for k in range(MAX_VOTES):
        state.vote(str(k), '{"poll": "poll", "choice": 0}')
    assert_raises(lambda: state.vote("one more", '{"poll": "poll", "choice": 0}'), "too many people", VoteRefused)
    state.vote("0", '{"poll": "poll", "choice": 1}')  # who is in may change his mind
    assert len(state.votes["poll"]) == MAX_VOTES


def test_the_table_of_votes(state):
    for poll, sent in (("poll", {"choice": 1}), ("bet", {"numbers": [14]}), ("own", {"numbers": [81.5, 79]})):
        state.show_slide({"show": poll, "vote": True, "answer": False, "move": ""})
        for name in "ab":
            state.vote(name, json.dumps({"poll": poll, **sent}))
    state.show_slide({"show": "bet", "vote": True, "answer": False, "move": ""})
    state.vote("c", '{"poll": "bet", "numbers": [-1e3]}')
    out = io.StringIO()
    state.save(out)
    rows = list(csv.reader(io.StringIO(out.getvalue())))
    assert rows[0] == ["poll", "question", "answer", "right", "votes"]
    assert [[row[0], *row[2:]] for row in rows[1:]] == [
        ["poll", "$H_0$ is true with probability 73 %", "no", "0"],
        ["poll", "of 100 such experiments [73](x.ipynb) would differ as much", "yes", "2"],
        ["bet", "-1000", "no", "1"],
        ["bet", "14", "yes", "2"],
        ["own", "81.5; 79", "", "2"],
    ]


# -- pictures ------------------------------------------------------------------------------------------------------------------------
@pytest.mark.every_case
@pytest.mark.parametrize("right", [None, 14.0])
@pytest.mark.parametrize("sent", [[], [14.0], [14.0] * 300, [0.0, 0.0], [float(k) for k in range(300)], [-1e9, 1e9]], ids=len)
def test_numbers_are_drawn_whatever_they_are(sent, right, changed):
    shown = answer_dot_plot(sent, right)
    assert shown.svg(SLIDE_SIZE).count("<circle") == len(sent)
    assert shown.text.startswith(f"Numbers: {len(sent)}")
    assert (shown.text.endswith("Right: 14."), changed({"picture": shown.svg(SLIDE_SIZE)})) == (right is not None, [])


def test_who_sends_a_billion_hides_nobody():
    shown = answer_dot_plot([float(k) for k in range(10, 30)] + [1e9], 14.0)
    assert shown.xlim[0] < 10
    assert 29 < shown.xlim[1] < 200
    assert shown.xlabel == "1 beyond the ends"


# -- what outlives the process ---------------------------------------------------------------------------------------------------------
def test_a_torn_last_line_is_survived(tmp_path):
    path = tmp_path / "room.jsonl"
    first = VoteJournal(path)
    first.write({"a": 1})
    first.write({"b": 2})
    first.close()
    whole = path.read_bytes()
    for cut in range(len(whole)):
        path.write_bytes(whole[:cut])
        again = VoteJournal(path)
        assert again.lines == [{"a": 1}, {"b": 2}][: whole[:cut].count(b"\n")]
        again.write({"c": 3})  # and is not joined to what was torn
        again.close()
        assert [json.loads(line) for line in path.read_bytes().splitlines()][-1] == {"c": 3}


def test_a_journal_is_its_users_alone_and_of_one_lecture(tmp_path):
    path = tmp_path / "room.jsonl"
    VoteJournal(path).close()
    if os.name == "posix":
        assert path.stat().st_mode & 0o077 == 0
    path.write_text('{"a": 1}\nno line of ours\n[2]\n')
    VoteJournal(path).close()
    kept = VoteJournal(path)
    assert kept.lines == [{"a": 1}, [2]]
    kept.close()
    os.utime(path, (time.time() - 3600 * MAX_AGE_HOURS - 60,) * 2)
    anew = VoteJournal(path)
    assert anew.lines == []
    anew.close(keep=False)
    assert not path.exists()


@pytest.mark.parametrize(("error", "votes", "kept"), [(None, 1, 0), (KeyboardInterrupt, 1, 0), (RuntimeError, 1, 1), (RuntimeError, 0, 0)])
def test_what_breaks_a_lecture_keeps_its_votes(error, votes, kept, tmp_path):
    with suppress(error or ()), PollServer(questions(tmp_path), tmp_path, "", 0, tmp_path / "room.jsonl") as made:
        made.connections.state.show_slide({"show": "poll", "vote": True, "answer": False, "move": ""})
        for _ in range(votes):
            made.connections.state.vote("a", VOTE)
        if error:
            raise error
    assert (tmp_path / "room.jsonl").exists() == bool(kept)


def test_votes_that_no_longer_fit_a_changed_lesson_are_left_out(tmp_path):
    path = tmp_path / "room.jsonl"
    path.write_text(
        '{"vote": "p", "phone": "a", "sent": 1}\n{"vote": "p", "phone": "b", "sent": 0}\n{"vote": "p", "phone": "c", "sent": [1.0]}\n'
    )
    found = PollState([PollQuestion("p", "q", ("only",))], VoteJournal(path))
    assert found.votes == {"p": {"b": 0}}
    found.journal.close()


def test_an_allowance_comes_back():
    now = [0.0]
    allowed = RateLimit(2, 1.0, names=2, clock=lambda: now[0])
    assert [allowed.spend("a") for _ in range(3)] == [True, True, False]
    now[0] = 1.0
    assert [allowed.spend("a"), allowed.spend("a"), allowed.spend("b"), allowed.spend("c")] == [True, False, True, False]
    now[0] = 9.0
    assert allowed.spend("c")  # the others have theirs again and are forgotten


# -- the doors -------------------------------------------------------------------------------------------------------------------------
def answer(address, method="GET", **headers):
    """Status, headers and body of an answer."""
    body = headers.pop("body", None)
    try:
        with urlopen(Request(address, data=body, method=method, headers={k.replace("_", "-"): v for k, v in headers.items()})) as found:
            return found.status, found.headers, found.read().decode()
    except HTTPError as error:
        with error:
            try:
                return error.code, error.headers, error.read().decode()
            except ConnectionResetError:  # it was refused before all of it was read
                return error.code, error.headers, ""


def test_a_vote_reaches_the_deck_live(quiet):
    async def lecture_goes_on():
        leads, one = await deck(quiet.deck_url), await phone(quiet.phone_url)
        assert await one.hear() == {"poll": None, "move": ""}
        await shows(leads, "poll")
        assert (await one.hear())["poll"]["open"]
        assert await one.say({"poll": "poll", "choice": 1}) == {"of": "poll", "mine": 1}
        news = await leads.hear()
        while news["votes"] == 0:
            news = await leads.hear()
        assert (news["votes"], news["phones"], news["open"]) == (1, 1, True)
        assert (news["counts"], news["right"]) == ([0, 1], None)
        await shows(leads, "poll", answer=True, move="move.html")
        news = await one.hear()
        assert (news["move"], news["poll"]["mine"]) == ("move.html", 1)
        assert not news["poll"]["open"]
        await leads.leave()
        assert await one.hear() == {"poll": None, "move": ""}  # where no deck is, nothing is asked
        await one.leave()

    play(lecture_goes_on())


def test_own_numbers_reach_the_cell(quiet):
    async def numbers():
        leads, one = await deck(quiet.deck_url), await phone(quiet.phone_url)
        await shows(leads, "own")
        while (await one.hear())["poll"] is None:
            pass
        await one.say({"poll": "own", "numbers": [81, 79.5]})
        news = await leads.hear()
        while "source" not in news:
            news = await leads.hear()
        assert news["source"] == "ours = [81]\nyours = apply_test(PairedT, ours, [79.5])"
        await one.leave()
        await leads.leave()

    play(numbers())


def test_a_phone_goes_away_and_comes_back(quiet):
    async def comes_back():
        leads, cookie = await deck(quiet.deck_url), await cookie_of(quiet.phone_url)
        await shows(leads, "poll")
        for choice in (0, 1):
            one = await phone(quiet.phone_url, cookie)
            assert (await one.hear())["poll"]["mine"] == (None if choice == 0 else 0)
            assert (await one.say({"poll": "poll", "choice": choice}))["mine"] == choice
            await one.leave()
        assert list(quiet.state.votes["poll"].values()) == [1]
        await leads.leave()

    play(comes_back())


def test_of_many_taps_the_last_may_come_again(quiet):
    """Who taps too fast is told to wait; whoever sends no vote is not."""

    async def taps():
        leads, one = await deck(quiet.deck_url), await phone(quiet.phone_url)
        await shows(leads, "poll")
        while (await one.hear())["poll"] is None:
            pass
        assert "again" not in await one.say("{")
        told = [await one.say({"poll": "poll", "choice": k % 2}) for k in range(20)]
        assert {"refused": "the votes came too fast. Wait a second.", "again": True} in told
        await one.leave()
        await leads.leave()

    play(taps())


def test_a_deck_in_a_room_tells_its_times(quiet):
    """As one without a room does: who lectured with phones learns how long it took; phones send no such thing."""
    noted = []
    quiet.record_slide = noted.append
    section = json.dumps("–" * 300).encode()  # the longest heading that is taken
    assert (answer(f"{quiet.deck_url}times", "POST", body=section)[0], noted) == (204, [section])
    assert answer(f"{quiet.deck_url}times", "POST", body=b"x" * 5000)[0] == 400
    assert (answer(f"{quiet.phone_url}/times", "POST", body=section)[0], noted) == (400, [section])


def test_a_speakers_window_leads_nobody(quiet):
    async def two_windows():
        leads, follows, stays = [await deck(quiet.deck_url) for _ in range(3)]
        await shows(leads, "poll")
        await follows.leave()
        await asyncio.sleep(0.1)
        assert quiet.state.current == "poll"
        await leads.leave()
        while (await stays.hear())["poll"]:
            pass
        await stays.leave()

    play(two_windows())


VOTE = '{"poll": "poll", "choice": 0}'
HOSTILE = [
    *("", " ", "vote", "null", "0", "[]", "{}", '"poll"', '["poll", 0]', '{"poll": "poll"}', '{"choice": 0}'),
    '{"poll": "bet", "numbers": [14]}',  # closed
    *(
        f'{{"poll": "poll", "choice": {choice}}}'
        for choice in ("-1", "2", "1000000000", "9" * 300, '"0"', "0.0", "true", "null", "[0]", "{}", "NaN", '0, "numbers": [1]')
    ),
    '{"poll": "poll", "choice": 0, "phone": "of somebody else"}',
    '{"poll": "poll", "numbers": [0]}',
    '{"poll": "poll", "numbers": []}',
    '{"poll": "own", "numbers": [NaN, 1]}',
    *(
        f'{{"poll": {poll}, "choice": 0}}'
        for poll in (
            *('"nothing"', '["poll"]', '{"poll": 0}', "null", '""', r'"\ud800"', '"__proto__"', '"../../etc/passwd"'),
            *(r'"poll\n{\"answered\": \"poll\"}"', '"<script>alert(1)</script>"'),
        )
    ),
    '{"show": "poll", "vote": true, "answer": true, "move": ""}',  # what only a deck may say
    '{"answered": "poll"}',
    '{"vote": "poll", "phone": "a", "sent": 0}',
    "{'poll': 'poll', 'choice': 0}",
    *(VOTE + VOTE, VOTE[:-1], "\ufeff" + VOTE, VOTE + " " * 400, "[" * 390, '{"a":' * 60 + "1" + "}" * 60, VOTE.encode()),
    *(b"\x00\xff" * 100, "x" * 100_000, b"x" * 2_000_000),
]
FOR_NUMBERS = [
    *("NaN", "Infinity", "-Infinity", "1e400", "1e10", "-1e10", "9" * 300, '"14"', "[14]", "{}", "null", "true", "", "14, 15", "0x1"),
]


def remembered(room):
    """All that a message could change."""
    state = room.state
    return (state.current, state.move, set(state.answered), {k: dict(v) for k, v in state.votes.items()}, state.journal.path.read_bytes())


def refused(room, shown, message):
    """What a hostile phone hears; afterwards an honest one is served as ever."""

    async def tries():
        leads, one, honest = await deck(room.deck_url), await phone(room.phone_url), await phone(room.phone_url)
        await shows(leads, shown)
        for each in (one, honest):
            while (await each.hear())["poll"] is None:
                pass
        before = remembered(room)
        heard = await one.say(message)
        assert remembered(room) == before
        good = {"choice": 1} if shown == "poll" else {"numbers": [7]}
        assert (await honest.say({"poll": shown, **good}))["of"] == shown
        return heard

    return play(tries())


@pytest.mark.parametrize("message", HOSTILE, ids=range(len(HOSTILE)))
def test_what_is_no_vote_is_refused(quiet, message):
    heard = refused(quiet, "poll", message)
    assert heard is None if len(message) > 1024 else list(heard) == ["refused"]


@pytest.mark.parametrize("number", FOR_NUMBERS)
def test_what_is_no_number_is_refused(quiet, number):
    assert list(refused(quiet, "bet", f'{{"poll": "bet", "numbers": [{number}]}}')) == ["refused"]


def test_a_phone_that_does_not_stop_is_put_out(quiet):
    async def floods():
        leads, one = await deck(quiet.deck_url), await phone(quiet.phone_url)
        await shows(leads, "poll")
        heard = []
        while (news := await one.say(f'{{"poll": "poll", "choice": {len(heard) % 2}}}')) is not None:
            heard.append(news)
            assert len(heard) < 200
        refusals = [news for news in heard if "refused" in news]
        assert len(refusals) == MAX_REFUSED
        assert "too fast" in refusals[-1]["refused"]
        assert len(quiet.state.votes["poll"]) == 1
        await leads.leave()

    play(floods())


def test_a_phone_has_few_connections(quiet):
    async def opens():
        cookie = await cookie_of(quiet.phone_url)
        every = [await phone(quiet.phone_url, cookie) for _ in range(MAX_PER_PHONE + 2)]
        for one in every:
            await one.hear()
        assert await every[0].hear() is None
        assert await every[1].hear() is None
        assert len([one for one in quiet.phones if one.name]) == MAX_PER_PHONE
        for one in every[2:]:
            await one.leave()

    play(opens())


@pytest.mark.every_case
@parametrize(
    "headers",
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "https://{host}"},
    {"Origin": "http://{host}.evil.example"},
    {"Host": "evil.example", "Origin": "http://evil.example"},  # a name that somebody else leads here
    {"Host": "127.0.0.1:80; script-src *", "Origin": "http://{host}"},
    {"Cookie": ""},
    {"Cookie": "phone=made-up"},
    {"Cookie": 'phone="2|1:0|10:1795624851|5:phone|4:QQ==|0000"'},
    ids=str,
)
def test_only_the_page_of_the_room_is_connected(quiet, headers):
    async def tries(way, cookie):
        host = way.split("/")[2]
        await Caller.at(way, **{"Cookie": cookie, **{name: value.replace("{host}", host) for name, value in headers.items()}})

    cookie = play(cookie_of(quiet.phone_url))
    assert_raises(lambda: play(tries(f"{quiet.phone_url}/vote", cookie)), r"40[03]", HTTPClientError)
    if "Cookie" not in headers:
        assert_raises(lambda: play(tries(f"{quiet.deck_url}room", "")), r"40[03]", HTTPClientError)


def test_an_address_that_takes_all_places_is_stopped(quiet):
    class Taken:
        name = "x"

        class request:  # noqa: N801
            remote_ip = "127.0.0.1"

        tell = close = staticmethod(lambda *_: None)

    async def one_more():
        await phone(quiet.phone_url)

    others = [Taken() for _ in range(MAX_PER_ADDRESS)]
    quiet.phones.update(dict.fromkeys(others))
    try:
        assert_raises(lambda: play(one_more()), "403", HTTPClientError)
    finally:
        for one in others:
            quiet.phones.pop(one, None)


def test_phones_reach_the_page_to_vote_and_nothing_else(quiet):
    door, secret = quiet.phone_url.partition("/r/")[0], quiet.secret
    status, headers, page = answer(quiet.phone_url)
    assert status == 200
    assert "Audience poll" in page
    assert (answer(f"{quiet.phone_url}/")[0], answer(f"{quiet.phone_url}/pages/move.html")[2]) == (200, "an explorer")
    nowhere = ["/", "/r/", "/r/aaaaaa", "/01.html", "/deck/01.html", f"/{secret}/01.html", f"/{secret}/room", f"/{secret}/room.svg"]
    nowhere += [
        f"/r/{quiet.token}/{way}" for way in ("01.html", "room", "room.svg", "pages/../room.jsonl", "pages/..%2froom.jsonl", "x/vote")
    ]
    for way in nowhere:
        status, headers, body = answer(door + way)
        assert (status, len(body)) in ((403, 4), (404, 4)), way
        assert headers["Content-Security-Policy"].startswith("default-src ")
        assert headers["Server"] is None
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        assert answer(quiet.phone_url, method)[0] == 405
    assert answer(quiet.phone_url, Host="evil.example")[0] == 403
    assert answer(quiet.phone_url, body=b"x" * 10, method="POST")[0] in (400, 405)


def test_a_request_that_never_ends_is_not_listened_to(quiet):
    with socket.create_connection(("127.0.0.1", quiet.port)) as one:
        one.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 100_000)
        one.settimeout(10)
        with suppress(ConnectionResetError):
            assert one.recv(1000)[:12] in (b"", b"HTTP/1.1 400")


def test_who_asks_too_often_waits(quiet):
    quiet.requests._buckets["127.0.0.1"] = (0.0, quiet.requests.clock() + 60)
    assert answer(quiet.phone_url)[0] == 429
    quiet.requests._buckets.clear()
    quiet.newcomers._buckets["127.0.0.1"] = (0.0, quiet.newcomers.clock() + 60)
    assert answer(quiet.phone_url)[0] == 429


def test_nothing_that_a_phone_gets_tells_the_secret_or_what_is_right(quiet):
    """In no page, header or message, whatever stands on the slide, until the answer is shown; the secret never."""
    got = []

    async def listens():
        leads, one = await deck(quiet.deck_url), await phone(quiet.phone_url)
        got.append(json.dumps(await one.hear()))
        for poll in ("poll", "bet", "own", ""):
            await shows(leads, poll)
            got.append(json.dumps(await one.hear()))
            for message in ({"poll": poll, "choice": 0}, {"poll": poll, "numbers": [1]}, "?"):
                got.append(json.dumps(await one.say(message)))
        open_until_now = "".join(got)
        assert "secret reason" not in open_until_now
        assert '"right"' not in open_until_now
        assert "the curve" not in open_until_now
        await shows(leads, "poll", answer=True)
        got.append(json.dumps(await one.hear()))
        assert "secret reason" in got[-1]
        await one.leave()
        await leads.leave()

    play(listens())
    for way in ("", "/", "/pages/move.html", "/nothing"):
        status, headers, body = answer(quiet.phone_url + way)
        got += [str(status), str(headers), body]
    door = quiet.deck_url.partition("localhost:")[2].partition("/")[0]
    for hidden in (quiet.secret, quiet.key, f":{door}"):
        assert not any(hidden in text for text in got)


def test_all_pages_say_what_they_may_reach(quiet):
    for address in (quiet.phone_url, f"{quiet.phone_url}/pages/move.html", f"{quiet.deck_url}01.html", f"{quiet.deck_url}room.svg"):
        rules = answer(address)[1]["Content-Security-Policy"]
        assert "default-src 'none'" in rules or "default-src 'self'" in rules
        assert "frame-ancestors" in rules
        assert "http:" not in rules
        assert "*" not in rules
    assert "'unsafe-inline'" not in answer(quiet.phone_url)[1]["Content-Security-Policy"]


def test_the_lecturer_has_the_address_as_a_picture(quiet):
    status, headers, drawn = answer(f"{quiet.deck_url}room.svg")
    assert (status, headers["Content-Type"]) == (200, "image/svg+xml")
    assert f"<title>To vote: {quiet.phone_url}</title>" in drawn
    assert answer(quiet.deck_url.replace(quiet.secret, "x" * len(quiet.secret)) + "01.html")[0] == 404


def test_a_deck_is_joined_to_its_room(tmp_path):
    (tmp_path / "a.html").write_text('<script src="reveal/dist/reveal.js"></script>\n<script>begin()</script>')
    with PollServer([], tmp_path, "", 0, tmp_path / "room.jsonl") as made:
        made.add_votes_to_deck("a.html")
        words = '<script src="room.js" data-own="" data-bets="" data-move=""></script>\n<script>begin()'
        assert words in answer(f"{made.connections.deck_url}a.html")[2]
        assert answer(f"{made.connections.deck_url}room.js")[1]["Content-Type"] == "text/javascript"


# -- many phones, and the command --------------------------------------------------------------------------------------------------------
def counted(table, poll):
    """How many votes each choice has in a table."""
    return [int(row["votes"]) for row in csv.DictReader(table.read_text(encoding="utf-8").splitlines()) if row["poll"] == poll]


@pytest.mark.complete
def test_many_phones_vote_and_none_is_lost(quiet):
    votes, waited = play(votes_of(quiet.phone_url, quiet.deck_url, 40, 1.0, random.Random(1)))
    assert sorted(quiet.state.votes["poll"].values()) == sorted(votes)
    print(f"a vote of 40 phones within a second: p95 {1000 * percentile(waited):.0f} ms")


@pytest.mark.slow
def test_three_hundred_phones_vote_within_ten_seconds(tmp_path):
    """Against the command itself; the file that it writes has every vote."""
    table = tmp_path / "votes.csv"
    with lecture(lesson(tmp_path), tmp_path / "own", "--save", str(table)) as (process, page, folder):
        votes, waited = play(votes_of(page, folder, 300, 10.0, random.Random(2)))
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    assert counted(table, "poll") == [votes.count(0), votes.count(1)]
    print(f"a vote of 300 phones within ten seconds: p95 {1000 * percentile(waited):.0f} ms")


@pytest.mark.complete
@pytest.mark.skipif(os.name != "posix", reason="processes are ended by signals")
def test_a_server_that_is_killed_keeps_its_votes(tmp_path):
    """Ended with -9 and started again it has the same addresses; phones come back to their votes, and none votes twice."""
    notebook, own, table = lesson(tmp_path), tmp_path / "own", tmp_path / "votes.csv"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kept = {}

    async def votes(page, folder):
        leads = await deck(folder)
        await shows(leads, "poll")
        for k in range(5):
            cookie = await cookie_of(page)
            one = await phone(page, cookie)
            await one.hear()
            assert (await one.say({"poll": "poll", "choice": k % 2}))["mine"] == k % 2
            kept[cookie] = k % 2

    async def comes_back(page, folder):
        leads = await deck(folder)
        await shows(leads, "poll")
        for cookie, choice in kept.items():
            one = await phone(page, cookie)
            assert ((await one.hear())["poll"]["mine"], (await one.say({"poll": "poll", "choice": 1}))["mine"]) == (choice, 1)

    with lecture(notebook, own, port=port) as (process, page, folder):
        play(votes(page, folder))
        process.send_signal(signal.SIGKILL)
        process.wait(30)
    (journal,) = own.glob("*.jsonl")
    with journal.open("ab") as file:
        file.write(b'{"vote": "poll", "phone": "torn", "se')
    with lecture(notebook, own, "--save", str(table), port=port) as (process, again, same):
        assert (again, same) == (page, folder)
        play(comes_back(page, folder))
        process.send_signal(signal.SIGINT)
        assert process.wait(120) == 0  # on a machine that has much else to do
    assert counted(table, "poll") == [0, 5]
    assert list(own.glob("*.jsonl")) == []  # a lecture that has ended is over


def test_a_lecture_without_a_room_is_its_deck(tmp_path, capsys, monkeypatch):
    class Looks:
        def wait(self):
            address = capsys.readouterr().out.split()[0]
            assert address.endswith("/01_luck.html")
            assert "<title>Of luck: slides</title>" in answer(address)[2]
            raise KeyboardInterrupt

    monkeypatch.setattr("fstats.publish.audience_poll.lecture_command.Event", Looks)
    assert main(["lecture", str(lesson(tmp_path)), "--port", "0"]) == 0


def test_a_room_says_who_finds_it(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "own"))

    class Looks:
        def wait(self):
            raise KeyboardInterrupt

    monkeypatch.setattr("fstats.publish.audience_poll.lecture_command.Event", Looks)
    for host, words in (
        ([], "Only this machine can connect. For phones, add --host "),
        (["--host", "127.0.0.1"], "in the network of 127.0.0.1 can vote"),
    ):
        assert main(["lecture", str(lesson(tmp_path)), "--room", "--port", "0", *host]) == 0
        assert words in (said := capsys.readouterr().out)
        assert "--host 0.0.0.0" not in said


def test_a_lesson_that_asks_nothing_has_no_room(tmp_path, capsys):
    path = tmp_path / "02_none.ipynb"
    path.write_text(nbformat.writes(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# None")])))
    assert main(["lecture", str(path), "--room", "--port", "0"]) == 1
    assert capsys.readouterr().err == "the lesson 02_none has no question for the audience. Add the tag 'poll' to a cell with a question.\n"


@parametrize(
    "options, said",
    (["--host", "127.0.0.1"], "--host, --save and --pages need the option --room"),
    (["--save", "votes.csv"], "--host, --save and --pages need the option --room"),
    (["--room", "--pages", "{here}"], "has no file notebooks/01_luck.html"),
    (["--room", "--save", "{here}"], "It is a folder; name a file in it"),
    (["--room", "--host", "192.0.2.1", "--port", "0"], "ssign"),  # an address that is not this machine's,
    ids=lambda what: what[-2] if isinstance(what, list) else "",
)
def test_what_cannot_be_done_is_said_before_the_lecture(options, said, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("fstats.publish.audience_poll.lecture_command.Event", None)  # nobody waits for its end
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "own"))
    assert main(["lecture", str(lesson(tmp_path)), *(one.replace("{here}", str(tmp_path)) for one in options)]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("room", [["--room"], []], ids=["room", "alone"])
def test_a_port_that_is_taken_is_told_before_the_deck_is_made(room, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "own"))
    monkeypatch.setattr("fstats.publish.audience_poll.lecture_command._write_deck", None)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["lecture", str(lesson(tmp_path)), *room, "--port", str(port)]) == 1
    expected = (
        f"port {port} of host 127.0.0.1 cannot be opened (Address already in use). Choose another port, or write --port 0 for a free one.\n"
    )
    assert capsys.readouterr().err == expected
    assert not (tmp_path / "own").exists() or list((tmp_path / "own").iterdir()) == []


@pytest.mark.parametrize("command", [["lecture", "01"], ["site", "--serve"], ["lab"]], ids=lambda words: words[0])
@pytest.mark.parametrize("port", ["99999", "-1", "web"])
def test_what_is_no_port_is_told(command, port, capsys):
    assert_raises(lambda: main([*command, f"--port={port}"]), "2", SystemExit)
    assert capsys.readouterr().err.endswith(f"a port must be a number from 0 to 65535; got {port}. Write 0 for a free port.\n")


def test_ctrl_c_while_the_deck_is_made_leaves_nothing(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "own"))
    monkeypatch.setattr("fstats.publish.browser_python.site_files.write_site_files", interrupted)
    votes = tmp_path / "votes.csv"
    assert main(["lecture", str(lesson(tmp_path)), "--room", "--port", "0", "--save", str(votes)]) == 130
    assert capsys.readouterr().err.endswith("\nInterrupted. No unfinished file is left.\n")
    assert (list((tmp_path / "own").iterdir()), votes.exists()) == ([], False)


def interrupted(*_):
    raise KeyboardInterrupt
