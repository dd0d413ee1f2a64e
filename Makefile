# What a person calls, and what CI calls. Every target installs what it needs first.

SWIFT ?= swift
DATA ?=

.PHONY: setup demo test crash guards-update bench bench-full clean

setup: ## install the C libraries of the engines when they are missing
	@Scripts/setup

demo: setup ## import a real package index into every engine; DATA=file for another one
	$(SWIFT) run -c release PackageCatalogue $(if $(DATA),"$(DATA)")

test: setup ## run all tests on all engines
	$(SWIFT) test

# ROUNDS=1000 for each engine, level and kind; ENGINE=lmdb LEVEL=durable KIND=power SEED=7 for some of them; WINDOW=, TARGET=, MODE= and
# RECOVERY= as failures print them; SWEEP=1 ends at each call in turn.
crash: setup ## kill processes that write stores, lose power, and check what is left
	$(SWIFT) run CrashLoop --rounds $(or $(ROUNDS),100) --seed $(or $(SEED),1) $(addprefix --engine ,$(ENGINE)) $(addprefix --level ,$(LEVEL)) \
		$(addprefix --kind ,$(KIND)) $(addprefix --window ,$(WINDOW)) $(addprefix --target ,$(TARGET)) $(addprefix --mode ,$(MODE)) \
		$(addprefix --recovery ,$(RECOVERY)) $(if $(SWEEP),--sweep) $(if $(KEEP),--keep "$(KEEP)")

guards-update: setup ## take the allocations that are counted now as those the tests allow, on purpose only
	TROVE_GUARDS=update $(SWIFT) test --filter PerformanceGuardTests

bench: setup ## compare the engines, raw C and GRDB on this machine, 100,000 objects; draws Benchmarks/results/quick.svg
	@mkdir -p Benchmarks/results
	$(SWIFT) run -c release --package-path Benchmarks trove-bench run --quick --svg Benchmarks/results/quick.svg

bench-full: setup ## the same with 1,000,000 objects, into docs/performance.md
	@mkdir -p Benchmarks/results docs/images
	$(SWIFT) run -c release --package-path Benchmarks trove-bench run \
		--markdown docs/performance.md --svg docs/images/benchmark.svg --json Benchmarks/results/full.json

clean:
	rm -rf .build Benchmarks/.build
