"""Random claims against plain counting: ``python -m tests.fuzz`` (``make fuzz``)."""
