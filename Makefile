# What a person calls, and what CI calls. Every target installs what it needs first.

SWIFT ?= swift
DATA ?=

.PHONY: setup demo test soak faults guards-update bench bench-full clean

setup: ## install the C libraries of the engines when they are missing
	@Scripts/setup

demo: setup ## import a real package index into every engine; DATA=file for another one
	$(SWIFT) run -c release PackageCatalogue $(if $(DATA),"$(DATA)")

test: setup ## run all tests on all engines
	$(SWIFT) test

guards-update: setup ## take the allocations that are counted now as those the tests allow, on purpose only
	TROVE_GUARDS=update $(SWIFT) test --filter PerformanceGuardTests

MINUTES ?= 10
SEED ?=

soak: setup ## random programs on all engines for MINUTES=10, or those of one SEED=
	$(if $(SEED),TROVE_SOAK_SEED=$(SEED),TROVE_SOAK_MINUTES=$(MINUTES)) $(SWIFT) test --filter SoakTests

faults: setup ## every call of every operation fails once, and from then on, on every engine, and below each engine every system call
	TROVE_FAULTS=all $(SWIFT) test --filter 'FaultLoopTests|SystemFaultTests'

bench: setup ## compare the engines, raw C and GRDB on this machine, 100,000 objects; draws Benchmarks/results/quick.svg
	@mkdir -p Benchmarks/results
	$(SWIFT) run -c release --package-path Benchmarks trove-bench run --quick --svg Benchmarks/results/quick.svg

bench-full: setup ## the same with 1,000,000 objects, into docs/performance.md
	@mkdir -p Benchmarks/results docs/images
	$(SWIFT) run -c release --package-path Benchmarks trove-bench run \
		--markdown docs/performance.md --svg docs/images/benchmark.svg --json Benchmarks/results/full.json

clean:
	rm -rf .build Benchmarks/.build
