"""Notebook sections that explain the steps."""

from __future__ import annotations

from ...grading.question import Section

DIFFERENCES = Section("01_paired_t", "Step 2. Differences, their mean, their spread")
DIVISOR = Section("01_paired_t", "Why n - 1?")
STATISTIC = Section("01_paired_t", "Step 3. The statistic: the mean, measured in its own uncertainty")
NULL = Section("01_paired_t", "Step 4. How far is far? The null distribution")
DECISION = Section("01_paired_t", "Step 5. Decide")
PAIRING = Section("01_paired_t", "What does pairing buy?")
