"""Print the texts of the guide about highest type I error rates: ``python -m fstats.studies.stress > fstats/guide/worst_levels.json``."""

from .stored_worst_levels import stored

print(stored().guide_json)
