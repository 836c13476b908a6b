"""Data sets by name: bundled, generated, from files, from OpenML; and what is said of files that are no data sets."""

import gzip
from collections import Counter
from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets
from shortcuts import assert_raises, parametrize

from fstats import datasets
from fstats.comparing.datasets.openml import OPENML_IDS

WITHOUT_FOLDER = ""


def rows(data):
    """Records with their classes, counted."""
    return Counter(map(tuple, np.column_stack([data.x, data.y]).tolist()))


# -- bundled -------------------------------------------------------------------------------------------------------------------
def test_known_data_sets_have_their_records():
    # Rows 34 and 37 are mistyped there, as its own description says; everything else is Fisher's.
    x, y = datasets.load("iris", WITHOUT_FOLDER)
    fisher = sklearn.datasets.load_iris()
    assert np.argwhere(x != fisher.data).tolist() == [[34, 3], [37, 1], [37, 2]]
    assert x[34].tolist() == x[37].tolist() == [4.9, 3.1, 1.5, 0.1]
    np.testing.assert_array_equal(y, fisher.target)
    wine = datasets.load("wine", WITHOUT_FOLDER)
    np.testing.assert_allclose(wine.x, sklearn.datasets.load_wine().data, atol=1.1e-6)
    for name in ("breast_cancer", "digits"):
        x, y = datasets.load(name, WITHOUT_FOLDER)
        there = getattr(sklearn.datasets, f"load_{name}")()
        np.testing.assert_array_equal(x, there.data)
        np.testing.assert_array_equal(y, there.target)


# -- generated -----------------------------------------------------------------------------------------------------------------
def tips(left, far_left, right, far_right):
    """Where a scale tips: the moments, without arithmetic on arrays."""
    return 0 if left * far_left > right * far_right else 2 if left * far_left < right * far_right else 1


def test_balance_is_its_rule():
    data = datasets.load("balance", WITHOUT_FOLDER)
    assert len(data) == 625
    assert data.y.tolist() == [tips(*map(int, row)) for row in data.x]
    assert np.bincount(data.y).tolist() == [288, 49, 288]


def test_the_ends_of_tic_tac_toe():
    """626 ends that x has won, 316 that o has won, 16 draws: played out move by move."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    ends, seen = {}, set()

    def play(board, mover):
        if board in seen:
            return
        seen.add(board)
        for end in lines:
            if board[end[0]] and len({board[place] for place in end}) == 1:
                ends[board] = int(board[end[0]] == 2)
                return
        if 0 not in board:
            ends[board] = 0
            return
        for place in range(9):
            if not board[place]:
                play((*board[:place], mover, *board[place + 1 :]), 3 - mover)

    play((0,) * 9, 2)
    data = datasets.load("tic_tac_toe", WITHOUT_FOLDER)
    assert len(data) == len(ends) == 958
    assert {tuple(board): won for board, won in zip(data.x.astype(int).tolist(), data.y.tolist())} == ends


def test_monks_problems():
    one, two, three = (datasets.load(f"monk{which}", WITHOUT_FOLDER) for which in ("one", "two", "three"))
    for data in (one, two, three):
        assert len(data) == len(rows(data)) == 432
    for a, b, c in zip(one.x.astype(int).tolist(), one.y.tolist(), three.y.tolist()):
        assert (b, c) == (a[0] == a[1] or a[4] == 1, (a[4] == 3 and a[3] == 1) or (a[4] != 4 and a[1] != 3))
    assert two.y.tolist() == [row.count(1) == 2 for row in two.x.astype(int).tolist()]
    assert [int(data.y.sum()) for data in (one, two, three)] == [216, 142, 228]  # as published with the problems


@pytest.mark.parametrize(("name", "means", "spreads"), [("twonorm", (1, -1), (1, 1)), ("ringnorm", (0, 1), (2, 1))])
def test_two_normal_classes(name, means, spreads):
    x, y = datasets.load(name, WITHOUT_FOLDER)
    assert x.shape == (7400, 20)
    for k in (0, 1):
        np.testing.assert_allclose(x[y == k].mean(0), means[k] * 2 / np.sqrt(20), atol=5 * spreads[k] / np.sqrt(3600))
        np.testing.assert_allclose(x[y == k].std(0), spreads[k], rtol=5 / np.sqrt(2 * 3600))
    assert datasets.load(name, WITHOUT_FOLDER).sha256 == datasets.load(name, WITHOUT_FOLDER).sha256


def test_waves_are_mixtures_of_triangles():
    x, y = datasets.load("wave", WITHOUT_FOLDER)
    assert x.shape == (5000, 40)
    peaks = (10, 14, 6)  # of the three triangles, counted from 0; each class mixes two of them and lacks the third
    for k, (first, second) in enumerate(((1, 2), (0, 2), (0, 1))):
        mean = x[y == k].mean(0)
        expected = [sum(max(6 - abs(i - peaks[t]), 0) for t in (first, second)) / 2 if i < 21 else 0 for i in range(40)]
        np.testing.assert_allclose(mean, expected, atol=0.25)


# -- the folder ----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["iris", "wine", "balance"])
def test_without_the_folder_the_same_rows_in_the_same_order(data_folder, name):
    assert datasets.load(name, WITHOUT_FOLDER).sha256 == datasets.load(name, data_folder).sha256


def test_boards_with_and_without_the_folder(data_folder):
    assert rows(datasets.load("tic_tac_toe", WITHOUT_FOLDER)) == rows(datasets.load("tic_tac_toe", data_folder))
    for name, noisy in (("monkone", 0), ("monktwo", 0), ("monkthree", 6)):
        ruled, filed = rows(datasets.load(name, WITHOUT_FOLDER)), rows(datasets.load(name, data_folder))
        assert all(filed[row] for row in ruled)
        assert sum(count for row, count in filed.items() if row not in ruled) == noisy


def test_every_file_of_the_folder_loads(data_folder):
    found = [name for name in datasets.names(data_folder) if list(data_folder.glob(f"{name}.csv"))]
    assert len(found) >= 18
    for name in found[:6]:
        data = datasets.load(name, data_folder)
        assert len(data.x) == len(data.y) == len(data) > 40
        assert np.isfinite(data.x).all()


def test_files_plain_and_zipped_and_named_by_the_environment(tmp_path, monkeypatch):
    text = "a,b,kind\n1,2.5,yes\n\n3,-4e2,no\n5,6,yes\n"
    (tmp_path / "mine.csv").write_text(text)
    with gzip.open(tmp_path / "yours.csv.gz", "wt") as file:
        file.write(text)
    for name in ("mine", "yours"):
        monkeypatch.setenv("FSTATS_DATA", str(tmp_path))
        data = datasets.load(name)
        assert data.x.tolist() == [[1, 2.5], [3, -400], [5, 6]]
        assert data.y.tolist() == [1, 0, 1]  # words in alphabetical order
        assert name in datasets.names(tmp_path)
    for heads in ("0,1,kind", "1,2,kind", "a,2,3"):  # columns may be counted beside a class that has a name
        (tmp_path / "counted.csv").write_text(f"{heads}\n7,8,1\n9,8,0\n")
        assert datasets.load("counted", tmp_path).x.tolist() == [[7, 8], [9, 8]]
    (tmp_path / "whole.csv").write_text("a,kind\n1,7\n2,-1\n3,7.0\n")
    assert datasets.load("whole", tmp_path).y.tolist() == [7, -1, 7]
    assert "the file whole.csv" in repr(datasets.load("whole", tmp_path))


def test_files_of_other_countries(tmp_path):
    (tmp_path / "ours.csv").write_text("\ufeffLänge;Breite;Art\n1,5;2;-\n\n3;-4,25;+\n", encoding="utf-8")
    data = datasets.load("ours", tmp_path)
    assert data.x.tolist() == [[1.5, 2], [3, -4.25]]
    assert data.x.flags.c_contiguous
    assert data.y.tolist() == [1, 0]  # + and - are names of classes
    (tmp_path / "old.csv").write_bytes("a,b,kind\n1,2,Müller\n".encode("latin-1"))
    assert_raises(lambda: datasets.load("old", tmp_path), r"old\.csv must be UTF-8 text; line 2 is not")


@pytest.mark.every_case
@parametrize(
    "text, message",
    ("a,b,kind\n1,2,0\n1,,0\n", r"must have all features; got no value in .*, row 3, column 'b'"),
    ("a,b,kind\n1,2,0\n?,2,0\n", r"must have all features; got no value in .*, row 3, column 'a'"),
    ("a,b,kind\n1,two,0\n", r"must be numbers; got 'two' in .*, row 2, column 'b'"),
    ("a,b,kind\n1,inf,0\n", r"must be finite; got 'inf' in .*, row 2, column 'b'"),
    ("a,b,kind\n1,2,\n", r"must have a class; got none in .*, row 2, column 'kind'"),
    ("a,b,kind\n1,2,0\n1,2\n", r"line 3 of .* has 2 cells below 3 headings"),
    ("a,b,kind\n", r"must have a header, records below it, features and a class; got 1 line"),
    ("", r"a class; got no line"),
    (
        "5.1,3.5,1.4,0\n4.9,3,1.4,0\n",
        r"got 5\.1,3\.5,1\.4,0. Write a line of names above the first record, such as x1,x2,x3,class",
    ),
    ("5.1,3.5,setosa\n4.9,3,setosa\n", r"must hold the names of the columns; got 5"),
    ("0,1,2\n0,1,2\n", r"must hold the names of the columns"),
)
def test_files_that_are_no_data_sets(tmp_path, text, message):
    (tmp_path / "bad.csv").write_text(text)
    assert_raises(lambda: datasets.load("bad", tmp_path), message)


def test_unknown_names_and_checksums(tmp_path):
    with pytest.raises(ValueError, match=r"there is no data set 'monktow'; the nearest names are 'monktwo', .*; then there are .*wine"):
        datasets.load("monktow", WITHOUT_FOLDER)
    assert_raises(
        lambda: datasets.load("liver", WITHOUT_FOLDER),
        r"'liver' must be read from a file. Write data_dir=FOLDER with a folder that contains liver.csv,",
    )
    assert_raises(lambda: datasets.load(3), "`name` must be the name of a data set, such as 'iris'; got 3", TypeError)
    assert_raises(lambda: datasets.load("iris", tmp_path / "nowhere"), "there is no folder")
    data = datasets.load("iris", WITHOUT_FOLDER)
    other = datasets.DataSet("iris", data.x[::-1], data.y[::-1], "")
    assert len({data.sha256, other.sha256, datasets.DataSet("iris", data.x, data.y + 1, "").sha256}) == 3


# -- OpenML --------------------------------------------------------------------------------------------------------------------
def test_openml_is_asked_and_words_are_numbered(monkeypatch):
    asked = []

    def fetch(**keywords):
        asked.append(keywords["data_id"])
        x = pd.DataFrame({"size": [1.5, 2.0], "colour": pd.Categorical(["red", "blue"], categories=["red", "blue"])})
        return x, pd.Series(["Rock", "Mine"])

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
    data = datasets.load("sonar", WITHOUT_FOLDER)
    assert (asked, data.x.tolist(), data.y.tolist()) == ([OPENML_IDS["sonar"]], [[1.5, 0], [2, 1]], [1, 0])
    assert data.source == "OpenML, data set 40"


def test_gaps_of_openml_are_named(monkeypatch):
    x = pd.DataFrame({"size": [1.5, 2.0], "colour": pd.Categorical(["red", None])})
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda **_: (x, pd.Series([1, 2])))
    with pytest.raises(ValueError, match="'wisconsin' of OpenML has a missing value in record 2, column 'colour'"):
        datasets.load("wisconsin", WITHOUT_FOLDER)


def test_without_a_connection_the_folder_is_recommended(monkeypatch):
    def fetch(**_):
        raise URLError("no route")

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
    with pytest.raises(OSError, match=r"'sonar' cannot be downloaded from OpenML .*no route.*FSTATS_DATA"):
        datasets.load("sonar", WITHOUT_FOLDER)
