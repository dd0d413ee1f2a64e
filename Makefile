# What a person calls, and what CI calls. Every target installs what it needs first.

SWIFT ?= swift
DATA ?=

.PHONY: setup demo test bench docs clean

setup: ## install the C libraries of the engines when they are missing
	@Scripts/setup

demo: setup ## import a real package index into every engine; DATA=file for another one
	$(SWIFT) run -c release PackageCatalogue $(if $(DATA),"$(DATA)")

test: setup ## run all tests on all engines
	$(SWIFT) test

bench: setup ## compare the engines, raw C and GRDB on this machine
	$(SWIFT) run -c release --package-path Benchmarks trove-bench run

docs: setup ## build the documentation archives
	$(SWIFT) package generate-documentation --target Trove

clean:
	rm -rf .build Benchmarks/.build
