"""Print the texts of the guide about worst levels: ``python -m fstats.studies.stress > fstats/guide/worst_levels.json``."""

from .stored_worst_levels import stored

print(stored().guide_json)
