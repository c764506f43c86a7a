# agtrace on Linux and macOS: `make report` shows what it does, `make test` runs every check.
# Needs Python 3.11 or newer and GNU make; the rest goes into .venv. A machine without Rust gets a
# toolchain for this project in the user's cache folder.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# The first suitable Python there is; name another with `make PYTHON=python3.12 ...`.
SUITABLE := import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c '$(SUITABLE)' 2>/dev/null && { echo $$python; break; }; done)

VENV := .venv
BIN := $(VENV)/bin
# With bytecode, importing pandas takes a third of the time, in every process and kernel.
BYTECODE := --compile-bytecode
INSTALL := $(BIN)/uv pip install --quiet $(BYTECODE) --python $(BIN)/python
PYTEST := $(BIN)/python -m pytest -p no:cacheprovider
# nbval takes seconds to load, in each process.
TESTS := $(PYTEST) -p no:nbval
# One more than there are cores: some tests wait for a browser, a kernel or a clock.
WORKERS = $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
XELIB := $(shell find xelib -name target -prune -o -type f \( -name '*.rs' -o -name '*.py' -o -name '*.pyi' -o -name '*.toml' -o -name 'Cargo.lock' \) -print)
# Shell lines that put a Rust toolchain on the PATH, where there is none; not run before it is needed.
RUST = $(BIN)/python tools/rust_toolchain.py
# The certificates of the system, so that networks with a proxy of their own work.
export UV_SYSTEM_CERTS := true

.PHONY: help
help: ## Say what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# Set-up: each stamp is renewed only when what it depends on has changed.

.PHONY: install
install: $(VENV)/agtrace.stamp ## Set up .venv (every other target does it when needed)

$(VENV)/uv.stamp:
	@[ -n "$(PYTHON)" ] && $(PYTHON) -c '$(SUITABLE)' || { \
	  echo "agtrace needs Python 3.11 to 3.14; found: $$(python3 --version 2>&1). Install one, or name it: make PYTHON=/path/to/python3.12" >&2; exit 1; }
	@echo "Setting up $(VENV) (once) ..."
	@$(PYTHON) -m venv $(VENV) || { \
	  echo "$(PYTHON) cannot make a virtual environment; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv>=0.8,<1'
	@touch $@

$(VENV)/requirements.stamp: requirements.lock $(VENV)/uv.stamp
	@echo "Installing the Python packages of requirements.lock ..."
	@$(INSTALL) --requirements requirements.lock
	@touch $@

$(VENV)/xelib.stamp: $(XELIB) $(VENV)/requirements.stamp
	@echo "Building xelib ..."
	+@found=$$($(RUST)) && eval "$$found" && \
	  $(INSTALL) --no-deps --no-build-isolation --reinstall-package xelib ./xelib
	@touch $@

$(VENV)/agtrace.stamp: pyproject.toml $(VENV)/xelib.stamp
	@$(INSTALL) --no-deps --editable .
	@touch $@

# What people want.

.PHONY: npm
npm: $(VENV)/uv.stamp ## Install what some tests need from npm; they skip where it cannot be had
	@command -v npm >/dev/null || { echo "no npm: the tests that need node will skip"; exit 0; }; \
	$(MAKE) azurite || echo "no Azurite: the tests of Azure's storage will skip"; \
	$(MAKE) axe || echo "no axe-core: the test of who can read the pages will skip"

.PHONY: azurite
azurite: $(VENV)/azurite.stamp ## Install Azurite, which the tests of Azure's storage need (where npm is)

$(VENV)/azurite.stamp: $(VENV)/uv.stamp
	@echo "Installing Azurite ..."
	@npm install --silent --no-audit --no-fund --prefix $(VENV)/azurite azurite@3
	@touch $@

# One version: what it finds wrong must not change with the day.
AXE := axe-core@4.14.1

.PHONY: axe
axe: $(VENV)/$(AXE).stamp ## Install axe-core, which the test of who can read the pages needs (where npm is)

$(VENV)/$(AXE).stamp: $(VENV)/uv.stamp
	@echo "Installing $(AXE) ..."
	@npm install --silent --no-audit --no-fund --prefix $(VENV)/axe $(AXE)
	@touch $@

.PHONY: report
report: install ## Make the report of the sample case, print its findings and where the page is
	@$(BIN)/agtrace report sample_data/log_send_queue

.PHONY: test
test: check rust tests ## Run every check and every test there is

.PHONY: tests
tests: install $(ALSO) ## Run every test in Python, and the notebooks
	@echo "All tests, in a zone that is not UTC:"
	TZ=America/New_York $(TESTS) --numprocesses $(WORKERS) --durations 20 tests
	@echo "What turns on clocks again, in UTC; and the notebooks:"
	TZ=UTC $(PYTEST) --numprocesses $(WORKERS) --dist loadfile --nbval-lax --nbval-current-env --nbval-sanitize-with notebooks/sanitize.cfg notebooks tests/resolve tests/store tests/test_case.py --ignore tests/store/test_interrupted.py

.PHONY: quick
quick: install check ## Hear of a change in a minute: no notebooks, no samples, a tenth of a second for each file of tests
	TZ=America/New_York $(TESTS) --numprocesses auto --durations 10 --budget 0.1 \
	  -m "not notebook and not sample and not long and not thorough" tests

.PHONY: thorough
thorough: install ## Run the tests that repeat themselves with their full counts (half an hour)
	AGTRACE_TESTS=thorough $(TESTS) --numprocesses auto --durations 20 -m thorough tests

.PHONY: check
check: install ## Run the checks that need no test: format, lint, types, import contract, environment.yml
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/sync_environment.py --check
	$(BIN)/python tools/document_relations.py --check
	$(BIN)/python tools/document_topics.py --check
	$(BIN)/python tools/document_needs.py --check

.PHONY: rust
rust: $(VENV)/uv.stamp ## Check and test xelib
	+@found=$$($(RUST) --all) && eval "$$found" && set -x && \
	  cd xelib && cargo fmt --check && cargo clippy --quiet --all-targets --all-features -- -D warnings && cargo test --quiet

.PHONY: format
format: install ## Format the code and mend what the linter can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	@found=$$($(RUST) --all) && eval "$$found" && cd xelib && cargo fmt

.PHONY: docs
docs: install ## Write the pages of docs/ that are made from the code
	$(BIN)/python tools/document_relations.py
	$(BIN)/python tools/document_topics.py
	$(BIN)/python tools/document_needs.py

.PHONY: lock
lock: $(VENV)/uv.stamp ## Choose versions anew: requirements.lock and environment.yml from pyproject.toml
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --upgrade --no-emit-package xelib \
	  --python-version 3.11 --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
	  --quiet --output-file requirements.lock
	$(BIN)/python tools/sync_environment.py

.PHONY: sample
sample: install ## Make the sample captures anew (the same bytes every time)
	$(BIN)/python sample_data/make.py

.PHONY: notebooks
notebooks: install ## Execute the notebooks and store their outputs
	$(BIN)/python -m agtrace.report.store_outputs notebooks

.PHONY: bench
bench: install ## Measure the speed of reading, beside pandas on the same files (minutes, 4 GB of disk)
	$(BIN)/python bench/pdh_text.py
	$(BIN)/python bench/errorlog.py
	$(BIN)/python bench/xel.py
	$(BIN)/python bench/blg.py

.PHONY: clean
clean: ## Remove .venv and everything else that was made
	rm -rf $(VENV) xelib/target dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find sample_data \( -name .agtrace -o -name agtrace-report \) -type d -prune -exec rm -rf {} +
