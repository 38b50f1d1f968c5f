# Each target does its own set-up in .venv. Start with `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
HOSTS := .venv-hosts
PEERS := .venv-peers
OLDEST := .venv-oldest
BASE ?= HEAD
SOURCES := $(shell find native -name '*.[chi]*' -type f) CMakeLists.txt
CPP := $(shell find native -name '*.cpp' -o -name '*.hpp' -o -name '*.inl')
PY := src tests accuracy benchmarks calibration differential examples fuzz reproduction tools
# Installs a Debian package if the program or file is missing.
DEBIAN = sh tools/debian.sh
# The library without Python: configure, build and test by a preset of CMakePresets.json
NATIVE = PATH="$(abspath $(BIN)):$$PATH" cmake --workflow --preset

# Native tests that take seconds under valgrind, which knows no AVX-512.
SMALL := answers_test bayesian_test calibrated_test chi_square_test complexity_test count_cache_test d_separation_test engine_test \
         exact_tables_test families_test family_index_test golden_test information_test maximum_likelihood_test permutation_test \
         record_test registry_test sci_test significance_test skeleton_test table_test x2_moments_test

.DEFAULT_GOAL := help
.PHONY: help demo test test-all lint unit doctest coverage test-oldest slow kernels sanitizers sanitizers-python fuzz fuzz-programs fuzz-quick differential differential-quick coverage-native mutants valgrind neon hosts spark wheel docs docs-browser docs-version reproduce-quick \
        accuracy-quick calibration calibration-quick fuzz-python fuzz-python-quick mutants-python soak sbom bench bench-compare peers bench-peers reproduce accuracy hooks format stubs screenshots vendor clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

$(VENV)/made:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet "scikit-build-core>=0.11" "nanobind>=3.1" "cmake>=3.26" "ninja>=1.11" "setuptools>=70.1"
	@touch $@

# Editable: a change to a Python file needs no new installation; after a change to a C++ file the files that depend on it are rebuilt.
$(VENV)/installed: $(VENV)/made pyproject.toml $(SOURCES)
	$(BIN)/pip install --quiet --no-build-isolation --config-settings=cmake.define.BITSEP_WERROR=ON --editable ".[dev]"
	@touch $@

demo: $(VENV)/installed ## An example: sample a known network, learn its graph, write a report
	@$(BIN)/python examples/demo.py

test: lint unit doctest ## Linters, type checks, layers, unit tests, doctests (under 10 minutes)

lint: $(VENV)/installed
	$(BIN)/ruff check --quiet $(PY)
	$(BIN)/ruff format --quiet --check $(PY)
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	$(BIN)/mypy
	$(BIN)/mypy --config-file tests/mypy.ini
	$(BIN)/lint-imports --no-logo
	$(BIN)/codespell $(PY) native docs .github *.md
	$(BIN)/python -m nanobind.stubgen -q -m bitsep._native._core -o build/_core.pyi
	diff -u src/bitsep/_native/_core.pyi build/_core.pyi

unit: $(VENV)/installed
	$(BIN)/pytest -q -n 2 -m "not slow"

doctest: $(VENV)/installed
	$(BIN)/pytest -q -n 2 --doctest-modules src/bitsep --ignore src/bitsep/adapters
	$(BIN)/pytest -q --doctest-glob='*.md' README.md

coverage: $(VENV)/installed ## Report which Python lines the unit tests and those of Spark run, into build/coverage (20 minutes)
	$(DEBIAN) java openjdk-17-jre-headless
	$(BIN)/pip install --quiet "pyspark[connect]>=4"
	$(BIN)/pytest -q -n 2 -m "not slow" --cov --cov-report=
	$(BIN)/pytest -q -m slow tests/backends --cov --cov-append --cov-report=term --cov-report=html:build/coverage

# Tests the lower bounds in pyproject.toml. Old versions of libraries use names that are deprecated in the newer libraries
# they depend on, so these warnings are ignored.
test-oldest: ## Run the unit tests with the oldest allowed version of every dependency
	$(PYTHON) -m venv --clear $(OLDEST)
	$(OLDEST)/bin/pip install --quiet uv
	$(OLDEST)/bin/uv pip install --quiet --python $(OLDEST) --resolution lowest-direct --requirements pyproject.toml --extra dev
	$(OLDEST)/bin/pip install --quiet --no-deps --no-build-isolation --config-settings=build-dir=build/oldest .
	$(OLDEST)/bin/pytest -q -n 2 -m "not slow" -W ignore::DeprecationWarning

test-all: fuzz-python-quick slow kernels sanitizers sanitizers-python fuzz-quick differential-quick neon wheel hosts spark docs-browser reproduce-quick accuracy-quick calibration-quick ## Slow tests: adapters, browser, Spark, sanitizers, documentation (under 30 minutes)

slow: $(VENV)/installed
	$(DEBIAN) chromium chromium
	$(BIN)/pytest -q -n 2 -m slow --ignore tests/adapters --ignore tests/backends --ignore tests/docs

kernels: $(VENV)/installed
	for kernel in $$($(BIN)/python -c 'from bitsep import _native; print(*_native.available_kernels())'); do \
	    echo "kernel: $$kernel"; \
	    BITSEP_FORCE_KERNEL=$$kernel $(BIN)/pytest -q -n 2 -m "not slow" tests/independence tests/native || exit 1; done

sanitizers: $(VENV)/made
	$(DEBIAN) /usr/include/doctest/doctest.h doctest-dev
	$(NATIVE) asan-ubsan
	$(NATIVE) tsan

# The extension module with sanitizers, called from Python.
sanitizers-python: $(VENV)/installed
	sh tools/sanitized_python.sh $(VENV) address -m pytest -q -p no:cacheprovider -m "not slow" tests/native tests/scores tests/discovery/test_score_search.py
	sh tools/sanitized_python.sh $(VENV) thread tools/threads_smoke.py

# Programs of native/fuzz with the address and undefined-behavior sanitizers.
fuzz-programs: $(VENV)/made
	$(DEBIAN) clang++-16 clang-16
	$(DEBIAN) /usr/lib/llvm-16/lib/clang/16/lib/linux/libclang_rt.fuzzer-x86_64.a libclang-rt-16-dev
	$(NATIVE) fuzz

fuzz-quick: fuzz-programs
	$(BIN)/python tools/fuzz.py --seconds 30 --seed 1

fuzz: fuzz-programs ## Fuzz the native core for an hour; executions and seeds are added to native/fuzz/runs.jsonl
	nice -n 15 $(BIN)/python tools/fuzz.py --seconds 3600 --record $(ARGS)

differential-quick: $(VENV)/installed
	$(BIN)/python -m differential --seconds 20 --seed 1

differential: $(VENV)/installed ## Compare every statistic and score, in every setting, with the slow twins (about 10 minutes)
	$(BIN)/python -m differential --cases 1000000 --record $(ARGS)
	$(BIN)/python -m differential --kinds many_levels --cases 5000 --record $(ARGS)
	$(BIN)/python -m differential --backend stream --cases 10000 --record $(ARGS)

coverage-native: $(VENV)/made ## Report which lines of native/ its tests run, into build/coverage-native
	$(DEBIAN) /usr/include/doctest/doctest.h doctest-dev
	$(BIN)/pip install --quiet "gcovr>=8"
	find build/native/coverage -name '*.gcda' -delete 2>/dev/null || true
	$(NATIVE) coverage
	mkdir -p build/coverage-native
	$(BIN)/gcovr --root . --filter native/src/ --filter native/include/ --merge-lines --txt --txt-summary \
	    --html-details build/coverage-native/index.html --fail-under-line 90 build/native/coverage

mutants: $(VENV)/made ## Change the native formulas, one operator or number at a time, and see whether a test fails
	$(DEBIAN) /usr/include/doctest/doctest.h doctest-dev
	PATH="$(abspath $(BIN)):$$PATH" nice -n 15 $(BIN)/python tools/mutants.py $(ARGS)

valgrind: $(VENV)/made ## Run the small native tests under valgrind
	$(DEBIAN) /usr/include/doctest/doctest.h doctest-dev
	$(DEBIAN) valgrind valgrind
	$(NATIVE) release
	for program in $(SMALL); do valgrind --quiet --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite \
	    build/native/release/$$program --no-intro || exit 1; done

neon: $(VENV)/made
	$(DEBIAN) /usr/include/doctest/doctest.h doctest-dev
	$(DEBIAN) aarch64-linux-gnu-g++ g++-aarch64-linux-gnu
	$(DEBIAN) qemu-aarch64 qemu-user
	$(NATIVE) neon

wheel: ## Build a wheel and test it in an environment without a compiler
	sh tools/check_wheel.sh $(PYTHON)

hosts: wheel ## Test the adapters with the newest causal-learn, pgmpy, tigramite and scikit-learn
	$(PYTHON) -m venv $(HOSTS)
	$(HOSTS)/bin/pip install --quiet --upgrade pip
	$(HOSTS)/bin/pip install --quiet "$$(ls build/wheel-check/wheels/*.whl)[hosts,report]" pytest pytest-xdist hypothesis scipy
	$(HOSTS)/bin/pip install --quiet --force-reinstall --no-deps build/wheel-check/wheels/*.whl
	$(HOSTS)/bin/pytest -q -n 2 tests/adapters tests/docs/test_pages.py
	$(HOSTS)/bin/pytest -q --doctest-modules --pyargs bitsep.adapters

spark: $(VENV)/installed
	$(DEBIAN) java openjdk-17-jre-headless
	$(BIN)/pip install --quiet "pyspark[connect]>=4"
	$(BIN)/pytest -q -m slow tests/backends

docs: $(VENV)/docs ## Build the documentation into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

docs-browser: docs
	sh tools/debian.sh chromium chromium
	$(BIN)/pytest -q -m slow tests/docs/test_site.py

docs-version: $(VENV)/docs ## Add the documentation of VERSION to those on the branch gh-pages, locally; readers choose one on the page
	test -n "$(VERSION)"
	PATH="$(abspath $(BIN)):$$PATH" NO_MKDOCS_2_WARNING=1 $(BIN)/mike -q deploy --update-aliases $(VERSION) latest
	$(BIN)/mike -q set-default latest
	$(BIN)/mike list

$(VENV)/docs: $(VENV)/installed
	$(BIN)/pip install --quiet "latex2mathml>=3.77" "mike>=2.1" "mkdocs-material>=9.5" "mkdocstrings[python]>=0.26"
	touch $@

reproduce-quick: $(VENV)/installed
	rm -rf build/reproduction-quick
	$(BIN)/python -m reproduction --quick --out build/reproduction-quick

reproduce: $(VENV)/installed ## Run the paper's experiments at full size, into the documentation (under 30 minutes)
	$(BIN)/python -m reproduction --out docs/reproduction-results --resume

bench: $(VENV)/installed ## Run benchmarks of bitsep alone
	$(BIN)/pytest benchmarks --benchmark-only --benchmark-autosave --benchmark-sort=name -o addopts=--import-mode=importlib \
	    -o python_files='bench_*.py' -o python_functions='bench_*'

bench-compare: $(VENV)/installed ## Compare the speed of the working tree with that of commit BASE, in one run
	$(BIN)/python -m benchmarks.compare $(BASE) $(ARGS)

# An environment with the libraries that bitsep is compared with.
peers: $(VENV)/installed
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/pip install --quiet --upgrade pip
	$(PEERS)/bin/pip install --quiet -r benchmarks/peers/requirements.txt
	$(PEERS)/bin/pip install --quiet --config-settings=build-dir=build/peers ".[report]"

bench-peers: peers ## Compare the speed of bitsep with other libraries in one run, into docs/benchmarks.md
	$(PEERS)/bin/python -m benchmarks.peers $(ARGS)

accuracy: peers ## Compare learned graphs with known networks, into docs/accuracy.md (many hours; continues a run that was stopped)
	$(PEERS)/bin/python -m accuracy $(ARGS)

accuracy-quick: $(VENV)/installed
	rm -rf build/accuracy-quick
	$(BIN)/python -m accuracy --quick

calibration: $(VENV)/installed ## Measure how well tests keep their level, into docs/calibration.md (continues a run that was stopped)
	$(BIN)/python -m calibration $(ARGS)

calibration-quick: $(VENV)/installed
	rm -rf build/calibration-quick
	$(BIN)/python -m calibration --quick

$(VENV)/fuzzing: $(VENV)/installed
	$(BIN)/pip install --quiet "atheris>=3"
	@touch $@

# The corpora are copied, so that a short run leaves no files.
fuzz-python-quick: $(VENV)/fuzzing
	rm -rf build/fuzz-python && mkdir -p build && cp -r fuzz/corpus build/fuzz-python
	for target in $$(ls fuzz/corpus); do \
	    $(BIN)/python fuzz/readers.py $$target -max_total_time=1 -timeout=20 -rss_limit_mb=4000 -verbosity=0 \
	        -artifact_prefix=build/ build/fuzz-python/$$target || exit 1; done

fuzz-python: $(VENV)/fuzzing ## Fuzz the readers of files, ten minutes each, into fuzz/corpus
	for target in $$(ls fuzz/corpus); do \
	    $(BIN)/python fuzz/readers.py $$target -max_total_time=600 -timeout=20 -rss_limit_mb=4000 \
	        -artifact_prefix=build/ fuzz/corpus/$$target || exit 1; done

mutants-python: $(VENV)/installed ## Change graph rules and formulas in Python, and count the changes that tests notice
	$(BIN)/python tools/mutants_python.py $(ARGS)

soak: $(VENV)/installed ## Half an hour of mixed work in one process: does the memory stay the same?
	$(BIN)/python tools/soak.py $(ARGS)

sbom: $(VENV)/installed ## Write the bill of materials (CycloneDX) of .venv, with all extras, into build/sbom.json
	$(BIN)/pip install --quiet "cyclonedx-bom>=7"
	$(BIN)/cyclonedx-py environment --output-reproducible --pyproject pyproject.toml --output-file build/sbom.json $(BIN)/python

hooks: $(VENV)/installed ## Install git hooks that check the files of each commit
	$(BIN)/pre-commit install

format: $(VENV)/installed ## Format the sources
	$(BIN)/ruff check --fix $(PY)
	$(BIN)/ruff format $(PY)
	$(BIN)/clang-format -i $(CPP)

screenshots: $(VENV)/installed ## Take the screenshots of the documentation
	$(BIN)/python tools/screenshots.py

vendor: ## Copy the JavaScript library of the report from npm (needs npm)
	sh tools/vendor.sh 3.1.3

stubs: $(VENV)/installed ## Regenerate the type stubs of the native module
	$(BIN)/python -m nanobind.stubgen -q -m bitsep._native._core -o src/bitsep/_native/_core.pyi

clean: ## Remove what the other targets have made
	rm -rf $(VENV) $(HOSTS) $(PEERS) $(OLDEST) build dist site demo-output
