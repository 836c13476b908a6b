"""Critical difference diagrams and comparison matrices of post-hoc tests."""
