# What one does with this repository. Needs a Rust toolchain; `run` and `test` bring the rest (.ci/install).

# `make run PROFILE=release` for the optimised program, which takes about three times as long to build as dev does; and
# `make test` reuses what dev has built.
PROFILE ?= dev
# More arguments for `pumphouse dev`: `make run ARGS=--no-demo`.
ARGS ?=

# Which audits: `make audit AUDITS=http`; all of them otherwise.
AUDITS ?=

# Which servers and workloads of tests/bench/peers: all that can be had otherwise.
PEERS ?=
QUERIES ?=

# Which fuzz targets: all of them otherwise.
FUZZ ?=

.DEFAULT_GOAL := help
.PHONY: help run test browser audit faults fuzz build bench bench-peers bench-server fmt lint playground clean

help: ## Show this list
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Install what is missing, build, and run everything on this machine
	@.ci/install cc postgresql
	@.ci/playground || true
	@exec cargo run --profile $(PROFILE) -- dev $(ARGS)

test: ## Install what is missing and run all tests
	@.ci/install cc postgresql
	@.ci/provider
	@.ci/playground || true
	@cargo build
	@PUMPHOUSE=$${CARGO_TARGET_DIR:-$(CURDIR)/target}/debug/pumphouse .ci/browser
	@exec cargo test

browser: ## Try out the playground in a browser (needs Node 20 or newer and Chromium; playground/tests)
	@.ci/install cc postgresql
	@.ci/playground || true
	@cargo build
	@PUMPHOUSE=$${CARGO_TARGET_DIR:-$(CURDIR)/target}/debug/pumphouse .ci/browser

audit: ## Audit the transports with independent clients (needs Node 18 or newer; tests/audits)
	@.ci/install cc postgresql
	@cargo build
	@exec .ci/audit $(AUDITS)

faults: ## Hurt everything around the server, also for longer (tests/faults; networks and disks need root)
	@.ci/install cc postgresql
	@exec cargo test --test main -- faults:: --include-ignored --nocapture --test-threads=1

fuzz: ## Try the readers of what comes from outside with anything, for ten minutes (FUZZ_SECONDS=60 FUZZ=cursors)
	@.ci/install cc
	@exec .ci/fuzz $(FUZZ)

build: ## Build the optimised program, with the playground in it
	@.ci/install cc
	@.ci/playground || true
	@exec cargo build --release

bench: bench-peers bench-server ## Measure everything, optimised: both of the next

bench-peers: ## Measure the server beside others, and write tests/bench/peers/RESULTS.md (PEERS="pumphouse floor", QUERIES="q1 m2")
	@.ci/install cc postgresql python
	@exec tests/bench/peers/bench $(PEERS) $(if $(QUERIES),-- $(QUERIES))

bench-server: ## Run the measurements of tests/bench
	@.ci/install cc postgresql
	@exec cargo test --release --test main -- bench:: --ignored --nocapture --test-threads=1

fmt: ## Format the sources
	@exec cargo fmt

lint: ## Check format, lints and documentation
	@.ci/install cc
	cargo fmt --check
	cargo clippy --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps

playground: ## Build the playground's page (needs Node 18.19 or newer)
	@.ci/playground

clean: ## Remove what was built; the data in .pumphouse stay
	cargo clean
	rm -rf playground/dist playground/node_modules
