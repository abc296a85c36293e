# One command for people and for CI. PYTHON is the environment's interpreter.
PYTHON ?= .venv/bin/python
BIN := $(abspath $(dir $(PYTHON)))

.PHONY: lint style types quick test install-test counts outputs stress lowest bench checker-wheel coq docs browser browser-test

lint: style types  ## style, types, import contracts

style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo

types:
	$(BIN)/mypy rropt proofs fieldwork tests/support/misspelt_calls.py

quick:           ## a short run of the tests, some of every package (tests/quick.txt): below 40 s of processor time
	cd tests && bash -c "time $(BIN)/python -m pytest -q $$(grep -v '^#' quick.txt | tr '\n' ' ')"

test:            ## every test but the slow ones, against the installed package
	cd tests && $(BIN)/python -m pytest -n auto

install-test:    ## the wheel without extras in a fresh environment, and one case of every command of the README and docs/reference/commands-by-example.md
	$(BIN)/python tests/pages/fresh_install.py

counts:          ## the least counts of oracles, vectors, boundary cases, mutants and published figures, as they are today
	$(BIN)/python tests/counts.py --write

outputs:         ## what commands print, and the words of their pages (tests/cli/outputs, tests/reports/outputs), to be read as a change
	cd tests && $(BIN)/python support/recorded.py

stress: lowest   ## all tests at full size, or of some folders: TESTS="checker core"; SEED=N repeats a run; the end names tools that are missing (R, Coq, node)
	@seed=$${SEED:-$$(date +%s)}; echo "random examples of Hypothesis: SEED=$$seed"; cd tests && \
	  RROPT_STRESS=1 $(BIN)/python -m pytest -n auto --dist worksteal -m "" --hypothesis-seed=$$seed --durations=40 -rs $(TESTS); \
	  status=$$?; echo "random examples of Hypothesis: SEED=$$seed"; exit $$status
	cd tests && for kernel in Haswell Prescott; do OPENBLAS_CORETYPE=$$kernel $(BIN)/python -m pytest -n auto designs || exit 1; done

coq:             ## the checker that is proved in Coq: kernels/coq/_build/rropt-kernel; needs coqc, ocamlfind and zarith
	$(MAKE) -C kernels/coq

lowest:          ## the tests at the least versions that pyproject.toml allows, in an environment of their own
	rm -rf .lowest && $(BIN)/python -m venv --upgrade-deps .lowest
	$(BIN)/python .ci/lowest.py > .lowest/versions.txt
	.lowest/bin/python -m pip install --quiet -r .lowest/versions.txt
	.lowest/bin/python -m pip install --quiet --no-deps .
	cd tests && ../.lowest/bin/python -m pytest -n auto $(TESTS)
	cd tests && RROPT_STRESS=1 ../.lowest/bin/python -m pytest -n auto -m "" cli/test_json_output.py  # every command: what solvers print differs by version

bench:           ## the table of peers: each line of it measured beside its peer (benchmarks/requirements.txt), all lines at the end
	$(BIN)/python benchmarks/table.py

checker-wheel:   ## the checker as a wheel of its own in dist/, without dependencies (packaging/rropt-checker/)
	cd packaging/rropt-checker && $(BIN)/python -m hatchling build -t wheel -d ../../dist

docs:            ## the documentation site in build/site/, with the output of every block; needs pip install ".[docs]", no network
	$(BIN)/python docs/site/make.py

browser:         ## Debian's Chromium (as root), Playwright and axe-core for browser-test; RROPT_BROWSER names another program than chromium
	command -v "$${RROPT_BROWSER:-chromium}" || { apt-get -q update && apt-get -q install --yes --no-install-recommends chromium; }
	$(BIN)/python -m pip install --quiet -r tests/browser/requirements.txt "rropt[docs]"
	npm ci --silent --no-audit --no-fund --prefix tests/browser

browser-test:    ## the tests of pages in Chromium, if it is there; they install what they lack
	@if ! command -v "$${RROPT_BROWSER:-chromium}" >/dev/null || ! command -v npm >/dev/null; then \
	  echo "the tests of pages in a browser did not run: there is no Chromium or no npm (make browser)"; \
	elif ! $(MAKE) --no-print-directory browser; then \
	  echo "the tests of pages in a browser did not run: make browser failed"; \
	else cd tests && $(BIN)/python -m pytest -q browser; fi
