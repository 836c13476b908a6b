"""Tests on language models: sampled answers, pass@k, number of questions."""
