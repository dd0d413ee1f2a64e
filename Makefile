# What a person calls, and what CI calls. Every target installs what it needs first.

SWIFT ?= swift
DATA ?=

.PHONY: setup demo test tsan guards-update bench bench-full clean

setup: ## install the C libraries of the engines when they are missing
	@Scripts/setup

demo: setup ## import a real package index into every engine; DATA=file for another one
	$(SWIFT) run -c release PackageCatalogue $(if $(DATA),"$(DATA)")

test: setup ## run all tests on all engines
	$(SWIFT) test

guards-update: setup ## take the allocations that are counted now as those the tests allow, on purpose only
	TROVE_GUARDS=update $(SWIFT) test --filter PerformanceGuardTests

tsan: setup ## run what several threads do at once under ThreadSanitizer, after it has found a race that is there on purpose
	@Scripts/tsan

bench: setup ## compare the engines, raw C and GRDB on this machine, 100,000 objects; draws Benchmarks/results/quick.svg
	@mkdir -p Benchmarks/results
	$(SWIFT) run -c release --package-path Benchmarks trove-bench run --quick --svg Benchmarks/results/quick.svg

bench-full: setup ## the same with 1,000,000 objects, into docs/performance.md
	@mkdir -p Benchmarks/results docs/images
	$(SWIFT) run -c release --package-path Benchmarks trove-bench run \
		--markdown docs/performance.md --svg docs/images/benchmark.svg --json Benchmarks/results/full.json

clean:
	rm -rf .build .build-tsan Benchmarks/.build
