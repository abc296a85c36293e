# One command for people and for CI. PYTHON is the environment's interpreter.
PYTHON ?= .venv/bin/python
BIN := $(abspath $(dir $(PYTHON)))

.PHONY: lint test stress lowest bench

lint:            ## style, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy rropt proofs
	$(BIN)/lint-imports --no-logo

test:            ## the tests, against the installed package
	cd tests && $(BIN)/python -m pytest -n 2

stress: lowest   ## the same tests at full size, or of some folders: TESTS="checker exact"; figures: benchmarks/README.md
	cd tests && RROPT_STRESS=1 $(BIN)/python -m pytest -n 2 --dist worksteal --durations=40 $(TESTS)

lowest:          ## the tests at the least versions that pyproject.toml allows, in an environment of their own
	rm -rf .lowest && $(BIN)/python -m venv .lowest
	$(BIN)/python .ci/lowest.py > .lowest/versions.txt
	.lowest/bin/python -m pip install --quiet -r .lowest/versions.txt
	.lowest/bin/python -m pip install --quiet --no-deps .
	cd tests && ../.lowest/bin/python -m pytest -n 2 $(TESTS) --deselect tests/package/test_package.py::test_import_contracts  # of lint

bench:           ## every benchmark, side by side with its peer
	for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done
