"""Evaluation of language models: sampled answers, pass@k, and the number of questions that a comparison needs."""
