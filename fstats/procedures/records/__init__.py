"""Models that are asked questions: answers that are sampled, and how many questions a comparison needs."""
