"""Critical difference diagrams and comparison matrices."""
