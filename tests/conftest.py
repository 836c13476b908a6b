"""How thoroughly hypothesis looks for counterexamples.

The profile "ci" is the default: few examples, the same ones on every run.  Before a release, or after a change to the
mathematics, look further with one of

    HYPOTHESIS_PROFILE=deep pytest tests/test_properties.py
    pytest --hypothesis-profile=deep tests/test_properties.py
"""

import os

from hypothesis import settings

settings.register_profile("ci", max_examples=60, derandomize=True, deadline=None)
settings.register_profile("deep", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
