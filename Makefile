# The commands of the project. `make` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

MODULE  := github.com/lspine/lspine
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
COMMIT  ?= $(shell git rev-parse --short=12 HEAD 2>/dev/null)
DATE    ?= $(shell git log -1 --format=%cs 2>/dev/null)
SERVERS := gopls,typescript,typescript-language-server,pyright,clangd,rust-analyzer,jdtls,eslint
PACKAGES ?= ./...

# The version comes by -X. Asking git a second time fails in a checkout of another user.
export GOFLAGS := $(strip $(GOFLAGS) -buildvcs=false)

# Where the home folder cannot be written, the caches of go and npm stay here.
ifneq ($(shell test -w "$$HOME" && echo yes),yes)
export HOME := $(shell mkdir -p .tools/home && cd .tools/home && pwd)
export GOFLAGS += -modcacherw
endif

# The pinned servers come before whatever the machine has.
WITH_SERVERS := PATH="$(CURDIR)/.tools/bin:$$PATH"

# rustup's cargo looks for its toolchains below HOME, wherever it was installed.
CARGO_HOME_FOUND := $(patsubst %/bin/,%,$(dir $(shell command -v cargo)))
ifneq ($(and $(filter %/.cargo,$(CARGO_HOME_FOUND)),$(wildcard $(dir $(CARGO_HOME_FOUND)).rustup)),)
export RUSTUP_HOME ?= $(dir $(CARGO_HOME_FOUND)).rustup
endif

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 14

.PHONY: build
build: ## bin/lspine, static
	CGO_ENABLED=0 go build -trimpath \
		-ldflags "-s -w -X $(MODULE)/internal/cli.version=$(VERSION) -X $(MODULE)/internal/cli.commit=$(COMMIT) -X $(MODULE)/internal/cli.date=$(DATE)" \
		-o bin/lspine ./cmd/lspine

.PHONY: core
core: ## the pinned language servers that the tests need, in .tools/bin
	scripts/servers

.PHONY: servers
servers: ## every server that scripts/servers knows, in .tools/bin (ten minutes, 4 GB)
	scripts/servers --all

.PHONY: browser
browser: ## the headless Chromium that the tests of the page need, unpacked from Debian's packages (200 MB)
	scripts/servers chromium-headless-shell

INDEXERS := scip-go,scip-typescript,scip-python
.PHONY: indexers
indexers: ## the pinned indexers that e2e/index holds against servers, in .tools/bin
	scripts/indexers

.PHONY: truth-projects
truth-projects: ## the pinned real projects that e2e/truth changes, in .tools/truth
	scripts/truth-projects

.PHONY: mcp-suite
mcp-suite: ## the official suites for MCP servers, and the packages of hosts, in .tools
	scripts/mcp-suite

.PHONY: agents
agents: ## the pinned coding agents that e2e/agents runs, in .tools/agents (2.7 GB)
	scripts/agents

# Those that were installed once take part in every test.
.PHONY: agents-cached
agents-cached:
	scripts/agents --cached

# The race detector needs a C compiler.
RACE := $(shell command -v "$$(go env CC 2>/dev/null)" >/dev/null 2>&1 && echo -race)

.PHONY: test
test: core indexers browser mcp-suite truth-projects agents-cached ## everything, with the race detector and real servers
	@[ -n "$(RACE)" ] || echo "there is no C compiler ($$(go env CC)): the tests run without the race detector"
	$(WITH_SERVERS) LSPINE_REQUIRE_SERVERS=$${LSPINE_REQUIRE_SERVERS:-$$(scripts/servers --provided),$(INDEXERS)} LSPINE_REQUIRE_MCP_SUITE=1 go test $(RACE) -timeout 40m $(PACKAGES)

# The rooms whose tests drive servers that are made for them, daemons or whole programs take minutes; they run with make test.
SLOW_ROOMS := assembly|checking|cli|daemon|dependants|diagnostics|doctor|editing|engine|house|install|lsp|mcpserver|mutants|navigation|overlay|refcache|workspace
.PHONY: quick
quick: ## in less than a minute: the rooms whose tests need neither servers nor processes
	go vet ./internal/... ./cmd/... ./pkg/...
	go test $$(go list ./internal/... ./pkg/... ./skills/... | grep -vE '/internal/($(SLOW_ROOMS))$$')

.PHONY: test-windows
test-windows: ## the tests of the Windows build, under Wine in a Debian of its own (as root; 2.5 GB)
	scripts/windows test -p 1 -timeout 20m ./internal/... ./e2e/windows
	LSPINE_WINDOWS=1 scripts/windows test -count 1 -timeout 20m ./e2e/windows

.PHONY: test-all
test-all: servers test agents ## test, with real agents, and whether what is said is true with every server (half an hour)
	$(WITH_SERVERS) LSPINE_REQUIRE_SERVERS=all LSPINE_REQUIRE_AGENTS=1 go test -count 1 ./e2e/agents
	$(WITH_SERVERS) LSPINE_REQUIRE_SERVERS=all go test -timeout 40m -parallel 3 ./e2e/all
	$(WITH_SERVERS) LSPINE_REQUIRE_SERVERS=$(SERVERS) LSPINE_TRUTH=long go test -timeout 2h ./e2e/truth ./e2e/projects

.PHONY: truth
truth: core truth-projects ## all scripted changes of real code, some random ones, all set-ups; docs/reference/truth.md and projects.md anew
	$(WITH_SERVERS) LSPINE_REQUIRE_SERVERS=$(SERVERS) LSPINE_TRUTH=long go test -timeout 2h -count 1 ./e2e/truth ./e2e/projects -update

.PHONY: freshness
freshness: servers ## write docs/reference/freshness.md anew
	$(WITH_SERVERS) LSPINE_REQUIRE_SERVERS=all go test -timeout 40m -parallel 3 -count 1 ./e2e/all -update

# Each check runs even if an earlier one failed: one run shows all there is to do.
LINTS := lint-format lint-vet lint-staticcheck lint-modules lint-platforms

.PHONY: lint $(LINTS)
lint: ## format, vet, staticcheck, modules, other platforms
	@$(MAKE) --no-print-directory --keep-going $(LINTS)

lint-format: .tools/lint/gofumpt
	@unformatted=$$(find . -name '*.go' -not -path './.*' -not -path '*/testdata/*' -print0 \
		| xargs -0 .tools/lint/gofumpt -l); \
	if [[ -n $$unformatted ]]; then \
		echo "not formatted (gofumpt -w):"; echo "$$unformatted"; exit 1; \
	fi

lint-vet:
	go vet ./...

lint-staticcheck: .tools/lint/staticcheck
	.tools/lint/staticcheck ./...

lint-modules:
	go mod tidy -diff
	go mod verify

# The tests, too, must at least compile where none runs.
lint-platforms:
	CGO_ENABLED=0 GOOS=windows go vet ./...
	CGO_ENABLED=0 GOOS=darwin go vet ./...

.tools/lint/staticcheck .tools/lint/gofumpt &: tools/go.mod tools/go.sum
	GOBIN="$(CURDIR)/.tools/lint" go -C tools install tool
	@touch .tools/lint/staticcheck .tools/lint/gofumpt

# Four minutes to build; only who makes or tests releases needs it.
GORELEASER := 2.14.1
.tools/release/goreleaser-$(GORELEASER):
	mkdir -p .tools/release
	GOFLAGS= GOBIN="$(CURDIR)/.tools/release" go install github.com/goreleaser/goreleaser/v2@v$(GORELEASER)
	mv .tools/release/goreleaser $@

# Three minutes to build; only who changes deploy/ needs it.
KUBECTL_VALIDATE := 0.0.4
.tools/release/kubectl-validate-$(KUBECTL_VALIDATE):
	mkdir -p .tools/release
	GOFLAGS= GOBIN="$(CURDIR)/.tools/release" go install sigs.k8s.io/kubectl-validate@v$(KUBECTL_VALIDATE)
	mv .tools/release/kubectl-validate $@

.PHONY: manifests
manifests: .tools/release/kubectl-validate-$(KUBECTL_VALIDATE) build ## whether those who read deploy/ accept it: Kubernetes' API, HAProxy, systemd
	$< $(filter-out %/kustomization.yaml,$(wildcard deploy/kubernetes/*.yaml))
	@if command -v haproxy; then haproxy -c -f deploy/kubernetes/haproxy.cfg; else echo "haproxy is not on PATH: haproxy.cfg is not checked"; fi
	@if command -v systemd-analyze; then \
		unit=$$(mktemp -d)/lspine.service; sed 's|/usr/bin/lspine|$(CURDIR)/bin/lspine|' deploy/systemd/lspine.service > $$unit; \
		systemd-analyze verify $$unit; else echo "systemd-analyze is not on PATH: lspine.service is not checked"; fi

.PHONY: release-snapshot
release-snapshot: .tools/release/goreleaser-$(GORELEASER) ## what a release would hold, for all systems, in bin/dist and bin/npm
	$< release --snapshot --clean --skip=sbom,sign
	rm -rf bin/npm
	node npm/packages.mjs bin/npm

# syft and minisign are on PATH, MINISIGN_KEY_FILE and MINISIGN_PASSWORD in the environment; the tag is checked out.
.PHONY: release
release: .tools/release/goreleaser-$(GORELEASER) ## build, sign and upload the release of the tag that is checked out, as a draft
	$< release --clean
	minisign -V -p internal/release/minisign.pub -m bin/dist/checksums.txt -x bin/dist/checksums.txt.minisig
	rm -rf bin/npm
	node npm/packages.mjs bin/npm

.PHONY: generate
generate: ## write the generated files again
	go generate ./...

.PHONY: bench
bench: core ## LSPine against a raw client, into docs/benchmarks.md; BENCH="-only navigation" for a part
	$(WITH_SERVERS) go run ./bench $(BENCH) -out docs/benchmarks.md

.PHONY: demo
demo: ## break a real project and see it said, in seconds
	scripts/demo

.PHONY: mutants
mutants: core ## which small changes no test notices; MUTANTS="-since main" for those of a branch
	$(WITH_SERVERS) LSPINE_REQUIRE_SERVERS=$(SERVERS) go run ./internal/mutants $(MUTANTS)

.PHONY: house
house: ## how the code is built: arrows up inside each room, lines, widest structs; HOUSE="-against REVISION" or "-room NAME"
	@go run ./internal/house $(HOUSE)

.PHONY: clean
clean: ## what was built here; the cache of servers stays
	rm -rf bin .tools
