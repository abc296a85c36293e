# One command for people and for CI. PYTHON is the environment's interpreter.
PYTHON ?= .venv/bin/python
BIN := $(abspath $(dir $(PYTHON)))

.PHONY: lint test stress bench

lint:            ## style, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy rropt proofs
	$(BIN)/lint-imports --no-logo

test:            ## the tests, against the installed package
	cd tests && $(BIN)/python -m pytest -n 2

stress:          ## the same tests at full size: mutation counts, sweeps; figures go to benchmarks/README.md
	cd tests && RROPT_STRESS=1 $(BIN)/python -m pytest -n 2 --durations=15

bench:           ## every benchmark, side by side with its peer
	for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done
