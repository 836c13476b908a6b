"""Suggestions for unknown names: the most similar known names, and error messages that list these names."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Any


def format_names_by_similarity(name: str, known: Iterable[str]) -> str:
    """List the known names for an error message: the three most similar names, then the other names.

    >>> format_names_by_similarity("irsi", ["heart", "iris", "sonar", "wine", "yeast3"])
    "the nearest names are 'iris', 'wine', 'heart'; then there are sonar, yeast3"
    >>> format_names_by_similarity("f2", ["f1", "accuracy"])
    "the nearest names are 'f1', 'accuracy'"
    """
    rest = _sort_by_similarity(name, known)[3:]
    return format_nearest_names(name, known) + (f"; then there {'are' if len(rest) > 1 else 'is'} {', '.join(rest)}" if rest else "")


def format_nearest_names(name: str, known: Iterable[str]) -> str:
    """List only the three most similar names, for an error message that would be too long with all names.

    >>> format_nearest_names("irsi", ["iris"]), format_nearest_names("irsi", ["sonar", "iris"])
    ("the nearest name is 'iris'", "the nearest names are 'iris', 'sonar'")
    """
    nearest = _sort_by_similarity(name, known)[:3]
    return f"the nearest {'names are' if len(nearest) > 1 else 'name is'} {', '.join(map(repr, nearest))}" if nearest else "there are none"


def _sort_by_similarity(name: str, known: Iterable[str]) -> list[str]:
    return sorted(sorted(known), key=lambda other: -SequenceMatcher(None, name.lower(), other.lower()).ratio())


class AmbiguousNameError(LookupError):
    """Error for an abbreviation with which several names begin."""


def resolve_numbered_name(name: str, stems: Iterable[str], what: str) -> str:
    """Find a numbered name from its number, from the name with or without number, from a file name, or from its first letters.

    >>> lessons = ["01_paired_t", "01b_without_pairs", "10_simulation"]
    >>> [resolve_numbered_name(name, lessons, "lesson") for name in ("1", "01", "paired_t", "notebooks/01_paired_t.ipynb", "01b", "sim")]
    ['01_paired_t', '01_paired_t', '01_paired_t', '01_paired_t', '01b_without_pairs', '10_simulation']
    """
    listed = [*stems]
    folder, _, word = name.replace("\\", "/").rstrip("/").removesuffix(".ipynb").lower().rpartition("/")

    def spellings(stem: str) -> tuple[str, ...]:
        number, _, title = stem.lower().partition("_")
        return stem.lower(), title, number, number.lstrip("0") or "0"

    matches = [stem for stem in listed if word and word in spellings(stem)]
    matches = matches or [stem for stem in listed if word and not folder and any(text.startswith(word) for text in spellings(stem)[:2])]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise AmbiguousNameError(f"the name {name} is ambiguous, because {name} can be {' or '.join(matches)}: write one of these names")
    raise LookupError(f"there is no {what} {name!r}; {format_nearest_names(word, listed)}; fstats --list lists all")


# Names in scikit-learn and SciPy -> names in this package.
NAMES_IN_OTHER_LIBRARIES = {"n_jobs": "jobs", "random_state": "rng", "seed": "rng", "cv": "splits", "verbose": "progress"}
# Class or function in this package -> its names in other libraries.
OTHER_NAMES = {
    "PairedT": "ttest_rel ttest TTest",
    "OneSampleT": "ttest_1samp",
    "TwoSampleT": "ttest_ind",
    "SignedRank": "wilcoxon Wilcoxon WilcoxonSignedRank",
    "RankSum": "mannwhitneyu MannWhitney mwu",
    "BinomialProportion": "binomtest binom_test proportion_confint proportions_ztest proportion",
    "CorrectedResampledT": "NadeauBengio nadeau_bengio corrected_std corrected_resampled_ttest",
    "PairedTable": "mcnemar_table mcnemar_tables",
    "Friedman": "friedmanchisquare",
    "OneWayAnova": "f_oneway anova",
    "RepeatedAnova": "rm_anova AnovaRM",
    "EquivalenceT": "ttost_paired tost",
    "Holm": "multipletests multicomp posthoc_siegel_friedman",
    "BenjaminiHochberg": "false_discovery_control fdrcorrection",
    "Nemenyi": "posthoc_nemenyi_friedman critical_difference_diagram CriticalDifference cd_diagram critical_difference plot_stats",
    "TukeyHSD": "posthoc_tukey_hsd pairwise_tukeyhsd",
    "FiveByTwoT": "paired_ttest_5x2cv",
    "CombinedFiveByTwoF": "combined_ftest_5x2cv",
    "KFoldT": "paired_ttest_kfold_cv",
    "ResampledT": "paired_ttest_resampled",
    "PairedPermutation": "permutation_test",
    "PairedBootstrap": "bootstrap",
    "BayesianSignedRank": "two_on_multiple",
    "BayesianCorrelatedT": "two_on_single",
    "InterquartileMean": "aggregate_iqm",
    "PerformanceProfile": "create_performance_profile",
    "Normality": "shapiro normality",
    "sample_size": "solve_power TTestPower",
    "which_test": "autorank",
    "report": "create_report",
}
NAMES_IN_OTHER_LIBRARIES |= {word: name for name, words in OTHER_NAMES.items() for word in words.split()}
# Alternative in this package -> words for it in SciPy, statsmodels, pingouin and R, without punctuation.
ALTERNATIVES_IN_OTHER_LIBRARIES = {
    "two-sided": {"twosided", "2sided", "twotailed", "2tailed", "both", "two", "t", "!=", "notequal", "different"},
    "greater": {"greater", "larger", "g", "gt", ">", "greaterthan", "largerthan", "right", "rightsided", "upper", "better", "higher"},
    "less": {"less", "smaller", "l", "lt", "<", "lessthan", "smallerthan", "left", "leftsided", "lower", "worse"},
}
# Arguments of tests in other libraries -> arguments in this package; the first argument that the test has is meant.
ARGUMENTS_IN_OTHER_LIBRARIES = {"x": "a d scores", "y": "y_true b", "data": "scores correct", "a": "scores", "names": "labels"}
ARGUMENTS_IN_OTHER_LIBRARIES |= {"n_resamples": "draws", "num_rounds": "draws", "n_permutations": "draws", "random_seed": "rng"}
ARGUMENTS_IN_OTHER_LIBRARIES |= {"y_target": "y_true", "y_model1": "pred_a a", "y_model2": "pred_b b", "ary": "n01", "zero_method": "zeros"}
ARGUMENTS_IN_OTHER_LIBRARIES |= {
    "popmean": "mu",
    "corrected": "correction",
    "continuity": "correction",
    "effect": "effect_size",
    "nobs": "n",
}
ARGUMENTS_IN_OTHER_LIBRARIES |= dict.fromkeys(("maximize", "direction", "lower_is_better", "order"), "higher_is_better")
ARGUMENTS_IN_OTHER_LIBRARIES |= {"conf_level": "alpha", "confidence_level": "alpha", "low": "margin", "upp": "margin"}
# Results of tests in other libraries -> steps in this package.
ARGUMENTS_IN_OTHER_LIBRARIES |= dict.fromkeys(("p", "pval", "p_val", "p_value", "p_unc"), "pvalue pvalues")
ARGUMENTS_IN_OTHER_LIBRARIES |= {"stat": "statistic", "T": "statistic", "Q": "statistic", "F": "statistic", "W": "statistic", "dof": "df"}
ARGUMENTS_IN_OTHER_LIBRARIES |= dict.fromkeys(("conf_int", "confidence_interval", "CI95"), "ci")
ARGUMENTS_IN_OTHER_LIBRARIES |= {"cohen_d": "effect_size", "critical_distance": "cd", "meanranks": "mean_ranks"}
# Argument in another library -> how this package does the same without such an argument.
LONG_TABLE_ADVICE = "fstats.Results(frame) reads a long table, and every test takes the results"
MODELS_ADVICE = "fstats.compare(model_a, model_b, X, y, test) trains and compares two models"
ADVICE_ON_ARGUMENTS = {
    **dict.fromkeys(("dv", "within", "subject", "between", "val_col", "group_col", "block_col", "melted"), LONG_TABLE_ADVICE),
    **dict.fromkeys(("estimator1", "estimator2", "scoring"), MODELS_ADVICE),
    "paired": "each test is for paired or for independent scores (PairedT, TwoSampleT)",
    "equal_var": "TwoSampleT assumes equal variances and WelchT does not",
    "exact": "McNemarExact is exact and McNemar is not",
    "axis": "the first axis holds the data sets, and further axes hold repetitions",
    "nan_policy": "drop or fill in missing scores first, in the same way for all classifiers",
    "p_adjust": "each adjustment is a class, such as fstats.Holm",
    "verbose": "nothing is printed",
    "force_mode": "fstats.which_test chooses a test",
}
MAX_LISTED_NAMES = 30  # maximum number of names that are all listed although one name is similar
MIN_SIMILARITY = 0.82  # minimum similarity (ratio of difflib) of two names that count as similar


def closest_name(name: str, known: Iterable[str]) -> str:
    """Return the known name that was probably meant; empty if no known name is similar.

    >>> [closest_name(name, ["alternative", "jobs", "rng"]) for name in ("alternativ", "n_jobs", "depth")]
    ['alternative', 'jobs', '']
    """
    listed = sorted(known)
    for other in (NAMES_IN_OTHER_LIBRARIES.get(name, ""), *ARGUMENTS_IN_OTHER_LIBRARIES.get(name, "").split()):
        if other in listed:
            return other
    typed = name.lower()

    def similarity(other: str) -> float:
        is_anagram = sorted(typed) == sorted(other.lower())
        return 1.0 if is_anagram else SequenceMatcher(None, typed, other.lower()).ratio()

    best = max(listed, key=similarity, default="")
    return best if best and similarity(best) >= MIN_SIMILARITY else ""


def alternative_name(word: Any) -> str:
    """Return the alternative of this package that another library calls by this word; empty for an unknown word.

    >>> [alternative_name(word) for word in ("two_sided", "larger", "smaller", "two.sided", "t", "g", "l", ">", "equal")]
    ['two-sided', 'greater', 'less', 'two-sided', 'two-sided', 'greater', 'less', 'greater', '']
    """
    letters = "".join(filter(lambda letter: letter.isalnum() or letter in "<>!=", word.lower())) if isinstance(word, str) else ""
    return next((name for name, words in ALTERNATIVES_IN_OTHER_LIBRARIES.items() if letters in words), "")


def alternative_remedy(word: Any, allowed: Iterable[str]) -> str:
    """Return the end of an error message that says how this package writes an alternative; empty for an unknown word."""
    name = alternative_name(word)
    return f": write alternative='{name}'" if name in allowed else ""


class UnknownNameError(AttributeError):
    """Error for a missing attribute; :func:`unknown_name_message` is called only if somebody reads the message (not ``hasattr``)."""

    def __str__(self) -> str:
        return unknown_name_message(*self.args)


def unknown_name_message(what: str, names: Iterable[str], known: Iterable[str]) -> str:
    """Return the error message for unknown names: the name that was probably meant, and the known names.

    >>> unknown_name_message("PairedT", ["alternativ"], ["a", "b", "alternative"])
    "PairedT has no 'alternativ': did you mean 'alternative'? It has a, b, alternative"
    """
    wrong, listed = sorted(names), [*known]
    hints = [(name, closest_name(name, listed)) for name in wrong]
    suggestion = " and ".join(f"{hint!r}" + (f" for {name!r}" if len(wrong) > 1 else "") for name, hint in hints if hint)
    advice = dict.fromkeys(ADVICE_ON_ARGUMENTS[name] for name, hint in hints if not hint and name in ADVICE_ON_ARGUMENTS)
    message = "; ".join([f"{what} has no {', '.join(map(repr, wrong))}", *advice])
    if suggestion and len(listed) > MAX_LISTED_NAMES:
        return f"{message}: did you mean {suggestion}?"
    if len(listed) > MAX_LISTED_NAMES:
        return f"{message}; {format_nearest_names(wrong[0], listed)}; dir({what}) lists all"
    return f"{message}: did you mean {suggestion}? It has {', '.join(listed)}" if suggestion else f"{message}; it has {', '.join(listed)}"
