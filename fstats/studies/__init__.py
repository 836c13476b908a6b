"""Studies: what the sources of the course claim or ask, computed again, and answered.

:mod:`fstats.studies.contingency` is the simulation of the contingency table test, exact and live, with its two open questions.
"""
