#!/usr/bin/env bash
# Creates a Python with the libraries used for grading; students' code may read this Python, but nothing below /autograder.
set -e
apt-get update
for python in python3.13 python3.12 python3.11; do
  apt-get install -y "$python" "$python-venv" && break
done
apt-get install -y bubblewrap || true
"$python" -m venv /opt/fstats
/opt/fstats/bin/pip install {libraries}
chmod -R go-rwx /autograder/source
