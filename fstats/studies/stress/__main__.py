"""Print the highest type I error rate of each test as JSON.

The guide reads the texts: ``python -m fstats.studies.stress > fstats/guide/worst_levels.json``.
"""

from .stored_worst_levels import stored

print(stored().guide_json)
