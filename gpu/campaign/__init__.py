"""Random mutants of random configurations: the prover's verdict on each against a machine's registers."""
