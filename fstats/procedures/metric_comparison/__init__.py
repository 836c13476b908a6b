"""Records as they are compared today: by any metric; and models that are asked questions, whose answers are sampled."""
