"""``python -m fstats.studies.stress > fstats/guide/worst_levels.json``: what the guide says of the bench, written again."""

from .stored_worst_levels import stored

print(stored().guide_json)
