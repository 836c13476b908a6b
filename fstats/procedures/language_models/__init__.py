"""Statistical evaluation of language models."""
