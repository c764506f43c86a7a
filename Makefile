# agtrace on Linux and macOS: `make report` shows what it does, `make test` checks a change.
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
INSTALL := $(BIN)/uv pip install --quiet --python $(BIN)/python
# Wheels only: no code of a package runs while it is installed. Not every package has one for Macs with Intel.
WHEELS := $(if $(filter Darwin-x86_64,$(shell uname -sm | tr ' ' -)),,--no-build)
# Each file must be the one that `make lock` saw.
LOCKED := --require-hashes $(WHEELS) --requirements
PYTEST := $(BIN)/python -m pytest -p no:cacheprovider
# nbval takes seconds to load, in each process.
TESTS := $(PYTEST) -p no:nbval
# One more than there are cores: some tests wait for a browser, a kernel or a clock.
WORKERS = $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
XELIB := $(shell find xelib -name target -prune -o -type f \( -name '*.rs' -o -name '*.py' -o -name '*.pyi' -o -name '*.toml' -o -name 'Cargo.lock' \) -print)
# Shell lines that put a Rust toolchain on the PATH, where there is none; not run before it is needed.
RUST = $(BIN)/python tools/rust_toolchain.py
# Recipes with `+` share jobs with cargo, and run even with `make -n`: this stops them there.
DRY = $(if $(findstring n,$(filter-out -%,$(firstword $(MAKEFLAGS)))),exit 0;)
# The certificates of the system, so that networks with a proxy of their own work.
export UV_SYSTEM_CERTS := true
# Two in five modules of the packages are imported; each is compiled once, at its first import. Compiling all
# while they are installed takes seven times as long.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# Set-up: each stamp is renewed only when what it depends on has changed.

# xelib is built while the packages are installed.
.PHONY: install
install: ## Set up .venv (every other target does it when needed)
	+@$(MAKE) --silent --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,--jobs=2) $(VENV)/agtrace.stamp

$(VENV)/uv.stamp: tools/locked/uv.txt
	@[ -n "$(PYTHON)" ] && $(PYTHON) -c '$(SUITABLE)' || { \
	  echo "agtrace needs Python 3.11 to 3.14; found: $$(python3 --version 2>&1). Install one, or name it: make PYTHON=/path/to/python3.12" >&2; exit 1; }
	@echo "Setting up $(VENV) (once) ..."
	@$(PYTHON) -m venv $(VENV) || { \
	  echo "$(PYTHON) cannot make a virtual environment; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  --require-hashes --no-deps --only-binary :all: --requirement tools/locked/uv.txt
	@touch $@

# What builds xelib comes first: the rest is installed beside its build.
$(VENV)/maturin.stamp: requirements.lock $(VENV)/uv.stamp
	@sed -n '/^maturin==/,/^ *# via/p' requirements.lock | $(INSTALL) --no-deps $(LOCKED) -
	@touch $@

$(VENV)/requirements.stamp: requirements.lock $(VENV)/maturin.stamp
	@echo "Installing the Python packages of requirements.lock ..."
	@$(INSTALL) $(LOCKED) requirements.lock
	@touch $@

# Without link-time optimisation, which wheels of a release have: it would take as long as all else.
$(VENV)/wheel.stamp: $(XELIB) $(VENV)/maturin.stamp
	@echo "Building xelib ..."
	@rm -rf $(VENV)/wheel
	+@$(DRY) found=$$($(RUST)) && eval "$$found" && \
	  $(BIN)/maturin build --profile development --manifest-path xelib/Cargo.toml --interpreter $(BIN)/python \
	  --out $(VENV)/wheel > $(VENV)/maturin.log 2>&1 || { cat $(VENV)/maturin.log >&2; exit 1; }
	@touch $@

$(VENV)/xelib.stamp: $(VENV)/wheel.stamp $(VENV)/requirements.stamp
	@$(INSTALL) --no-deps --reinstall-package xelib $(VENV)/wheel/xelib-*.whl
	@touch $@

$(VENV)/agtrace.stamp: pyproject.toml $(VENV)/xelib.stamp
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

# What people want.

NPM := --loglevel error --no-audit --no-fund --ignore-scripts

.PHONY: npm
npm: $(VENV)/uv.stamp ## Install what some tests need from npm; they skip where it cannot be had
	@command -v npm >/dev/null || { echo "no npm: the tests that need node will skip"; exit 0; }; \
	$(MAKE) azurite || echo "no Azurite: the tests of Azure's storage will skip"; \
	$(MAKE) axe || echo "no axe-core: the test of who can read the pages will skip"

.PHONY: azurite
azurite: $(VENV)/azurite.stamp ## Install Azurite, which the tests of Azure's storage need (where npm is)

.PHONY: axe
axe: $(VENV)/axe.stamp ## Install axe-core, which the test of who can read the pages needs (where npm is)

# The versions of tools/locked/, each file by its hash, and no script of a package is run.
$(VENV)/azurite.stamp $(VENV)/axe.stamp: $(VENV)/%.stamp: tools/locked/%/package-lock.json $(VENV)/uv.stamp
	@echo "Installing $* ..."
	@mkdir -p $(VENV)/$* && cp tools/locked/$*/package.json tools/locked/$*/package-lock.json $(VENV)/$*
	@npm ci $(NPM) --prefix $(VENV)/$* > /dev/null
	@touch $@

# Store and report stay out of sample_data: tests copy the samples.
SAMPLE_REPORT := build/log_send_queue

.PHONY: report
report: install ## Make the report of the sample case, print its findings and where the page is
	@mkdir -p $(SAMPLE_REPORT)
	@$(BIN)/agtrace report sample_data/log_send_queue --store $(SAMPLE_REPORT)/store --out $(SAMPLE_REPORT)/report

.PHONY: open-report
open-report: install ## Open the page that `make report` wrote in a browser without a window, and check it
	$(BIN)/python tools/open_report.py $(SAMPLE_REPORT)/report/index.html

# Options for pytest: `make test ARGS="-k seeding"`.
ARGS ?=
FIRST_TIER := -m "not complete and not thorough"

.PHONY: test
test: check rust tests ## Run what a contributor runs before a commit: checks, Rust, all unit tests, a report, a page

.PHONY: tests
tests: install
	$(TESTS) --numprocesses $(WORKERS) $(FIRST_TIER) tests $(ARGS)

.PHONY: test-all
test-all: check rust install npm ## Run everything: samples, notebooks, simulations, hostile inputs, browsers, kits, kills
	$(PYTEST) --numprocesses $(WORKERS) --dist loadfile --durations 20 --nbval-lax --nbval-current-env \
	  --nbval-sanitize-with notebooks/sanitize.cfg -m "not thorough" tests notebooks $(ARGS)

.PHONY: quick
quick: install check ## Run the checks and the fastest tests, in a minute
	$(TESTS) --numprocesses auto --budget 0.1 $(FIRST_TIER) tests $(ARGS)

.PHONY: coverage
coverage: install ## Measure which lines the unit tests run, with their child processes; some fail beside the measure
	$(BIN)/coverage erase
	-$(BIN)/coverage run -m pytest -p no:nbval --numprocesses $(WORKERS) $(FIRST_TIER) tests $(ARGS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered --skip-empty

.PHONY: thorough
thorough: install ## Run the tests that repeat themselves with their full counts (half an hour)
	AGTRACE_TESTS=thorough $(TESTS) --numprocesses auto --durations 20 -m thorough tests $(ARGS)

.PHONY: check
check: install ## Run the checks that need no test: format, lint, types, import contract, environment.yml
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/sync_environment.py --check
	$(BIN)/python tools/document_relations.py --check
	$(BIN)/python tools/document_topics.py --check
	$(BIN)/python tools/document_thresholds.py --check
	$(BIN)/python tools/document_needs.py --check
	$(BIN)/python tools/write_rows.py --check
	$(BIN)/python tools/document_cookbook.py --check
	$(BIN)/python tools/document_vocabulary.py --check
	$(BIN)/python tools/document_licences.py --check
	$(BIN)/python tools/audit.py --recorded
	$(BIN)/python tools/notices.py --check

.PHONY: rust
rust: $(VENV)/uv.stamp ## Check and test xelib
	+@$(DRY) found=$$($(RUST) --all) && eval "$$found" && set -x && \
	  cd xelib && cargo fmt --check && cargo clippy --locked --quiet --all-targets --all-features -- -D warnings && cargo test --locked --quiet

.PHONY: format
format: install ## Format the code and mend what the linter can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	@found=$$($(RUST) --all) && eval "$$found" && cd xelib && cargo fmt

.PHONY: docs
docs: install ## Write the pages of docs/ that are made from the code
	$(BIN)/python tools/document_relations.py
	$(BIN)/python tools/document_topics.py
	$(BIN)/python tools/document_thresholds.py
	$(BIN)/python tools/document_needs.py
	$(BIN)/python tools/write_rows.py
	$(BIN)/python tools/document_cookbook.py
	$(BIN)/python tools/document_vocabulary.py
	$(BIN)/python tools/document_licences.py

$(VENV)/docs.stamp: tools/locked/docs.txt $(VENV)/uv.stamp
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)/docs
	@$(BIN)/uv pip install --quiet --python $(VENV)/docs/bin/python $(LOCKED) $<
	@touch $@

.PHONY: docs-site
docs-site: $(VENV)/docs.stamp ## Make the site of docs/ in build/docs-site, to be read without a network
	@NO_MKDOCS_2_WARNING=1 DISABLE_MKDOCS_2_WARNING=true $(VENV)/docs/bin/mkdocs build --strict --quiet
	@echo "Open build/docs-site/index.html"

COMPILE := $(BIN)/uv pip compile --quiet --universal --upgrade --generate-hashes --python-version 3.11 \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

.PHONY: lock
lock: $(VENV)/uv.stamp ## Choose versions anew: every list of pinned packages, environment.yml and docs/licences.md
	$(COMPILE) pyproject.toml --extra all --extra dev --no-emit-package xelib --output-file requirements.lock
	for group in uv rust audit docs; do $(COMPILE) --group $$group --output-file tools/locked/$$group.txt || exit 1; done
	$(COMPILE) --group release --constraints requirements.lock --output-file tools/locked/release.txt
	$(BIN)/python tools/sync_environment.py
	command -v npm >/dev/null || { echo "no npm: tools/locked/*/package-lock.json stay as they are"; exit 0; }; \
	for tool in azurite axe; do (cd tools/locked/$$tool && rm -f package-lock.json && \
	  npm install $(NPM) --package-lock-only --omit-lockfile-registry-resolved) || exit 1; done
	$(MAKE) install
	$(BIN)/python tools/document_licences.py

.PHONY: audit
audit: install $(VENV)/audit.stamp ## Ask for known vulnerabilities of what is pinned; says in a line what could not be asked
	$(BIN)/python tools/audit.py

$(VENV)/audit.stamp: tools/locked/audit.txt $(VENV)/uv.stamp
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)/audit
	@$(BIN)/uv pip install --quiet --python $(VENV)/audit/bin/python $(LOCKED) $< && touch $@ || \
	  echo "pip-audit cannot be had: nobody is asked about the Python packages" >&2

.PHONY: sample
sample: install ## Make the sample captures anew (the same bytes every time)
	$(BIN)/python sample_data/make.py

.PHONY: notebooks
notebooks: install ## Execute the notebooks and store their outputs
	$(BIN)/python -m agtrace.report.store_outputs notebooks notebooks/tutorials

.PHONY: wheels
wheels: install ## Build the wheels of a release into dist/, and the sources of agtrace and xelib
	@rm -rf dist
	+@$(DRY) found=$$($(RUST)) && eval "$$found" && $(BIN)/python tools/build_wheels.py dist

.PHONY: wheels-check
wheels-check: wheels ## Build the wheels and try them in empty environments, without Rust (minutes, 5 GB of disk)
	$(BIN)/python tools/check_wheels.py dist

$(VENV)/release.stamp: tools/locked/release.txt $(VENV)/uv.stamp
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)/release
	@$(BIN)/uv pip install --quiet --python $(VENV)/release/bin/python $(LOCKED) $<
	@touch $@

.PHONY: changelog
changelog: $(VENV)/release.stamp ## Move the files of changes/ into CHANGELOG.md, under the version in agtrace/__init__.py
	$(VENV)/release/bin/towncrier build --yes --version $$(sed -n 's/^__version__ = "\(.*\)"/\1/p' agtrace/__init__.py)

.PHONY: release
release: install ## Check everything that a release needs: version, changelog, tag, wheels in empty environments; publish nothing
	$(BIN)/python tools/check_release.py
	$(MAKE) wheels-check
	$(BIN)/python tools/check_release.py dist

# EMBED=python-3.13.9-embed-amd64.zip SHA256=.. makes the one for Windows: dist/ must hold xelib's wheel for it.
.PHONY: offline-bundle
offline-bundle: install $(if $(wildcard dist/xelib-*.whl),,wheels) ## Make a zip that runs where it is opened, without installing and offline (in out/)
	$(BIN)/python tools/offline_bundle.py dist out $(if $(EMBED),--windows $(EMBED) --sha256 $(SHA256))
	$(if $(EMBED),,$(if $(filter Linux,$(shell uname -s)),AGTRACE_PYTHON=$(abspath $(BIN)/python) bash tools/check_bundle.sh out/agtrace-*-linux-*.zip))

.PHONY: sbom
sbom: install ## Write what a release is made of, as CycloneDX, to build/sbom.cdx.json
	$(BIN)/python tools/sbom.py build/sbom.cdx.json

# The version is held to the checksum database of Go.
$(VENV)/bin/actionlint:
	@GOBIN=$(abspath $(BIN)) go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

.PHONY: workflows
workflows: $(VENV)/bin/actionlint ## Check the workflows of .github/ with actionlint (where Go is)
	$(BIN)/actionlint .github/workflows/*.yml

.PHONY: bench
bench: install ## Measure the speed of reading, beside pandas on the same files (minutes, 4 GB of disk)
	$(BIN)/python bench/pdh_text.py
	$(BIN)/python bench/errorlog.py
	$(BIN)/python bench/xel.py
	$(BIN)/python bench/blg.py
	$(BIN)/python bench/event_log.py

.PHONY: clean
clean: ## Remove .venv and everything else that was made
	rm -rf $(VENV) xelib/target dist build out .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
