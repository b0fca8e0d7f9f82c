# One word each; every word prepares what it needs. Needs Python 3.11 or later with venv, nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: install check test fuzz fuzz-faults forge mutation pairs prove recheck conform records oracle bench wheel clean

install: $(VENV)/installed

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

# format, lint, types, and the rule that a module imports only from below it
check: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -q tests/test_architecture.py

# on all cores; `.venv/bin/pytest tests/test_layout.py` runs what it is given on one
test: install
	$(BIN)/pytest -n auto --dist worksteal

# a million made-up claims of every kind against plain counting; a wrong answer prints the lines that show it
# again; `fuzz-faults` puts faults into the prover, and every one of them has to be seen
fuzz: install
	$(BIN)/python -m tests.fuzz

# ten thousand forged certificates, of all theorems and a hundred made-up claims: none that counting finds
# false may be confirmed
forge: install
	$(BIN)/python -m tests.forge

# faults put into the prover one at a time: the fuzzer has to see each of them
fuzz-faults: install
	$(BIN)/python -m tests.fuzz --seeded-faults

# every pair of small layouts, more than a million, through admissible and composition against plain counting
pairs: install
	$(BIN)/python -m tests.every_pair

# every mutant of every theorem: all have to be refuted
mutation: install
	$(BIN)/python -m tests.mutation

# the article's claims and their refutations, as a table with verdicts and times
prove: install
	$(BIN)/symlayout prove proofs/

# certificates of all of them, checked by other solvers and by plain arithmetic
recheck: install
	rm -rf build/certificates
	$(BIN)/symlayout prove proofs/ --certificate build/certificates
	$(BIN)/symlayout recheck build/certificates

# every recorded answer of the CuTe headers, to the letter
RECORDS := golden composed golden_rejects more negative rejects silent_wrong silent_wrong_dynamic silent_wrong_hand tiled retile_e2e_host

conform: install
	$(BIN)/symlayout conform $(RECORDS:%=tests/golden/%.jsonl)

# the records of negative strides anew, compiled with the headers and g++: half an hour
records: $(VENV)/oracle
	$(BIN)/python -m tests.oracle.negative > tests/golden/negative.jsonl

# pycute with the CuTe headers, and the CUDA headers that these include; --no-deps, because their
# dependencies add 280 MB that nothing here needs
ORACLE := nvidia-cutlass==4.2.0.0 'nvidia-cuda-runtime==13.*' 'nvidia-cuda-crt==13.*' 'nvidia-cuda-cccl==13.*'

oracle: $(VENV)/oracle

$(VENV)/oracle: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --no-deps $(ORACLE)
	touch $@

# speed, measured against pycute, against compiling the same check with the CuTe headers, and against isl,
# which has no wheel for every Python
bench: $(VENV)/oracle
	-$(BIN)/python -m pip install --quiet islpy
	$(BIN)/python -m tests.bench

wheel: install
	$(BIN)/python -m build --wheel --no-isolation

clean:
	rm -rf build dist *.egg-info
