"""Honest answers that take long: loops in place of columns, a function of SciPy in each round, every sign vector by hand.

python tests/teaching/slow_ways.py [WALL]    measures the slowest cell of each exercise: in this Python, and behind a wall
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SLOW = {  # by exercise and question: what stands in the place of the answer
    "simulate_a_type_one_error": {
        "q1": """
count = 0
for k in range(N):
    d = rng.normal(size=n)
    if stats.ttest_1samp(d, 0).pvalue <= alpha:
        count += 1
rate = count / N
t = np.array([np.mean(x) / (np.std(x, ddof=1) / np.sqrt(n)) for x in np.random.default_rng(3).normal(size=(N, n))])
""",
        "q8": """
count = 0
for k in range(N):
    common = rng.normal()
    folds = [np.sqrt(rho) * common + np.sqrt(1 - rho) * rng.normal() for fold in range(K)]
    if stats.ttest_1samp(folds, 0).pvalue <= alpha:
        count += 1
rate_folds = count / N
""",
    },
    "wilcoxon_by_hand": {
        "q7": """
critical_value = 0
for w0 in range(n * (n + 1) // 2):
    small = 0
    for coins in product([0, 1], repeat=int(n)):
        total = 0
        for k in range(n):
            if coins[k] == 1:
                total = total + (k + 1)
        if total <= w0:
            small += 1
    if small / 2**n <= alpha / 2:
        critical_value = w0
    else:
        break
""",
        "q9": """
as_small = 0
others = [r for r in ranks if r > 0]
for coins in product([0, 1], repeat=len(others)):
    total = 0
    for k in range(len(others)):
        total = total + coins[k] * others[k]
    if total <= w + 1e-9:
        as_small += 1
p = 2 * as_small / 2**len(others)
""",
    },
    "write_your_own_test": {
        "q4": """
def signed_rank(a, b):
    d = [round(float(x - y), 10) for x, y in zip(a, b)]
    d = [x for x in d if x != 0]
    sizes = [abs(x) for x in d]
    r = [sum(s < x for s in sizes) + (sum(s == x for s in sizes) + 1) / 2 for x in sizes]
    w = min(sum(r[k] for k in range(len(d)) if d[k] > 0), sum(r[k] for k in range(len(d)) if d[k] < 0))
    small = 0
    for coins in product([0, 1], repeat=len(d)):
        total = 0
        for k in range(len(d)):
            total += coins[k] * r[k]
        if total <= w + 1e-9:
            small += 1
    return min(1, 2 * small / 2 ** len(d))
"""
    },
    "critical_value_table": {
        "q2": """
count = 0
for number in range(2**k):
    total = 0
    for bit in range(k):
        if (number // 2**bit) % 2 == 1:
            total += bit + 1
    if total <= w:
        count += 1
""",
        "q5": """
counts = {}
for number in range(2 ** int(n)) if n <= 16 else []:
    total = sum(bit + 1 for bit in range(n) if number >> bit & 1)
    counts[total] = counts.get(total, 0) + 1
if n > 16:
    counts = {0: 1}
    for rank in range(1, n + 1):
        new = dict(counts)
        for total in counts:
            new[total + rank] = new.get(total + rank, 0) + counts[total]
        counts = new
critical, total = -1, 0
for value in sorted(counts):
    total += counts[value]
    if total / 2 ** int(n) <= alpha / 2:
        critical = value
""",
    },
    "hack_a_verdict": {
        "q10": """
m_of_these = 0
for tries in range(1, seeds + 1):
    if 1 - stats.hypergeom.pmf(0, seeds, K, tries) >= chance:
        m_of_these = tries
        break
""",
        "q15": """
by_corrected = [0, 0, 0]
for k in range(first, first + seeds):
    d_k = [x - y for x, y in zip(a_folds[:, k], b_folds[:, k])]
    m_k = sum(d_k) / 5
    s_k = (sum((x - m_k) ** 2 for x in d_k) / 4) ** 0.5
    T_k = m_k / ((1 / 5 + 1 / 4) ** 0.5 * s_k) if s_k > 0 else 0.0 if m_k == 0 else m_k * float("inf")
    which = 0 if T_k >= stats.t.ppf(1 - alpha / 2, 4) else 1 if T_k <= -stats.t.ppf(1 - alpha / 2, 4) else 2
    by_corrected[which] += 1
""",
    },
}


def notebook_of(name: str, folder: str = "solutions") -> dict[str, Any]:
    """The notebook of an exercise."""
    (path,) = (ROOT / folder).glob(f"[0-9][0-9]_{name}.ipynb")
    return json.loads(path.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def slowly(name: str) -> dict[str, Any]:
    """The solution with the slow ways in it."""
    notebook = notebook_of(name)
    for cell in notebook["cells"]:
        key = cell["metadata"].get("nbgrader", {}).get("grade_id", "").removeprefix("answer_")
        if key in SLOW[name]:
            cell["source"] = SLOW[name][key]
    return notebook


def slowest(name: str) -> dict[str, float]:
    """Seconds of computing of each slow cell, in this Python."""
    space: dict[str, Any] = {}
    found = {}
    for cell in slowly(name)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] != "code" or source.startswith(("check(", "task.", "%")):
            continue
        start = time.process_time()
        exec(compile(source, name, "exec"), space)
        key = cell["metadata"].get("nbgrader", {}).get("grade_id", "").removeprefix("answer_")
        if key in SLOW[name]:
            found[key] = round(time.process_time() - start, 2)
    return found


def main(*walls: str) -> None:
    """Measure and print."""
    from fstats import exercise
    from fstats.teaching.marking.marks.marker import Marker

    for name in SLOW:
        print(name, slowest(name), flush=True)
    for wall in walls:
        marker = Marker(wall=wall)
        for name in SLOW:
            start = time.perf_counter()
            mark = marker.mark(notebook_of(name, "exercises"), json.dumps(slowly(name)).encode(), exercise(name), None, b"")
            said = {one.key: one.verdict for one in mark.questions if one.key in SLOW[name]}
            print(wall, name, said, round(time.perf_counter() - start, 1), mark.ended, flush=True)
        marker.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
