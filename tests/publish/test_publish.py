"""The course for those who read without a kernel: web site, slides, paper.  Nothing is executed, and nothing comes from a network."""

import json
import re
from html import unescape
from pathlib import Path
from subprocess import CompletedProcess

import nbformat
import pytest
from crawling import faults, seen
from shortcuts import assert_raises, parametrize

import fstats
from fstats.cli import main
from fstats.publish import api_reference, assets, front_page, gallery, notebook_content, printable_page, slide_layout, website

ROOT = Path(__file__).parents[2]
NOTEBOOKS, EXERCISES = sorted((ROOT / "notebooks").glob("*.ipynb")), sorted((ROOT / "exercises").glob("*.ipynb"))
PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR42mP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg=="  # 3 x 2 pixels


def words(source, kind=""):
    return nbformat.v4.new_markdown_cell(source, metadata={"slideshow": {"slide_type": kind}} if kind else {})


def code(source, *outputs, kind=""):
    return nbformat.v4.new_code_cell(source, outputs=list(outputs), metadata={"slideshow": {"slide_type": kind}} if kind else {})


def picture(text, alt="What it shows"):
    return nbformat.v4.new_output("execute_result", {"image/png": PICTURE, "text/plain": text}, metadata={"image/png": {"alt": alt}})


def notebook(*cells):
    return nbformat.v4.new_notebook(cells=list(cells))


def saved(folder, *cells, name="01_one.ipynb"):
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(nbformat.writes(notebook(*cells), version=4), encoding="utf-8")
    return path


# -- reading ---------------------------------------------------------------------------------------------------------------------
def test_which_notebooks_are_meant():
    folder = ROOT / "notebooks"
    assert notebook_content.select_notebooks([], folder) == NOTEBOOKS
    for name in ("01_paired_t", "01", "01_paired_t.ipynb", str(folder / "01_paired_t.ipynb")):
        assert [path.stem for path in notebook_content.select_notebooks([name], folder)] == ["01_paired_t"]
    assert [path.stem for path in notebook_content.select_notebooks(["05", "05b"], folder)] == ["05_friedman", "05b_post_hoc"]
    assert notebook_content.select_notebooks([str(EXERCISES[0])], folder) == [EXERCISES[0]]
    with pytest.raises(LookupError, match="there is no notebook '01_pared_t'; the nearest names are '01_paired_t'"):
        notebook_content.select_notebooks(["01_pared_t"], folder)
    words = "contingency is ambiguous; it can be 03_contingency_table or 10_contingency_simulation. Write one of these names"
    assert_raises(lambda: notebook_content.select_notebooks(["contingency"], folder), words, LookupError)


def test_an_explorer_is_told_from_other_pictures():
    assert notebook_content.explorer_name(picture("[PairedT with sliders] Scores on 5 data sets.")) == "PairedT with sliders"
    assert notebook_content.explorer_name(picture("[picture: Scores on 5 data sets.]")) == ""
    assert notebook_content.explorer_name(nbformat.v4.new_output("stream", text="[PairedT with sliders] printed")) == ""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_explorer_of_the_notebooks_is_found(path):
    """As many explorers and walks as are called: the last line of such a cell begins with explore, or calls walk."""
    cells = [cell for cell in notebook_content.read_notebook(path).cells if cell.cell_type == "code"]
    called = sum(bool(re.search(r"^explore\.\w+\(|^[\w.]+\.walk\(", cell.source, re.M)) for cell in cells)
    assert sum(bool(notebook_content.explorer_name(output)) for cell in cells for output in cell.outputs) == called


def test_headings_and_links():
    assert notebook_content.headings(words("# One\n\n```\n# a comment\n```\n\n### Three  ")) == [(1, "One"), (3, "Three")]
    assert notebook_content.headings(code("# a comment")) == []
    text = "see [`02`](02.ipynb), ![picture](x.png) and [a [b] c](03.ipynb#S), `d[0](x)`"
    expected = "see `02`, ![picture](x.png) and [a [b] c](there.html), `d[0](x)`"
    assert notebook_content.rewrite_links(text, lambda target: "there.html" if target.startswith("03") else "") == expected


# -- slides ----------------------------------------------------------------------------------------------------------------------
def kinds(*cells):
    return [notebook_content.slide_type(cell) for cell in slide_layout.notebook_to_slides(notebook(*cells)).cells]


def test_slides_begin_at_headings():
    long = "word " * 150
    cells = [words("# T"), words("## A"), words("## B\n\n### C"), words("### D"), words(long), words(long), words("few")]
    assert kinds(*cells) == ["slide", "slide", "slide", "subslide", "subslide", "", "subslide", "", "fragment"]
    shown = picture("[picture: one]")
    found = slide_layout.notebook_to_slides(notebook(words("## A"), code("plot(a)", shown), code("plot(b)", shown))).cells
    assert [notebook_content.slide_type(cell) for cell in found] == ["slide", "", "fragment", "subslide", "", "fragment"]
    assert "### A" in found[3].source
    marked = [words("## A", "slide"), words("b " * 50), words("c"), words("d", "fragment"), words("e", "notes"), words("f", "skip")]
    assert kinds(*marked) == ["slide", "", "fragment", "fragment", "notes"]


def test_what_a_cell_shows_stands_behind_a_key_of_its_own():
    """Its lines first; what was run before and is not shown goes along with them; an explorer's call is not shown, and is run."""
    printed = nbformat.v4.new_output("stream", text="1")
    cells = [
        words("# T"),
        code("import numpy"),
        code("x = 1", kind="skip"),
        code("print(x)", printed, picture("[picture: x]"), kind="fragment"),
        code("y = 2\nexplore.one()", picture("[One] It stands."), kind="fragment"),
        code("y", kind="fragment"),
    ]
    found = slide_layout.notebook_to_slides(notebook(*cells)).cells
    lines, told, drawn, moves, last = [cell for cell in found if "# T" not in cell.source]
    assert (lines.source, lines.metadata.before, lines.outputs) == ("print(x)", "import numpy\nx = 1\n", [])
    assert [(cell.metadata.shows, notebook_content.slide_type(cell)) for cell in (told, drawn)] == [(lines.id, "fragment")] * 2
    assert told.outputs == [printed]
    assert (moves.source, moves.metadata.shows) == ("", cells[4].id)
    assert last.metadata.before == "y = 2\nexplore.one()\n"


def test_below_a_walk_is_room_for_one_line():
    """A longer text, and code, begin a slide of their own, which repeats the heading."""
    walked = code("test.walk()", picture("[Walk: PairedT] t = 1."), kind="fragment")
    for below, kind in ((words("One line."), "fragment"), (words("word " * 30), ""), (code("x = 1", kind="fragment"), "")):
        found = slide_layout.notebook_to_slides(notebook(words("# T"), words("## A"), walked, below)).cells
        assert notebook_content.slide_type(found[-1]) == kind
        assert ("### A" in found[-2].source) == (not kind)


def poll(kind, answer):
    asked, answered = words(f"**{kind}.** How many?\n\n* 1\n* 2"), words(f"<details><summary>Answer</summary>\n\n{answer}\n\n</details>")
    asked.metadata["tags"], answered.metadata["tags"] = ["poll"], ["answers"]
    return asked, answered


def test_polls_and_bets_are_slides():
    asked, answered = poll("Ask the room", "* wrong: too few\n* **right**")
    _, question, answer, again, _ = slide_layout.notebook_to_slides(notebook(words("# T"), asked, answered, words("word " * 50))).cells
    assert question.metadata.slideshow == {"slide_type": "slide", "data": {"poll": asked.id}}
    assert "### Ask the audience\n\n</div>\n\n## How many?\n\n1. 1\n1. 2\n" in question.source
    assert (notebook_content.slide_type(answer), answer.source) == ("fragment", "1. wrong: too few\n1. **right**\n")
    assert "### T" in again.source
    # Its answer comes before the five sentences, where the lesson has shown it.
    cells = [words("# T"), *poll("The bet", "* wrong: too few\n* **right**"), words("## A"), words("## In five sentences")]
    found = [re.search("(?m)^[#1].+", cell.source)[0] for cell in slide_layout.notebook_to_slides(notebook(*cells)).cells]
    begun = ["# T", "### The bet", "## A", "### The bet, and who won it", "## How many?", "1. wrong: too few", "## In five sentences"]
    assert found == begun


@parametrize(
    "question, heading",
    ("*Is it $a*b$?*", "*Is it $a*b$?*"),  # a star that is no end of italics stays as it is
    ("*How many?*\n\nWrite it down.", "How many?\n\nWrite it down."),
    ("How *many*?", "How *many*?"),
)
def test_a_question_is_its_slides_heading(question, heading):
    asked, answered = poll("Ask the room", "* wrong: too few\n* **right**")
    asked.source = asked.source.replace("How many?", question)
    first, *_ = slide_layout.notebook_to_slides(notebook(asked, answered)).cells
    assert f"\n\n## {heading}\n\n1. 1\n" in first.source


def test_notes_are_not_folded_for_who_reads_them_aloud():
    note = words("<details><summary>For the lecturer</summary>\n\nSay it.\n\n</details>", "notes")
    slide = slide_layout.notebook_to_slides(notebook(words("# T"), note)).cells[1]
    assert " ".join(slide.source.split()) == "**For the lecturer** Say it."


def test_the_appendix_and_cells_that_only_prepare_are_no_slides():
    prepares = code("import numpy as np\n\nfrom fstats import (\n    PairedT,\n)")
    cells = [words("# T"), prepares, words("## A"), words("## Appendix: more"), words("## B")]
    assert [cell.source for cell in slide_layout.notebook_to_slides(notebook(*cells)).cells] == ["# T", "## A"]


def test_a_notebook_without_slides_is_refused():
    with pytest.raises(
        slide_layout.NoSlidesError, match=r"x\.ipynb has no slides, because every cell is skipped or a note. Mark a cell as a slide"
    ):
        slide_layout.notebook_to_slides(notebook(words("a", "skip"), words("b", "notes")), "x.ipynb")


@pytest.mark.complete
def test_a_deck(tmp_path, capsys):
    """Explorers are pictures with a link, notes are the speaker's, links lead to other decks or to the laboratory."""
    one = saved(
        tmp_path / "notebooks",
        words("# One & all\n\n[two](02_two.ipynb), [exercise](../exercises/01.ipynb), [page](https://example.org/x)"),
        words("Say: bet!", "notes"),
        code("explore.one()", picture("[One with sliders] It stands.", 'It "stands" <here>')),
        code("print(1 < 2)", nbformat.v4.new_output("stream", text="True")),
        words("## Move it $x_1 < 2$"),
        code("explore.two()", picture("[Two] It stands.")),
    )
    saved(tmp_path / "notebooks", words("# Two"), name="02_two.ipynb")
    main(
        [
            "slides",
            str(one),
            str(tmp_path / "notebooks" / "02_two.ipynb"),
            "--to",
            str(tmp_path / "out"),
            "--lab",
            "http://hall:1/lab/tree/",
        ]
    )
    assert capsys.readouterr().out.split() == [str(tmp_path / "out" / f"{name}.html") for name in ("01_one", "02_two")]
    page = (tmp_path / "out" / "01_one.html").read_text(encoding="utf-8")
    assert faults(tmp_path / "out") == []
    assert seen(tmp_path / "out" / "01_one.html").links == [
        "02_two.html",
        "http://hall:1/lab/tree/notebooks/../exercises/01.ipynb",
        "https://example.org/x",
        "http://hall:1/lab/tree/notebooks/01_one.ipynb#One-&-all",
        "http://hall:1/lab/tree/notebooks/01_one.ipynb#Move-it-$x_1-<-2$",
    ]
    assert re.search(r'<aside class="notes">.*?Say: bet!.*?</aside>', page, re.S)
    assert seen(tmp_path / "out" / "01_one.html").words == ['It "stands" <here>', "What it shows"]
    shown = re.sub(r"<[^>]+>", "", page)
    assert "explore.one()" not in shown  # the picture says more
    assert "print(1" in shown
    # a slide of reveal.js holds those below it: the title, two explorers, printed lines, the heading
    assert page.count("<section") == 2 + 5


def test_a_deck_leads_to_notebooks_that_lie_beside_it(tmp_path):
    """Where nobody says where JupyterLab is: its explorers, exercises, other notebooks; and what does not exist is words."""
    exercise = saved(tmp_path / "exercises", words("# By hand"), name="01_by_hand.ipynb")
    one = saved(
        tmp_path / "notebooks",
        words("# One\n\n[hand](../exercises/01_by_hand.ipynb), [nowhere](03_three.ipynb), [two](02_two.ipynb#Two)"),
        words("## Move it"),
        code("explore.one()", picture("[One with sliders] It stands.")),
    )
    saved(tmp_path / "notebooks", words("# Two"), name="02_two.ipynb")
    to = tmp_path / "out"
    assert main(["slides", str(one), "--to", str(to)]) == 0
    assert seen(to / "01_one.html").links == ["exercises/01_by_hand.ipynb", "notebooks/02_two.ipynb", "notebooks/01_one.ipynb"]
    assert (faults(to), (to / "exercises" / exercise.name).read_bytes()) == ([], exercise.read_bytes())
    assert licensed(to) == {"fstats-classifiers", "mathjax", *assets.PAGE_LICENCES}
    assert (to / "reveal" / "LICENSE").is_file()
    assert 'moves in JupyterLab: <code>fstats lab</code>, then <a href="notebooks/01_one.ipynb">' in (to / "01_one.html").read_text()


def test_pictures_of_an_explorer_come_one_after_the_other():
    """On a slide, in the parts in which they are drawn; their words are said once."""
    drawn = picture("[One] It stands.")
    drawn.metadata["image/png"]["heights"] = [1.0, 0.5]
    made = notebook(code("explore.one()", drawn))
    notebook_content.replace_pictures(made, notebook_content.data_url, lambda *_: "", one_by_one=True)
    html = made.cells[0].outputs[0].data["text/html"]
    expected = [("fstats-part", "3/1.3", "-0.000%"), ("fstats-part fragment", "3/0.7", "-44.444%")]
    assert re.findall(r'class="(fstats-part[^s"]*)"><div style="aspect-ratio:(.*?)"><img style="margin-top:(.*?)"', html) == expected
    assert re.findall(r' alt="([^"]*)"', html) == ["What it shows", ""]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_notebook_has_slides(path):
    cells = slide_layout.notebook_to_slides(notebook_content.read_notebook(path), path.name).cells
    assert notebook_content.slide_type(next(cell for cell in cells if notebook_content.slide_type(cell) != "notes")) == "slide"
    assert sum(notebook_content.slide_type(cell) in ("slide", "subslide") for cell in cells) >= 3


# -- paper -----------------------------------------------------------------------------------------------------------------------
def test_a_page_for_paper_holds_all_it_needs(tmp_path, capsys):
    """One file: pictures, formulas, style; without the speaker's notes; and what to do where nothing can print it."""
    cells = words("# One\n\n$x_1$, [two](02.ipynb)"), words("bet!", "notes"), code("explore.x()", picture("[X] It stands."))
    one = saved(tmp_path / "notebooks", *cells)
    assert main(["print", str(one), "--to", str(tmp_path / "out")]) == 0
    assert "Open the pages in a browser and print them there" in capsys.readouterr().err
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"01_one.html", "LICENCES.txt"}
    assert licensed(tmp_path / "out") == {"fstats-classifiers", "mathjax", *assets.PAGE_LICENCES}
    about = seen(tmp_path / "out" / "01_one.html")
    assert (about.links, about.without_words) == ([], [])
    assert [address[:22] for address in about.fetched] == ["data:image/png;base64,"]
    page = (tmp_path / "out" / "01_one.html").read_text(encoding="utf-8")
    assert "bet!" not in page
    assert "$x_1$" in page
    assert "window.MathJax" in page
    assert re.search(r"<strong>X</strong>, at the start.*fstats lab.*notebooks/01_one.ipynb", page)


@pytest.mark.parametrize(("wrote", "whole"), [(b"%PDF-1.4 all of it %%EOF\n", True), (b"%PDF-1.4 half", False), (None, False)])
def test_half_a_pdf_is_none(wrote, whole, tmp_path, monkeypatch):
    def prints(words, **_):
        if wrote is not None:
            Path(next(word for word in words if "print-to-pdf" in word).partition("=")[2]).write_bytes(wrote)
        return CompletedProcess(words, 0, "", "no space")

    monkeypatch.setattr(printable_page, "find_browser", lambda: "chromium")
    monkeypatch.setattr("fstats.publish.printable_page.subprocess.run", prints)
    if whole:
        assert printable_page.print_pdf(tmp_path / "01.html") == [tmp_path / "01.pdf"]
        return
    with pytest.raises(
        RuntimeError, match=(r"did not print 01\.html, perhaps because the disk " r"is full\nno space\nOpen the page in a browser")
    ):
        printable_page.print_pdf(tmp_path / "01.html")
    assert [*tmp_path.iterdir()] == []


def test_answers_are_read_and_notes_are_not(tmp_path):
    """Folded where they are asked for on the site; on paper, where nothing unfolds, at the end below the heading of their question."""
    answers = nbformat.v4.new_markdown_cell(
        "<details><summary>Answers</summary>\n\n1. Six.\n\n</details>", metadata={"slideshow": {"slide_type": "notes"}, "tags": ["answers"]}
    )
    cells = [words("# One"), words("## Move it\n\n1. How many?"), words("bet!", "notes"), answers, words("## Last")]
    one = saved(tmp_path / "notebooks", *cells)
    shown = website.static_notebook(notebook_content.read_notebook(one), website.ContentsEntry(one, "?"), tmp_path / "pictures", set())
    assert [cell.source for cell in shown.cells] == [cell.source for cell in cells if cell.source != "bet!"]
    page = printable_page.printable_page(one).partition("<main>")[2].partition("</main>")[0]
    assert [unescape(head).strip() for head in re.findall(r"<h\d[^>]*>([^<]*)", page)] == ["One", "Move it", "Last", "Answers", "Move it"]
    assert page.index("Last") < page.index("Six.")
    assert "<summary>" not in page


# -- the site --------------------------------------------------------------------------------------------------------------------
LESSON = ROOT / "notebooks" / "01_paired_t.ipynb"


def licensed(folder):
    """Whose licences lie in a folder, each of them a text."""
    _, *parts = re.split(r"^== ([\w-]+) ==$", (folder / "LICENCES.txt").read_text(encoding="utf-8"), flags=re.M)
    assert all(len(text) > 1000 for text in parts[1::2])
    assert "Apache License" in parts[1::2][parts[::2].index("mathjax")]
    return {*parts[::2]}


@pytest.mark.complete
def test_the_site_has_the_calls_of_other_libraries(small):
    page = (small / "coming_from.html").read_text(encoding="utf-8")
    assert page.count("<table") == 10
    assert "Section Navigation" not in page  # its left column would be empty
    assert 'href="coming_from.html"' in (small / "index.html").read_text(encoding="utf-8")


@pytest.mark.complete
def test_every_link_of_the_small_site_leads_somewhere(small):
    assert faults(small) == []
    assert licensed(small) == {"fstats-classifiers", "mathjax", *assets.SITE_LICENCES}


def test_a_link_to_a_cell_leads_to_its_heading_in_the_site():
    """JupyterLab finds the cell at the first click; a page has its headings only."""
    known = {path.resolve() for path in (ROOT / "notebooks").glob("*.ipynb")}
    found = []
    for path in (ROOT / "exercises").glob("*.ipynb"):
        text = "\n".join(cell.source for cell in notebook_content.read_notebook(path).cells if cell.cell_type == "markdown")
        for target in re.findall(r"\]\((\S+#cell-id=\S+?)\)", text):
            file, _, heading = website._link_target(target, path, known).partition("#")
            sections = [
                words for cell in notebook_content.read_notebook(path.parent / file).cells for _, words in notebook_content.headings(cell)
            ]
            assert heading.replace("-", " ") in [words.replace("-", " ") for words in sections]
            found.append(target)
    assert found


def test_the_small_site_shows_what_is_stored(small):
    """Outputs, pictures with their words, formulas; and nothing was run."""
    page = (small / "notebooks" / "01_paired_t.html").read_text(encoding="utf-8")
    stored = notebook_content.read_notebook(LESSON)
    outputs = [output for cell in stored.cells for output in cell.get("outputs", [])]
    shown = unescape(re.sub(r"<[^>]+>", "", page))
    for output in outputs:
        if output.get("name") == "stdout":
            assert output.text.strip() in shown
    alternatives = [notebook_content.alt_text(output) for output in outputs if "image/png" in output.get("data", {})]
    assert [unescape(alt) for alt in re.findall(r'<img class="fstats-picture[^>]* alt="([^"]*)"', page)] == alternatives
    expected = sum(bool(notebook_content.explorer_name(output)) for output in outputs)
    assert page.count('<figure class="fstats-still" id="explorer-') == expected
    assert r"$\displaystyle \bar d" in page
    assert r"\(H_0\)" in page


def test_the_small_site_has_contents_and_a_reference(small):
    front = (small / "index.html").read_text(encoding="utf-8")
    assert "The paired t-test" in front
    assert "Is the mean difference too far from 0 to be chance?" in front
    about = (small / "reference" / "PairedT.html").read_text(encoding="utf-8")
    assert r"\(s_d = \sqrt{\frac{1}{n - 1} \sum_i (d_i - \bar d)^2}\)" in about
    assert r"two-sided: <span" in about
    assert "Student (1908)" in about
    called = re.search(r'<dt class="sig[^>]*id="fstats.PairedT">(.*?)</dt>', about, re.S)[1]
    assert unescape(re.sub(r"<[^>]+>|\s|#", "", called)).startswith("classPairedT(a,b,*,alternative='two-sided',alpha=0.05,labels=None")


def test_the_site_lists_lessons_by_number_with_their_minutes(small):
    text = (small / "notebooks" / "index.html").read_text(encoding="utf-8")
    line = next(row for row in re.findall(r"<tr.*?</tr>", text, re.S) if "01_paired_t.html" in row)
    expected = ["01 The paired t-test", "Is the mean difference too far from 0 to be chance?", "15"]
    assert [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<td.*?</td>", line, re.S)] == expected
    assert re.search(
        r'<a [^>]*class="current[^>]*>\s*01 The paired t-test', (small / "notebooks" / "01_paired_t.html").read_text(encoding="utf-8")
    )


def test_the_first_page_has_a_question_three_doors_and_pictures_of_lessons(small):
    """The doors lead to pages that are there; commands stand only under the heading for those who install."""
    page = (small / "index.html").read_text(encoding="utf-8").partition('<article class="bd-article">')[2].partition("</article>")[0]
    assert "Is one classifier better, or is the difference chance?" in page.partition("</h1>")[0]
    doors = re.search(r'<ul class="fstats-doors">(.*?)</ul>', page, re.S)[1]
    linked = re.findall(r'<a href="([^"]+)"><strong>(.*?)</strong>', doors)
    expected = [("notebooks/index.html", "Learn"), ("reference/index.html", "Compare my results"), ("exercises/index.html", "Teach")]
    assert linked == expected
    assert page.index("fstats-doors") < page.index("fstats-still") < page.index("fstats-gallery")
    shown, _, installed = re.sub(r"<[^>]+>", "", page).partition("For those who install")
    assert (shown.count("fstats lab"), installed.count("fstats lab")) == (0, 1)
    card = re.search(r'<ul class="fstats-gallery">(.*?)</ul>', page, re.S)[1]
    image = re.search(r'src="(_static/small/01_paired_t.png)" alt="([^"]+)" width="320" height="(\d+)"', card)
    assert image[2].startswith("Scores on 5 data sets")
    assert (small / image[1]).stat().st_size < 20_000
    words = re.sub(r"<[^>]+>", "|", card).split("|")
    assert [part for part in words if part.strip()] == [
        "01 The paired t-test",
        "Is the mean difference too far from 0 to be chance?",
        "15 minutes",
    ]


def test_doors_lead_to_the_pages_that_there_are():
    for documents, expected in (
        ([], ["notebooks/index", "reference/index", "exercises/index"]),
        (["notebooks/00_start_here", "notebooks/09_which_test"], ["notebooks/00_start_here", "notebooks/09_which_test", "exercises/index"]),
        (["desk", "notebooks/contents"], ["notebooks/index", "desk", "notebooks/contents"]),
    ):
        assert [door["link"].partition(".html")[0] for door in front_page.doors(documents)] == expected
    assert front_page.doors(["notebooks/contents"])[-1]["link"] == "notebooks/contents.html#Two-planned-courses"
    assert [front_page.doors(documents)[1]["text"].startswith("The desk") for documents in ([], ["desk"])] == [False, True]


def test_no_page_of_a_lesson_speaks_of_commands(small):
    """A reader of a page has nothing installed: its explorers name no command."""
    page = (small / "notebooks" / "01_paired_t.html").read_text(encoding="utf-8")
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", page)
    assert captions
    assert not any("<code>" in caption for caption in captions)
    assert all('href="../index.html#for-those-who-install"' in caption for caption in captions)


@pytest.mark.parametrize("path", NOTEBOOKS + EXERCISES, ids=lambda path: path.stem)
def test_every_lesson_and_exercise_says_its_minutes(path):
    found = notebook_content.planned_minutes(notebook_content.read_notebook(path))
    assert found.isdigit() if path.stem[0].isdigit() else found == ""


def test_the_glossary_stands_once(tmp_path):
    """The notebook of words is the site's page of words: the front leads to it, and no other page holds the terms."""
    website.write_sources(ROOT, tmp_path / "source", [ROOT / "notebooks" / "glossary.ipynb", LESSON], ["PairedT"])
    pages = {
        str(path.relative_to(tmp_path / "source")): path.read_text(encoding="utf-8")
        for path in (tmp_path / "source").rglob("*.*")
        if path.suffix in (".md", ".ipynb", ".rst")
    }
    expected = ["notebooks/glossary.ipynb"]
    assert [name for name, text in pages.items() if "* **adjusted p-value**" in text or "\nadjusted p-value\n" in text] == expected
    assert "{doc}`glossary <notebooks/glossary>`" in pages["index.md"]
    assert [name for name, text in pages.items() if re.search(r"^(Glossary <notebooks/)?glossary>?$", text, re.M)] == ["index.md"]


def test_contents_have_everything_and_overwrite_nothing(tmp_path, capsys):
    assert sorted(one.path for one in website.read_contents(ROOT, "notebooks")) == NOTEBOOKS
    assert [one.path for one in website.read_contents(ROOT, "exercises")] == EXERCISES
    (tmp_path / "thesis.tex").write_text("years of work")
    assert main(["site", "--to", str(tmp_path)]) == 1
    assert "holds other files. Give --to an empty folder, a new folder, or a folder that fstats site has written" in capsys.readouterr().err
    assert (tmp_path / "thesis.tex").read_text() == "years of work"


@pytest.mark.parametrize("command", ["print 01", "slides 01"])
def test_pages_stand_among_pages_of_ours_only(command, tmp_path, capsys, monkeypatch):
    """Somebody's own page or notebook may have the name of one."""
    written = []
    monkeypatch.setattr("fstats.publish.printable_page.write_printable_page", lambda path, _: written.append(path.stem) or [])
    monkeypatch.setattr("fstats.publish.slide_deck.write_deck", lambda path, *_: written.append(path.stem) or path)
    (tmp_path / "LICENCES.txt").write_text("of somebody's pages")
    assert main([*command.split(), "--to", str(tmp_path)]) == 1
    asked = f"Give --to an empty folder, a new folder, or a folder that fstats {command[:-3]} has written"
    assert capsys.readouterr().err == f"the folder {tmp_path} holds other files. {asked}.\n"
    (tmp_path / "LICENCES.txt").unlink()
    assets.write_licences(tmp_path, [])
    assert main([*command.split(), "--to", str(tmp_path)]) == 0
    assert written == ["01_paired_t"]


def test_what_a_site_needs_is_named(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("fstats.publish.publish_commands.find_spec", lambda name: None if name == "myst_nb" else name)
    assert main(["site", "--to", str(tmp_path)]) == 1
    assert (
        capsys.readouterr().err
        == 'fstats site needs packages that are not installed: myst_nb. Run `pip install "fstats-classifiers[site]"`.\n'
    )


def test_faults_of_a_site_are_told(tmp_path):
    """A docstring that cannot be read, a link that leads nowhere: no site, but their places."""
    source = tmp_path / "source"
    (source / "_static").mkdir(parents=True)
    (source / "index.md").write_text("# One\n\n[nowhere](two.md)\n")
    with pytest.raises(website.SiteBuildError, match=r"the built site has these faults:\nindex\.md:3: .*two\.md"):
        website._run_sphinx(source, tmp_path / "out", tmp_path / "kept", progress=False)


def test_what_ends_sphinx_is_told_in_a_sentence(tmp_path, monkeypatch):
    from sphinx.errors import ThemeError

    class Sphinx:
        def __init__(self, *_, **__): ...
        def set_html_assets_policy(self, _): ...
        def build(self, **_):
            raise ThemeError("An error happened.\nReason: none")

    monkeypatch.setattr("sphinx.application.Sphinx", Sphinx)
    with pytest.raises(website.SiteBuildError, match=r"^the site cannot be built: An error happened\. Reason: none$"):
        website._run_sphinx(tmp_path / "source", tmp_path / "out", tmp_path / "kept", progress=False)


def test_every_public_name_has_its_page(tmp_path, changed):
    api_reference.write_reference(tmp_path / "reference")
    told = {path.stem: re.findall(r"\.\. auto.*", path.read_text(encoding="utf-8")) for path in (tmp_path / "reference").iterdir()}
    pages = {*told}
    few = ("plot", "simulate", "explore", "datasets", "procedures")
    assert changed({name: told[name] for name in few} | {"all others": [told[name] for name in sorted(pages - {*few})]}) == []
    assert {name for name in fstats.__all__ if name not in ("datasets", "plot", "simulate")} <= pages
    assert pages - {*fstats.__all__} == {"index", "procedures", "differences", "explore"}


PRINTED = {  # names whose worked example has no picture, but is printed
    *("compare_all", "scores_on", "TablePosteriors", "Scores", "average_folds", "PairedTable", "Metric", "PassAtK", "SampledAnswers"),
    *("AlmostStochasticOrder", "VarianceParts", "VariancePartsOfDataSets", "critical_values", "QuestionsNeeded", "report"),
    *("PrintedBesideOurs",),
}
NOT_RUN = {"benchmark", "desk", "progress"}
TIME = re.compile(r" +(seconds|[\d.e-]+)$", re.M)  # the last column of compare_all: seconds, as wide as they are


def test_the_gallery_has_each_name_once():
    listed = [name for names in gallery.GROUPS.values() for name in names]
    public = sorted(name for name in fstats.__all__ if name not in ("datasets", "plot", "simulate"))
    assert sorted(listed) == public, f"gallery.toml needs one line for each of {sorted({*public} ^ {*listed}) or 'these names'}"


@pytest.mark.parametrize("name", [name for names in gallery.GROUPS.values() for name in names])
def test_every_name_has_a_worked_example_with_its_picture(name):
    """Its last line is a call of the name, and the code alone gives the printed result, as for a reader who copies it."""
    example = gallery.work_out(name)
    assert example.line.startswith(f"fstats.{name}")
    *above, last = example.code.split("\n")
    assert last == example.line
    assert (example.text == "", example.picture is None) == (name in NOT_RUN, name in NOT_RUN | PRINTED)
    if example.text:
        space = {}
        exec("\n".join(above), space)
        texts = [repr(eval(last, space)), example.text]
        assert len({TIME.sub("", text) if name == "compare_all" else text for text in texts}) == 1
        assert " at 0x" not in example.text


def test_an_entry_of_the_gallery_has_picture_question_and_line():
    card = gallery.card("PairedT", "Paired t-test: do two classifiers differ (see :func:`fstats.compare`)?")
    assert '<img class="fstats-picture dark-light" src="../_static/gallery/PairedT.svg" alt="Null distribution of t' in card
    assert '<a href="PairedT.html">' in card
    assert "<strong>Paired<wbr>T <small>Paired t-test</small></strong>" in card
    assert "<span>Do two classifiers differ (see compare)?</span><code>fstats.PairedT(a, b)</code>" in card
    printed = re.search(r'<span class="fstats-printed" aria-hidden="true">(.*?)</span>', gallery.card("VarianceParts", "Variances."), re.S)[
        1
    ]
    assert unescape(printed).splitlines() == [line[:60] for line in gallery.work_out("VarianceParts").text.splitlines()[-9:]]


def test_a_page_of_the_reference_links_lesson_exercise_source_and_more(tmp_path):
    api_reference.write_reference(
        tmp_path / "reference", ["PairedT", "SignedRank", "Holm"], {"notebooks": NOTEBOOKS, "exercises": EXERCISES}
    )
    page = (tmp_path / "reference" / "PairedT.rst").read_text(encoding="utf-8")
    assert "* Lesson: :doc:`The paired t-test <../notebooks/01_paired_t>`" in page
    assert ":doc:`Exercise 1. The paired t-test by hand <../exercises/01_paired_t_by_hand>`" in page
    assert "* See also: :doc:`SignedRank`\n" in page
    source = tmp_path / re.search(r"`paired_t.py <../(.*)>`__", page)[1]
    assert source.read_bytes() == (ROOT / "fstats" / "procedures" / "pairwise" / "paired_t.py").read_bytes()
    assert (tmp_path / "_static" / "gallery" / "PairedT.svg").read_text(encoding="utf-8") == gallery.work_out("PairedT").picture.svg()
    assert "05b_post_hoc" in (tmp_path / "reference" / "Holm.rst").read_text(encoding="utf-8")


def test_members_that_only_other_code_needs_are_not_on_the_pages():
    """All of these names are members, and each other member keeps its place."""
    classes = [thing for name in fstats.__all__ if isinstance(thing := getattr(fstats, name), type)] + [*api_reference.BASE_CLASS_TITLES]
    assert [name for name in gallery.OTHER_CODE if not any(hasattr(thing, name) for thing in classes)] == []
    for thing in classes:
        assert gallery.OTHER_CODE.isdisjoint(api_reference.documented_members(thing))
    page = "\n".join(api_reference._shared_members_page())
    assert "HypothesisTest.conclusion" in page
    assert "HypothesisTest.interval_text" not in page
    assert {"sides", "difference_sign", "effect_text"} <= gallery.OTHER_CODE


def test_every_page_stands_in_a_list_and_every_list_names_pages(tmp_path):
    website.write_sources(ROOT, tmp_path / "small", [NOTEBOOKS[0], EXERCISES[0]], ["PairedT"])
    api_reference.write_reference(tmp_path / "whole" / "reference")
    for source, alone in ((tmp_path / "small", {"index"}), (tmp_path / "whole", {"reference/index"})):
        pages = {path.relative_to(source).with_suffix("") for path in source.rglob("*") if path.suffix in (".md", ".rst", ".ipynb")}
        listed = set()
        for path in source.rglob("index.*"):
            text = path.read_text(encoding="utf-8")
            lists = [*re.findall(r"```{toctree}\n(.*?)```", text, re.S), *re.findall(r"\.\. toctree::\n((?:   .*\n|\n)*)", text)]
            names = [line.strip() for line in "\n".join(lists).splitlines() if line.strip() and not line.strip().startswith(":")]
            listed |= {path.parent.relative_to(source) / re.sub(r".*<(.+)>$", r"\1", name) for name in names}
        assert {page.as_posix() for page in pages - listed} == alone
        assert listed <= pages


@pytest.mark.parametrize("name", [name for name in fstats.__all__ if hasattr(getattr(fstats, name), "steps")])
def test_every_step_has_its_formula_in_the_reference(name):
    thing = getattr(fstats, name)
    lines = list(api_reference.steps_table(thing))
    assert [found[1] for line in lines if (found := re.match(r"   \* - ``(\w+)``", line))] == [*thing.inputs, *thing.steps]
    assert not any("$" in line for line in lines)
    assert sum("| " in line and ":math:`" in line for text in lines for line in text.split("\n")) >= len(thing.steps)


def test_which_formula_a_class_takes_is_told(changed):
    """By the alternative, or by a setting; one that no class takes is not told."""
    every = {name: thing for name in fstats.__all__ if hasattr(thing := getattr(fstats, name), "steps")}
    assert (
        changed({name: [api_reference._formula_cases(thing, one) for one in thing.steps.values()] for name, thing in every.items()}) == []
    )


# -- the crawl sees what is wrong ---------------------------------------------------------------------------------------------------
def test_the_crawl_sees_what_is_wrong(tmp_path):
    (tmp_path / "two.html").write_text('<p id="here">')
    (tmp_path / "one.html").write_text(
        '<link rel="stylesheet" href="https://cdn.example.org/x.css"><script src="//cdn.example.org/x.js"></script><img src="x.png" alt="">'
        '<a href="two.html#here">good</a><a href="two.html#there">bad</a><a href="three.html">bad</a><a href="https://example.org">good</a>'
    )
    (tmp_path / "style.css").write_text('@import "https://fonts.example.org/x"; a { background: url(lost.svg) }')
    assert faults(tmp_path) == [
        "one.html: it fetches https://cdn.example.org/x.css",
        "one.html: it fetches //cdn.example.org/x.js",
        "one.html: an image without words, x.png",
        "one.html: two.html#there leads to no place there",
        "one.html: three.html leads to no file",
        "one.html: x.png leads to no file",
        "style.css: lost.svg leads to no file",
        "style.css: it fetches https://fonts.example.org/x",
    ]


@pytest.mark.slow
def test_the_whole_site(tmp_path):
    """All notebooks, all exercises, all names; every link leads somewhere, and the search knows every page."""
    to = tmp_path / "site"
    assert (main(["site", "--to", str(to)]), faults(to)) == (0, [])
    for path in NOTEBOOKS + EXERCISES:
        page = (to / path.parent.name / f"{path.stem}.html").read_text(encoding="utf-8")
        pictures = [
            output
            for cell in notebook_content.read_notebook(path).cells
            for output in cell.get("outputs", [])
            if "image/png" in output.get("data", {})
        ]
        assert page.count('<img class="fstats-picture') == len(pictures)
    index = json.loads(re.search(r"Search\.setIndex\((.*)\)", (to / "searchindex.js").read_text(encoding="utf-8"), re.S)[1])
    assert {f"notebooks/{path.stem}" for path in NOTEBOOKS} | {"reference/PairedT"} <= {*index["docnames"]}


def test_words_about_keys_are_marked_in_lessons():
    """A screen for fingers hides them (site.css); the rest of the sentence is complete."""
    hidden = "Run the cells (Shift + Enter). Drag a ringed mark, or press Tab and use the arrow keys. Press m for more controls."
    assert website.KEY_WORDS.sub("", hidden) == "Run the cells. Drag a ringed mark."
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        cells = [cell for cell in notebook_content.read_notebook(path).cells if cell.cell_type == "markdown"]
        left = " ".join(website.KEY_WORDS.sub("", cell.source) for cell in cells if not notebook_content.is_left_out(cell))
        assert not re.search(r"Shift \+|arrow key|press Tab|\b[Pp]ress [mnwp]\b|\bkey [mnwp]\b", left), path.name
