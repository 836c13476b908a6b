"""Recognize the contents of table columns, such as data sets, classifiers, metrics and folds, by their names."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from unicodedata import combining, normalize

from ...core.metric_direction import CHANGES, GAIN_WORDS, MODIFIERS, NEGATIONS, WEAK_GAIN_WORDS, is_loss_metric, read_direction
from ...core.unit_of_analysis import plural
from ...core.validation.pandas_labels import is_fold_name, normalize_name

# words for runs, which may differ in splits or in seeds
RUN = "run|trial|iter(?:ation)?|experiment|exp|try|attempt|execution|replication|(?:durch)?lauf|versuch|essai|corrida|ejecuci[oó]n"
NUMBER = r"[ _.#-]*(?:n[or]\.? ?)?(\d+)"
RUN_HEADING = re.compile(rf"(?:{RUN})s?{NUMBER}", re.IGNORECASE)
FOLD_HEADING = re.compile(rf"(?:fold|split|cv|{RUN}|rep|repeat|repetition|round|resample|[sr]){NUMBER}(?:_test_\w+)?", re.IGNORECASE)
SEED_HEADING = re.compile(r"(?:seed|random[ _]state)[ _-]?(\d+)", re.IGNORECASE)  # heading of the scores for one seed, such as "seed 3"
# heading of a column that holds seeds, such as "seed_id"
SEED_LIKE_HEADING = re.compile(r"(?:^|[_ .-])(?:seeds?|rng)(?:[_ .-]?(?:id|no|nr|number|index|idx))?$", re.IGNORECASE)
IN_BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]")
UNIT = re.compile(r"(?:in )?(?:%|[mµun]?s|min|h|dB|[kMGT]i?B|percent|macro|micro|weighted)")  # a unit, or a kind of average
INNER_ARROW = re.compile(r"(?P<metric>\S.*?)\s*(?P<arrow>[↑↓])[\s_:|/-]*(?P<name>[^\W_].*)")
ARROWS = re.compile(r"\s*(?:\$?\\(?:down|up)arrow\$?|[↑↓])\s*")
CONNECTORS = {"in", "of", "de"}
CORNER = re.compile(r"\s*[\\/|]\s*|\s+vs\.?\s+|(?<=[↓→])\s+", re.IGNORECASE)  # separates the words for rows and columns
SCORE_WORDS = GAIN_WORDS | WEAK_GAIN_WORDS


@cache
def known_names(file: str = "column_names.toml") -> dict[str, dict[str, Any]]:
    """Return the lists of usual names, or the tables of another file of this folder."""
    return tomllib.loads((files(__package__) / file).read_text(encoding="utf-8"))


@cache
def known_pattern(kind: str, part: str, form: str = "{}", flags: int = 0) -> re.Pattern[str]:
    """Return the pattern that has a list of alternatives in the place of the brackets of a form."""
    return re.compile(form.replace("{}", f"(?:{'|'.join(known_names()[kind][part])})"), flags)


@cache
def known_words(kind: str, part: str = "words") -> frozenset[str]:
    """Return a list of usual words in lower case, such as the words for a spread."""
    words = known_names()[kind][part]
    return frozenset((*words, *map(without_accents, words)))


def without_accents(text: str) -> str:
    """Return a text without accents and umlauts, which many tables leave out.

    >>> without_accents("predicción"), without_accents("Vérité")
    ('prediccion', 'Verite')
    """
    return "".join(letter for letter in normalize("NFKD", text) if not combining(letter))


def words_of(name: str) -> list[str]:
    """Return the words of a name.

    >>> words_of("MetricName"), words_of("forest_std"), words_of("acc_stderr,none"), words_of("R² RF")
    (['metric', 'name'], ['forest', 'std'], ['acc', 'stderr', 'none'], ['r2', 'rf'])
    """
    return [word for word in re.split(r"[\s_.,:;/@#()\[\]'’~-]+", re.sub(r"²|\^2\b", "2", normalize_name(name))) if word]


def data_set_rank(name: str) -> int:
    """Return how surely a column of this name holds the names of data sets: 0 (surely), 1, 2, ...; -1 for other names."""
    word = without_accents(normalize_name(name := name_of_lines(name)))
    known = known_names()["data_set"]
    if word in known_words("data_set", "names"):
        return list(map(without_accents, known["names"])).index(word)
    words = {*words_of(name)}
    if words & {"data", "dataset", "datasets", "datensatz"} and not words & known_words("count"):
        return 100
    if word in known_words("data_set", "ids"):
        return 200 + int(known["ids"].index(word))
    return 300 + int(known["weak"].index(word)) if word in known_words("data_set", "weak") else -1


def unit_of_heading(name: str) -> str:
    """Return the word for what a column of this name numbers or names, such as "query", if this is no data set; otherwise "".

    >>> [unit_of_heading(name) for name in ("Query", "question_id", "users", "data set", "age")]
    ['query', 'question', 'user', '', '']
    """
    words = [word for word in words_of(name) if word not in ("id", "name", "nr", "no")]
    word = known_names()["data_set"]["translated_units"].get(words[0], words[0]) if len(words) == 1 else ""
    return next((unit for unit in known_names()["data_set"]["units"] if word in (unit, plural(unit))), "")


def name_of_lines(corner: str) -> str:
    r"""Return the word for the lines of a heading that names lines and columns; other headings unchanged.

    >>> name_of_lines("Model \\ Dataset"), name_of_lines("Datasets → / Methods ↓"), name_of_lines("acc/f1")
    ('Model', 'Methods', 'acc/f1')
    """
    parts = [part for part in CORNER.split(corner) if part]
    if len(parts) != 2:
        return corner
    words = [part.strip("↓→ ") for part in parts]
    is_role = (classifier_rank(words[0]) == 0 <= data_set_rank(words[1]), data_set_rank(words[0]) >= 0 == classifier_rank(words[1]))
    return words["↓" in parts[1] and "↓" not in parts[0]] if any(is_role) else corner


def classifier_rank(name: str) -> int:
    """Return how surely a column of this name holds the names of classifiers: 0 (surely), 1, ...; -1 for other names."""
    word = without_accents(normalize_name(name_of_lines(name)))
    plain = re.sub(rf"_(?:{'|'.join(known_names()['classifier']['suffixes'])})$", "", word)
    for rank, (names, candidates) in enumerate(((("names"), (word, word.removesuffix("s"))), ("names", (plain,)), ("weak", (word, plain)))):
        if known_words("classifier", names).intersection(candidates) or (rank == 1 and word in known_words("classifier", "parts")):
            return rank
    return -1


def is_date_heading(name: str) -> bool:
    """Return whether a column of this name says when something was run."""
    return not {"timestamp", "datetime", "date", "created", "started", "finished", "commit", "hash"}.isdisjoint(words_of(name))


def is_metric_heading(name: str) -> bool:
    """Return whether a column of this name holds the names of metrics."""
    return without_accents(normalize_name(name)) in known_words("metric", "names")


def is_value_heading(name: str) -> bool:
    """Return whether a column of this name holds values without saying of which metric."""
    return without_accents(normalize_name(name)) in known_words("value", "names")


def is_repetition_heading(name: str) -> bool:
    """Return whether a column of this name numbers folds, runs or other repetitions."""
    word = re.sub(r"_(?:id|no|nr|number|index|idx|num|name)$", "", without_accents(normalize_name(name)))
    return is_fold_name(name) or is_fold_name(word) or word in known_words("fold", "names") | known_words("fold", "folds")


def truth_rank(name: str) -> int:
    """Return how surely a column of this name holds the true classes: 0 (surely), 1 (a name of classes); -1 for other names.

    >>> [truth_rank(name) for name in ("y_true", "clase real", "Wahrheit", "classe", "svm", "valor")]
    [0, 0, 0, 1, -1, -1]
    """
    words = {*map(without_accents, words_of(name))}
    truth, classes, fillers = (known_words("true_labels", part) for part in ("truth", "classes", "fillers"))
    if without_accents(normalize_name(name)) in known_words("true_labels", "names"):
        return 0
    if not words or words - truth - classes - fillers:
        return -1
    return 0 if words & truth else 1 if words & classes else -1


def is_prediction_heading(name: str) -> bool:
    """Return whether the name of a column says that it holds predictions.

    >>> [is_prediction_heading(name) for name in ("pred_svm", "Vorhersage 1", "predicción", "svm")]
    [True, True, True, False]
    """
    return any(without_accents(word).startswith(tuple(known_words("predictions"))) for word in words_of(name))


def is_identifier_heading(name: str) -> bool:
    """Return whether a column of this name numbers or names test records."""
    return without_accents(normalize_name(name)) in known_words("identifiers", "names")


def is_spread_heading(name: str) -> bool:
    """Return whether the name of a column ends or begins with a word for a spread, such as std or ±."""
    words = words_of(name)
    return (bool(words) and bool({words[0], words[-1], *words[1:]} & known_words("spread"))) or "±" in name


def without_spread(name: str) -> str:
    """Return the name of a column without the words for spreads and means.

    >>> without_spread("forest_std"), without_spread("svm (sd)"), without_spread("acc_mean")
    ('forest', 'svm', 'acc')
    """
    drop = known_words("spread") | known_words("spread", "centres")
    return "_".join(word for word in words_of(name.replace("±", " ± ")) if word not in drop)


def is_summary_heading(name: str) -> bool:
    """Return whether a column of this name summarizes the other columns of a row.

    >>> [is_summary_heading(name) for name in ("Avg.", "Δ (ours)", "Delta vs base", "Improvement (%)", "Mean (all)", "Information gain")]
    [True, True, True, True, True, False]
    """
    return (
        normalize_name(name) in known_words("summary", "names")
        or re.fullmatch(known_names()["summary"]["columns"], name.strip().lower()) is not None
    )


def is_rank_heading(name: str) -> bool:
    """Return whether a column of this name may hold ranks; names of classifiers such as Rank-SVM are not distinguished.

    >>> [is_rank_heading(name) for name in ("Rank (Ours)", "avg. rank svm", "Durchschnittsrang", "Rank.1", "random forest")]
    [True, True, True, True, False]
    """
    return any(map(known_pattern("patterns", "ranks").fullmatch, words_of(name)))


def is_summary_line(name: str) -> bool:
    """Return whether a row of this name summarizes other rows.

    >>> [is_summary_line(name) for name in ("Average accuracy", "Mean rank", "W/D/L", "Mean ± std", "meander", "# wins", "Écart-type:")]
    [True, True, True, True, False, True, True]
    """
    line = " ".join(name.strip(" *.:").casefold().split())
    return any(re.fullmatch(known_names()["summary"]["lines"], spelling) for spelling in (line, without_accents(line)))


def is_count_heading(name: str) -> bool:
    """Return whether a column of this name counts, numbers or dates something, or describes the size of a data set."""
    words, word = words_of(name), normalize_name(name)
    counts = known_words("count")
    return (
        word in known_words("count", "names")
        or re.fullmatch(r"#.+|\|.+\|", name.strip()) is not None
        or (bool(words) and (words[0] in counts - {"total", "ratio"} or words[-1] in counts - {"ratio", "total", "no"}))
    )


def is_time_heading(name: str) -> bool:
    """Return whether a column of this name holds times or memory."""
    return not known_words("time").isdisjoint(words_of(name))


def is_setting_heading(name: str) -> bool:
    """Return whether a column of this name holds values of a setting, such as a noise level or the size of the training set."""
    return not known_words("settings").isdisjoint(words_of(name))


def is_resource_heading(name: str) -> bool:
    """Return whether a column of this name holds what a computation needs, such as FLOPs, GPU hours or energy."""
    return not known_words("resources").isdisjoint(words_of(name))


def is_surely_time(name: str) -> bool:
    """Return whether a name says time or memory itself, and not only a unit or a part of a name such as Time-CNN or MS.

    >>> [is_surely_time(name) for name in ("train_time", "Time (s)", "runtime", "Time-CNN", "ms", "H-InceptionTime")]
    [True, True, True, False, False, False]
    """
    if re.search(rf"(?i:{'|'.join(known_words('time', 'classifiers'))})Time\b", name):
        return False
    words = [word for word in words_of(name) if len(word) > 2 and word != "sec" and word not in known_words("spread", "centres")]
    return bool(words) and not known_words("time").isdisjoint((words[-1], *words[: len(words) == 2 and words[1] in known_words("time")]))


def is_metric_name(name: str) -> bool:
    """Return whether a name consists of nothing but words for metrics, times, counts, parts of the data, and summaries.

    >>> [is_metric_name(name) for name in ("accuracy", "test_f1 (mean)", "Errors (out of 160)", "svm_accuracy", "Recall@10")]
    [True, True, True, False, True]
    """
    parts = (("measures", "fillers"), ("spread", "words"), ("spread", "centres"), ("partition", "words"), ("count", "words"))
    others = frozenset().union(*(known_words(kind, part) for kind, part in parts))
    words = [re.sub(r"\d+$", "", word) if not is_score_heading(word) else word for word in words_of(name)]
    words = [word for word in words if word and word not in others]
    return bool(words) and all(is_score_heading(word) and word not in ("f", "map", "em", "tau", "win", "hit", "dice") for word in words)


def is_score_heading(name: str) -> bool:
    """Return whether a column of this name holds values of a metric."""
    arrow = re.search(r"[↑↓]|\\(?:up|down)arrow", name)
    return bool(arrow) or not SCORE_WORDS.isdisjoint(_metric_words(name)) or is_loss_metric(name) or is_value_heading(name)


def score_words(name: str) -> set[str]:
    """Return the words of a name that are names of metrics, of gains or of losses.

    >>> score_words("raw_auc_test"), sorted(score_words("tpr@0.01"))
    ({'auc'}, ['tpr'])
    """
    return {word for word in words_of(name) if (word in SCORE_WORDS or is_loss_metric(word)) and len(word) > 1}


def bare_measures(heads: Sequence[str]) -> list[str]:
    """Return the headings that are names of metrics and nothing else, if they name different metrics.

    >>> bare_measures(["Test Accuracy (%)", "Test F1 (Macro %)", "iris"]), bare_measures(["accuracy", "svm accuracy"])
    (['Test Accuracy (%)', 'Test F1 (Macro %)'], [])
    """
    bare = [head for head in heads if is_metric_name(head) and score_words(head)]
    ends = Counter(words_of(head)[-1] for head in heads if head not in bare and words_of(head))
    # leave out "Average WER" beside "SADA WER" and "MGB WER": it is their mean, not another metric
    bare = [head for head in bare if ends[words_of(head)[-1]] < 2]
    return bare if len({frozenset(score_words(head)) for head in bare}) > 1 else []


def are_several_measures(heads: Iterable[str]) -> bool:
    """Return whether headings hold three or more names of metrics, and not each of them equally often.

    >>> are_several_measures(["auc", "raw_auc", "tpr", "fpr"]), are_several_measures(["svm auc", "svm f1", "tree auc", "tree f1"])
    (True, False)
    """
    kinds = Counter(word for head in heads for word in score_words(head))
    return len(kinds) > 2 and len({*kinds.values()}) > 1


def _metric_words(name: str) -> set[str]:
    """Return the words of a name; for a word with a number at the end, such as ndcg10, also the word without the number."""
    words = {*words_of(re.sub(r"\btop[\s_-](?=\d)", "top", name, flags=re.IGNORECASE))}
    words |= {re.sub(r"(?<=[a-z]{3})\d+$", "", word) for word in words}
    # the word "f" alone may mean a function, as in "best_f", instead of the F measure
    return words if words == {"f"} or {"measure", "score", "value"} & words else words - {"f"}


def partition_words(values: Iterable[str]) -> set[str]:
    """Return the values that are words for parts of the data, such as train and test."""
    return {value for value in values if re.sub(r"\s*\(.*\)$", "", value.strip().lower()) in known_words("partition")}


def begin_with_partitions(values: Iterable[str]) -> bool:
    """Return whether all values begin with words for parts of the data, such as dev, test-clean and test-other."""
    return all(re.split(r"[\W_]", value.strip().lower())[0] in known_words("partition") for value in values)


def _is_metric_or_partition(word: str) -> bool:
    return is_score_heading(word) or bool(partition_words([word]))


def split_heading(head: str, first: bool = False, is_known: Callable[[str], bool] = _is_metric_or_partition) -> tuple[str, str]:
    """Return the classifier and the metric (or another known word) of a heading; the metric is its last part, or its first part.

    >>> split_heading("RF latency (ms)"), split_heading("Acc. (%) SVM (RBF)", first=True)
    (('RF', 'latency (ms)'), ('SVM (RBF)', 'Acc. (%)'))
    >>> split_heading("Taux d'erreur kNN", first=True), split_heading("error rate kNN", first=True)
    (('kNN', "Taux d'erreur"), ('kNN', 'error rate'))
    """
    if inner := INNER_ARROW.fullmatch(head):  # "ECE ↓ Base": the arrow stands behind the metric
        metric = inner["metric"] + f" {inner['arrow']}" * (read_direction(inner["metric"])[0] is not (inner["arrow"] == "↓"))
        return (inner["name"], metric) if first and is_known(metric) else ("", "")
    for unit in IN_BRACKETS.finditer(head):  # a unit such as (ms) belongs to the metric
        name, word = split_heading(head[: unit.start()] + head[unit.end() :], first, is_known)
        if word and not is_known(unit[1]) and (head[: unit.start()].endswith(word) or UNIT.fullmatch(unit[1])):
            return name, word + unit[0]
    whole = _metric_first().fullmatch(head) if first else None
    if whole and len(words_of(whole[1])) > 1 and is_score_heading(whole[2]) and is_known(whole[1]):
        return whole[3], whole[1]  # "Taux d'erreur kNN", "error rate kNN": the metric has several words
    for sign in ("~", "/", ":", "|", " ", "_", ".", "-", "("):
        before, found, after = head.partition(sign) if first else head.rpartition(sign)
        word = (before if first else after).strip("()[] ")
        if found and not (sign in "_.-" and " " in word) and not re.search(r"[()\[\]]", word) and is_known(word):
            name, word = _whole_metric((after if first else before).strip(), word, first)
            return _without_open_brackets(name), word
    return "", ""


@cache
def _metric_first() -> re.Pattern[str]:
    beside = "|".join(sorted((known_words("before_metrics") | MODIFIERS | {"d", "de", "di"}) - known_words("partition")))
    return re.compile(rf"((?:(?:{beside})[\s'’_-]+)*([^\W_]+)(?:[\s_-]rates?)?)[\s_:|/-]+([^\W_].*)", re.IGNORECASE)


def _without_open_brackets(name: str) -> str:
    """Return a name without an unmatched bracket at its start or end."""
    return name if name.count("(") == name.count(")") and not name.startswith("(") else name.strip("() ")


def _whole_metric(stem: str, word: str, first: bool) -> tuple[str, str]:
    """Return the classifier and the metric of a heading with all words of the metric, such as "balanced accuracy" or "val loss".

    >>> _whole_metric("RF (tasa de", "error", False), _whole_metric("RF ROC", "AUC", False), _whole_metric("log", "loss", False)
    (('RF', 'tasa de error'), ('RF', 'ROC AUC'), ('log', 'loss'))
    """
    if first or not is_score_heading(word):
        return stem, word
    if not any(map(str.isalpha, word)):  # an arrow
        name, metric = split_heading(stem)
        return (name, f"{metric} {word}") if metric else (stem, word)
    opened = max(stem.rfind("("), stem.rfind("["))
    if opened > 0 and not {")", "]"} & {*stem[opened:]}:
        return stem[:opened].strip(), f"{stem[opened + 1 :]} {word}"
    if complement := re.fullmatch(r"(.*\S)[\s_]+((?:1|100)\s*%?\s*[-\u2212\u2013])", stem):
        return complement[1], f"{complement[2]} {word}"
    parts = re.split(r"([\s_.]+)", stem)
    k = len(parts) - 2 * (parts[-1].lower() == "cross" and word.lower() == "entropy")
    before = known_words("before_metrics") | MODIFIERS | NEGATIONS | CHANGES | CONNECTORS
    while k > 1 and (parts[k - 1].strip(".").lower() in before or is_score_heading(parts[k - 1])):
        k -= 2
    while k < len(parts) and parts[k + 1] in CONNECTORS:
        k += 2
    name = "".join(parts[: max(k, 0)])
    return (
        (name, stem[len(name) :].lstrip(" _.") + (parts[-2] if len(parts) > 1 else " ") + word) if name and k < len(parts) else (stem, word)
    )


def short_names(heads: Sequence[str], is_known: Callable[[str], bool] = is_score_heading) -> list[str]:
    """Return headings without the metric (or another known word) that all of them share, if the rest is different for all and no number.

    >>> short_names(["A acc", "B acc"]), short_names(["pred_svm", "pred_knn"], is_prediction_heading), short_names(["acc 1", "acc 2"])
    (['A', 'B'], ['svm', 'knn'], ['acc 1', 'acc 2'])
    """
    for split in split_headings(heads, is_known):
        stems = [_without_open_brackets(stem.strip(" -_:/.|")) for stem, _ in split]
        if len({word for _, word in split}) == 1 < len({*stems}) == len(heads) and all(any(map(str.isalpha, stem)) for stem in stems):
            return stems
    return [*heads]


def split_headings(heads: Iterable[str], is_known: Callable[[str], bool] = _is_metric_or_partition) -> Iterator[list[tuple[str, str]]]:
    """Yield the name and the metric of each heading, if all headings join both: first with the last word as the metric, then the first.

    >>> [*split_headings(["A acc", "A rmse"])], [*split_headings(["ECE A", "Top-1 A"])], [*split_headings(["A", "acc"])]
    ([[('A', 'acc'), ('A', 'rmse')]], [[('A', 'ECE'), ('A', 'Top-1')]], [])
    """
    ways = ([split_heading(head, first, is_known) for head in heads] for first in (False, True))
    return (joined for joined in ways if all(stem and metric for stem, metric in joined))


def split_metrics(heads: Iterable[str]) -> list[tuple[str, str]]:
    """Return the name and the metric of each heading without arrows, if all headings join both and there are several metrics.

    >>> split_metrics(["ECE ↓ A", "Top-1 A"]), split_metrics(["A ↓", "B ↑"])
    ([('A', 'ECE'), ('A', 'Top-1')], [])
    """
    ways = split_headings([ARROWS.sub(" ", head).strip() for head in heads])
    return next((joined for joined in ways if len({metric for _, metric in joined}) > 1), [])


def looks_like(names: Iterable[str], kind: str) -> int:
    """Return the number of names that hold a word of usual names of "classifiers" or "data_sets"."""
    return sum(bool(known_words(kind, "words").intersection([*words_of(name), name.lower()])) for name in names)


def metric_to_compare(metrics: Sequence[str]) -> str:
    """Return the first metric that measures quality on test data; the first of all metrics if there is none.

    >>> metric_to_compare(["fit_time", "train_acc", "test_acc", "test_f1"]), metric_to_compare(["cost_usd", "val/loss"])
    ('test_acc', 'val/loss')
    """

    def distance(metric: str) -> float:
        words = {*words_of(metric)}
        if is_time_heading(metric) or is_resource_heading(metric) or words & known_words("beside_quality"):
            return 3
        is_bare = words - known_words("partition") == {"loss"}  # the training objective, to which other metrics are preferred
        part = 2 if words & {"train", "training", "trn", "insample"} else 1 if words & {"val", "valid", "validation", "dev", "oob"} else 0
        return part + is_bare / 2

    return min(metrics, key=distance)
