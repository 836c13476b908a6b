"""Evaluation of language models: sampled answers, pass@k, and sample sizes."""
