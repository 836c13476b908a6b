"""The study of post-hoc tests: stored numbers come out again, and what is said of them."""

import json
from functools import partial

import numpy as np
import pytest
from shortcuts import assert_raises

from fstats import Nemenyi, RepeatedAnova, TukeyHSD, cli
from fstats.studies import post_hoc
from fstats.studies.post_hoc import familywise_errors
from fstats.studies.post_hoc.familywise_errors import SCORE_SETTINGS, TESTS, ScoreSetting, rejections_of_unit


@pytest.mark.complete
def test_a_random_unit_comes_out_again():
    study = post_hoc.stored()
    k = int(np.random.default_rng().integers(len(study.units)))
    assert rejections_of_unit(study.units[k], np.random.SeedSequence(0)) == study.results[k], study.units[k]


def test_the_study_is_complete(tmp_path):
    study = post_hoc.stored()
    for test in TESTS:
        assert [rate.effect for rate in study.of(test)] == SCORE_SETTINGS
        assert {rate.repetitions for rate in study.of(test)} == {familywise_errors.TABLES}
    assert len({(*unit["company"], unit["seed"]) for unit in study.units}) == len(study.units)
    study.save(tmp_path / "levels.json")
    assert [line["rejected"] for line in json.loads((tmp_path / "levels.json").read_text(encoding="utf-8"))["units"]] == study.results
    assert_raises(lambda: study.of("PairedT"), r"`test` must be one of RepeatedAnova.*; got .PairedT.", KeyError)
    scores = ScoreSetting(4, 1, 5, 9).draw(4000, seed=3)
    assert (scores.shape, scores.std((0, 2))) == ((9, 4, 4000), pytest.approx([5, 1, 1, 1], rel=0.02))
    assert scores.mean((0, 2)) == pytest.approx(0, abs=0.1)


def test_levels_of_post_hoc_tests():
    for test in TESTS:
        assert all(rate.verdict() != "liberal" for rate in post_hoc.stored().of(test) if rate.effect.times == 1), test
    # The reason of the advice in the guide, in the docstring of TukeyHSD, in a remark and in two lessons.
    study = post_hoc.stored()
    noisy = [k for k, company in enumerate(SCORE_SETTINGS) if company.times > 1]
    assert {study.of("TukeyHSD")[k].verdict() for k in noisy} == {"liberal"}
    for test in ("Holm on PairedT", "Holm on SignedRank"):
        assert all(rate.verdict() != "liberal" for rate in study.of(test)), test
    assert max(rate.rate for rate in study.of("RepeatedAnova, Greenhouse-Geisser")) < 0.06


def test_the_remark_sees_such_tables():
    """Called doubtful: few tables where sphericity holds, nearly all with one of five of five times the spread."""
    found = [
        np.mean([bool(RepeatedAnova(scores).remark) for scores in np.moveaxis(ScoreSetting(5, 1, times, 15).draw(100, seed=1), -1, 0)])
        for times in (1, 5)
    ]
    assert found[0] < 0.1
    assert found[1] > 0.95
    said = RepeatedAnova(ScoreSetting(5, 1, 5, 15).draw(1, seed=1)[..., 0]).remark
    assert "Holm.from_test(Pairwise(scores, using=PairedT))" in said
    assert "use the p-value of Greenhouse and Geisser" in said
    corrected = RepeatedAnova(ScoreSetting(5, 1, 5, 15).draw(1, seed=1)[..., 0], sphericity="greenhouse-geisser")
    assert "use the p-value" not in corrected.remark


def test_docstrings_say_what_was_found():
    worst = max(post_hoc.stored().of("Nemenyi"), key=lambda rate: rate.rate)
    few, n = str(worst.effect).split(", ")
    few = few.replace(" with ", " classifiers having ")
    said = f"with {few} ({n}), at least one pair was rejected in {100 * worst.rate:.1f} % of the tables"
    assert said in " ".join(Nemenyi.__doc__.split()), said
    study = post_hoc.stored()
    one, two = study.worst("TukeyHSD", 5), study.worst("TukeyHSD", 8)
    first, second = one.effect, two.effect
    assert (first.n, first.times) == (second.n, second.times)
    said = (
        f"(n = {first.n}), at least one pair was rejected in {100 * one.rate:.1f} % of the tables if {first.noisy} of {first.k} "
        f"classifiers had {first.times} times the spread, and in {100 * two.rate:.1f} % if {second.noisy} of {second.k} had."
    )
    assert said in " ".join(TukeyHSD.__doc__.split()), said


# -- the command -------------------------------------------------------------------------------------------------------------
def test_reproduce(capsys, tmp_path, monkeypatch):
    assert cli.main(["reproduce", "post-hoc"]) == 0
    printed = capsys.readouterr().out
    assert repr(post_hoc.stored()) in printed
    assert post_hoc.stored().provenance in printed
    monkeypatch.setattr(post_hoc, "study", partial(familywise_errors.study, tables=2, progress=False))
    file = tmp_path / "levels.json"
    assert cli.main(["reproduce", "post-hoc", "--again", "--save", str(file), "--store", str(tmp_path / "kept")]) == 0
    assert "2 tables for each line" in " ".join(capsys.readouterr().out.split())
    assert len(json.loads(file.read_text())["units"]) == len(SCORE_SETTINGS)
