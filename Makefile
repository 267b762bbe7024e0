# `make` lists what there is. Everything happens in .venv, with the versions of constraints.txt.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
# Byte code is kept even where the machine says not to: starting fast is part of the job.
export PYTHONDONTWRITEBYTECODE :=
# Not --quiet with it: that would silence the warnings that --strict counts.
MKDOCS := NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs
# The stamps say what has been installed; they are as old as the last install.
INSTALLED := .venv/installed
INSTALLED_TOOLS := .venv/installed-tools

.DEFAULT_GOAL := help
.PHONY: help verify certify test lint format fuzz fuzz-proofs bench bench-quick bench-peers wheel docs serve docs-codes pictures pins clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

verify: $(INSTALLED)  ## verify the games that come with the program
	@$(BIN)/rulewright verify

certify: $(INSTALLED)  ## prove the games with the fewest players, and confirm all with the independent checker
	@$(BIN)/rulewright prove $(basename $(notdir $(wildcard spec/*.rules))) --players 2 --defaults --certify

test: lint  ## lint, types and every test
	$(BIN)/python -m pytest -n 2 --dist worksteal -q

lint: $(INSTALLED_TOOLS)  ## lint, layout and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(INSTALLED_TOOLS)  ## put the Python code into its canonical layout
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

SECONDS ?= 60
SEED ?= 0
fuzz: $(INSTALLED_TOOLS)  ## feed the program what strangers could: SECONDS=60 SEED=0
	$(BIN)/python -m fuzz.inputs --seconds $(SECONDS) --seed $(SEED)

fuzz-proofs: $(INSTALLED_TOOLS)  ## hold the prover to the truth of random games: SECONDS=60 SEED=0
	$(BIN)/python -m fuzz --seconds $(SECONDS) --seed $(SEED)

bench: $(INSTALLED_TOOLS)  ## measure everything, beside the peers, in about ten minutes
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks --page

bench-quick: $(INSTALLED_TOOLS)  ## a little of every measurement, in a minute
	$(BIN)/python -m benchmarks --quick --out .venv/bench-quick.json

bench-peers:  ## install the peers that can be had, into benchmarks/.peers
	@$(PYTHON) benchmarks/install.py

wheel: $(INSTALLED_TOOLS)  ## build the wheel into dist/
	$(BIN)/python -m build --no-isolation --wheel

docs: $(INSTALLED_TOOLS)  ## prove the games and build the documentation into site/, strictly
	$(MKDOCS) build --strict
	@$(BIN)/python -m playground site

serve: $(INSTALLED_TOOLS)  ## show the documentation while you write, with what was proved last
	RULEWRIGHT_PROVE=no $(MKDOCS) serve

docs-codes: $(INSTALLED)  ## write the reference pages of the diagnostic codes
	$(BIN)/python -m rulewright.site.pages.code_pages docs/reference/codes

pictures: $(INSTALLED)  ## draw the pictures of the README anew
	$(BIN)/python -m rulewright.site.draw.readme_pictures docs

pins:  ## write constraints.txt and requirements.txt anew with the newest versions that pyproject.toml allows
	rm -rf .venv/pins
	$(PYTHON) -m venv .venv/pins
	.venv/pins/bin/python -m pip install --quiet hatchling editables lark
	.venv/pins/bin/python -m pip install --quiet --no-build-isolation '.[dev,docs,print,cvc5,editor,cluster]'
	sed -n '/^#/p' constraints.txt > .venv/pins/constraints.txt
	.venv/pins/bin/python -m pip freeze --exclude rulewright >> .venv/pins/constraints.txt
	mv .venv/pins/constraints.txt constraints.txt
	sed -n '/^#/p' requirements.txt > .venv/pins/requirements.txt
	.venv/pins/bin/python -m pip install --quiet uv
	printf 'hatchling\nlark\n' | .venv/pins/bin/uv pip compile --quiet --universal --python-version 3.11 \
	  --generate-hashes --no-annotate --no-header --constraint constraints.txt pyproject.toml - \
	  >> .venv/pins/requirements.txt
	mv .venv/pins/requirements.txt requirements.txt
	rm -rf .venv/pins

clean:  ## remove what was installed, built and cached
	rm -rf .venv dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo 'error: `$(PYTHON)` is not Python 3.11 or newer'; \
	  echo 'help: install it, or name one: make PYTHON=/path/to/python3.11'; exit 2; } >&2
	$(PYTHON) -m venv .venv

$(INSTALLED): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) hatchling editables lark
	$(PIP) --no-build-isolation --editable .
	@touch $@

$(INSTALLED_TOOLS): $(INSTALLED)
	$(PIP) --no-build-isolation --editable '.[dev,docs,print,cvc5,editor,cluster]'
	@touch $@
