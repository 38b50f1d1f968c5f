# Each target does all of its own set-up in .venv; `make demo` and `make test` are all a newcomer needs.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find native -name '*.[chi]*' -type f) CMakeLists.txt
CPP := $(shell find native -name '*.cpp' -o -name '*.hpp' -o -name '*.inl')

.DEFAULT_GOAL := help
.PHONY: help demo test test-all lint unit doctest format stubs bench clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/made:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet "scikit-build-core>=0.11" "nanobind>=2.4" "cmake>=3.26" "ninja>=1.11"
	@touch $@

# Editable, so that a change to a Python file needs no installation; a change to a C++ file builds what it touches.
$(VENV)/installed: $(VENV)/made pyproject.toml $(SOURCES)
	$(BIN)/pip install --quiet --no-build-isolation --config-settings=cmake.define.BITSEP_WERROR=ON --editable ".[dev]"
	@touch $@

demo: $(VENV)/installed ## A five-minute look: sample a known network and test it
	@$(BIN)/python examples/demo.py

test: lint unit doctest ## What anyone runs: linters, types, layers, tests (under 10 minutes)

lint: $(VENV)/installed
	$(BIN)/ruff check src tests benchmarks examples
	$(BIN)/ruff format --check src tests benchmarks examples
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m nanobind.stubgen -q -m bitsep._native -o build/_native.pyi
	diff -u src/bitsep/_native.pyi build/_native.pyi

unit: $(VENV)/installed
	$(BIN)/pytest -n 2 -m "not slow"

doctest: $(VENV)/installed
	$(BIN)/pytest -n 2 --doctest-modules src/bitsep
	$(BIN)/pytest --doctest-glob='*.md' README.md

test-all: $(VENV)/installed ## Everything else: slow tests, every kernel, sanitizers (under 30 minutes)
	$(BIN)/pytest -n 2 -m slow
	for kernel in $$($(BIN)/python -c 'from bitsep import _native; print(*_native.available_kernels())'); do \
	    echo "kernel: $$kernel"; BITSEP_FORCE_KERNEL=$$kernel $(BIN)/pytest -q -n 2 -m "not slow" tests/independence tests/native || exit 1; done
	sh native/tests/run_sanitizers.sh

bench: $(VENV)/installed ## Benchmarks of bitsep alone, as ratios in one run
	$(BIN)/pytest -p benchmark benchmarks --benchmark-sort=name

format: $(VENV)/installed ## Rewrite the sources in house style
	$(BIN)/ruff check --fix src tests benchmarks examples
	$(BIN)/ruff format src tests benchmarks examples
	$(BIN)/clang-format -i $(CPP)

stubs: $(VENV)/installed ## Renew the type stubs of the native module
	$(BIN)/python -m nanobind.stubgen -q -m bitsep._native -o src/bitsep/_native.pyi

clean: ## Remove what the other targets made
	rm -rf $(VENV) build dist demo-output
