# What a person calls, and what CI calls. Every target installs what it needs first.

SWIFT ?= swift
DATA ?=

.PHONY: setup demo test test-all guards-update soak faults crash fuzz damage golden inspector tsan bench bench-full docs clean

setup: ## install the C libraries of the engines when they are missing
	@Scripts/setup

# RELEASE=1 optimises, swift-syntax for the macros' plug-in too, which takes by far the most time of such a build.
demo: setup ## import a real package index into every engine; DATA=file for another one
	$(SWIFT) run $(if $(RELEASE),-c release )PackageCatalogue $(if $(DATA),"$(DATA)")

# FILTER='SuiteA|SuiteB' runs some of them.
test: setup ## run all tests on all engines; a fixed share of crashes, damage, faults and random programs
	@SWIFT="$(SWIFT)" Scripts/test $(if $(FILTER),--filter '$(FILTER)')

# SEED= repeats the random programs and crashes of one run; MINUTES=10 of random programs, ROUNDS=100 of crashes for each engine, level and kind.
test-all: setup ## run all tests, crashes, damage, faults, mutants and random programs at length
	@TEST_MINUTES=$$((240 + $(or $(MINUTES),10))) TROVE_TESTS=all TROVE_FAULTS=all TROVE_MUTANTS=all TROVE_DAMAGE_ROUNDS=20 TROVE_SOAK_MINUTES=$(or $(MINUTES),10) \
		$(if $(SEED),TROVE_SEED=$(SEED)) SWIFT="$(SWIFT)" Scripts/test
	@$(MAKE) crash

# ROUNDS=1000 for each engine, level and kind; ENGINE=lmdb LEVEL=durable KIND=power SEED=7 for some of them; WINDOW=, TARGET=, MODE= and
# RECOVERY= as failures print them; SWEEP=1 ends at each call in turn; CROWD=1 lets several processes write one store.
crash: setup ## kill processes that write stores, lose power, and check what is left
	$(SWIFT) run CrashLoop --rounds $(or $(ROUNDS),100) --seed $(or $(SEED),1) $(addprefix --engine ,$(ENGINE)) $(addprefix --level ,$(LEVEL)) \
		$(addprefix --kind ,$(KIND)) $(addprefix --window ,$(WINDOW)) $(addprefix --target ,$(TARGET)) $(addprefix --mode ,$(MODE)) \
		$(addprefix --recovery ,$(RECOVERY)) $(if $(SWEEP),--sweep) $(if $(CROWD),--crowd) $(if $(KEEP),--keep "$(KEEP)")

guards-update: setup ## take the allocations that are counted now as those the tests allow, on purpose only
	TROVE_GUARDS=update $(SWIFT) test --filter PerformanceGuardTests
	@TROVE_GUARDS=update SWIFT="$(SWIFT)" Scripts/test --filter PerformanceGuardTests

soak: setup ## random programs on all engines for MINUTES=10, or those of one SEED=
	$(if $(SEED),TROVE_SOAK_SEED=$(SEED),TROVE_SOAK_MINUTES=$(or $(MINUTES),10)) TEST_MINUTES=$$((45 + $(or $(MINUTES),10))) SWIFT="$(SWIFT)" Scripts/test --filter SoakTests

tsan: setup ## run what several threads do at once under ThreadSanitizer, after it has found a race that is there on purpose
	@Scripts/tsan

faults: setup ## every call of every operation fails once, and from then on, on every engine, and below each engine every system call; ENGINE=SQLite for one
	TROVE_FAULTS=all TROVE_FAULTS_ENGINE="$(ENGINE)" TEST_MINUTES=240 SWIFT="$(SWIFT)" Scripts/test --filter 'FaultLoopTests|SystemFaultTests'

bench: setup ## compare the engines, raw C and GRDB on this machine, 20,000 objects; tables and charts into Benchmarks/results
	@mkdir -p Benchmarks/results
	$(SWIFT) run -c release --package-path Benchmarks trove-bench run --quick --minutes 4 \
		--json Benchmarks/results/quick.json --markdown Benchmarks/results/quick.md --charts Benchmarks/results

# CONTINUE=1 adds repeats to those of the run before; PLAN=1 only tells what would be measured.
bench-full: setup ## all workloads, up to 10,000,000 objects, in MINUTES (28), into docs/performance-figures.md, README.md and docs/images
	@mkdir -p Benchmarks/results docs/images
	$(SWIFT) run -c release --package-path Benchmarks trove-bench run --minutes $(or $(MINUTES),28) $(if $(REPEAT),--repeat $(REPEAT)) \
		$(if $(CONTINUE),--continue) $(if $(PLAN),--plan) --markdown docs/performance-figures.md --summary README.md --charts docs/images \
		--json Benchmarks/results/full.json

fuzz: setup ## fuzz every reader of bytes for SECONDS each (60), or only TARGETS; crashes go to Fuzzing/crashes, with the command that repeats them
	SWIFT=$(SWIFT) Scripts/fuzz $(or $(SECONDS),60) $(TARGETS)

damage: setup ## damage ROUNDS (20) times as many files as the tests do, and print what came of them; see docs/damage.md
	TROVE_DAMAGE_ROUNDS=$(or $(ROUNDS),20) TEST_MINUTES=240 SWIFT="$(SWIFT)" Scripts/test --filter DamageTests

inspector: setup ## walk every page of the inspector in headless Chromium, over a store with hostile names and values; pictures into .build-walk
	Scripts/inspector-walk

# HOSTING_BASE_PATH=trove for a site below an address; MODULES=.build/debug/Modules takes those of a build that is there.
docs: setup ## build the reference and the pages of docs/ as one site in .build-docs/site; every public symbol is documented and every link leads somewhere
	@HOSTING_BASE_PATH="$(HOSTING_BASE_PATH)" SWIFT="$(SWIFT)" Scripts/docs $(if $(MODULES),--modules "$(MODULES)")

golden: setup ## write the stores of the present format that tests of later versions open, when there are none yet
	TROVE_GOLDEN=1 SWIFT="$(SWIFT)" Scripts/test --filter 'GoldenStoreMaker|GoldenSealedStoreTests'

clean:
	rm -rf .build .build-tests .build-tsan .build-walk .build-docs Benchmarks/.build Fuzzing/.build
