#!/usr/bin/env bash
PYTHONPATH=/autograder/source exec /opt/fstats/bin/python -m fstats.teaching.marking.learning_platforms.gradescope_autograder /autograder
