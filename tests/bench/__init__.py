"""How fast it is, beside what others take for the same job: ``python -m tests.bench`` (``make bench``)."""
