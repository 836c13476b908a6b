"""The room answers: a small server on the lecturer's laptop, on whose pages phones vote; what they say stands live on the slide."""
