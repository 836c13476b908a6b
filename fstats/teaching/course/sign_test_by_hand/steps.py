"""Notebook sections that explain the steps."""

from __future__ import annotations

from ...grading.question import Section

RELATIVES = Section("02_wilcoxon", "The relatives")
