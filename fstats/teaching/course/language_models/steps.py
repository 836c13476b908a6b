"""Notebook sections that explain the steps."""

from __future__ import annotations

from ...grading.question import Section

SPREAD = Section("01_paired_t", "Step 2. Differences, their mean, their spread")
DIVISOR = Section("01_paired_t", "Why n - 1?")
STATISTIC = Section("01_paired_t", "Step 3. The statistic: the mean, measured in its own uncertainty")
NULL = Section("01_paired_t", "Step 4. How far is far? The null distribution")
FAMILIES = Section("16_language_models", "What families take away")
BELIEVE = Section("16_language_models", "Which one to believe")
WRONG = Section("16_language_models", "What can go wrong")
