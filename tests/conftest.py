"""How thoroughly hypothesis looks for counterexamples.

The profile "ci" is the default: few examples, the same ones on every run.  Before a release, or after a change to the
mathematics, look further with one of

    HYPOTHESIS_PROFILE=deep pytest tests/test_properties.py
    pytest --hypothesis-profile=deep tests/test_properties.py
"""

import os

from hypothesis import settings

os.environ["TQDM_DISABLE"] = "1"  # or a slow machine shows progress bars in notebooks that nbval runs, and calls them a difference
settings.register_profile("ci", max_examples=60, derandomize=True, deadline=None)
settings.register_profile("deep", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_collection_modifyitems(config, items):
    """Complete checks that take long run when they are asked for: ``pytest -m slow``."""
    if "slow" in (config.option.markexpr or ""):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]
