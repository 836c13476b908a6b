"""A bench that tries to break every test: learners, laws and sizes on which H0 is true exactly, and how often each test rejects."""
