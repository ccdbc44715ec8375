# marquee: `make sim` runs the whole shop offline, `make test` proves it. `make help` lists the rest.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

TOOLS    := .tools
NPM      := node_modules/.package-lock.json
DIST     := web/dist/index.html
WEB_SRC  := $(shell find web -type f -not -path 'web/dist/*' -not -path 'web/dist-console/*' \
	-not -path 'web/test/*' -not -name '*.test.ts' -not -name '*.test.tsx' -not -name '*.md' 2>/dev/null)
BUILD    := $(shell git describe --always --dirty 2>/dev/null || echo dev)
GO_BUILD := CGO_ENABLED=0 go build -ldflags '-s -w -X main.version=$(BUILD)'
# Without the paths of this clone in it, what one clone compiled is not compiled again in another.
export GOFLAGS := -trimpath $(GOFLAGS)
# The make of macOS is 3.81, which prints the lines of two targets as they come.
GROUPED  := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
STATICCHECK := $(TOOLS)/bin/staticcheck-0.8.2
PACT_DIR := $(CURDIR)/$(TOOLS)/pact
PACT_ENV  = CGO_ENABLED=1 LIBRARY_PATH="$(PACT_DIR)" LD_LIBRARY_PATH="$(PACT_DIR)" \
	PACT_DO_NOT_TRACK=true PACT_LOG_LEVEL=ERROR

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# --- run -------------------------------------------------------------------------------------------------------

.PHONY: sim sim-reset
sim: build ## run the whole shop offline: simulators and shop, until Ctrl-C; DB=postgres, ARGS=-captcha
	@exec bin/sim $(if $(DB),-db $(DB)) $(ARGS)

sim-reset: build ## delete what make sim (with DB=postgres: make sim DB=postgres) kept; not while one runs
	@bin/sim reset $(if $(DB),-db $(DB))

.PHONY: cluster
cluster: build ## PostgreSQL, three replicas of the shop and a balancer, offline, until Ctrl-C
	@exec bin/sim cluster

.PHONY: dev
dev: build ## develop the web app: shop, simulators and hot reload on http://127.0.0.1:5173, until Ctrl-C
	@trap 'trap - EXIT; kill $$(jobs -p) 2>/dev/null || true; wait' EXIT; \
	bin/sim & sim=$$!; npm run --silent dev & web=$$!; \
	echo "web app     http://127.0.0.1:5173, reloads what you save in web/src"; \
	while kill -0 $$sim 2>/dev/null && kill -0 $$web 2>/dev/null; do sleep 1; done

.PHONY: build
build: $(DIST) ## build bin/shop and bin/sim with the web app embedded
	@mkdir -p bin
	@echo "building bin/shop and bin/sim"
	@$(GO_BUILD) -o bin ./cmd/shop ./cmd/sim

# The images need no container runtime. Their binaries bring time zones and root certificates.
.PHONY: image
image: $(DIST) ## write bin/shop.oci.tar and bin/sim.oci.tar, images for docker load, podman load, skopeo or umoci
	@mkdir -p bin
	@go run ./cmd/shop/deploy/release -only images -version $(BUILD) -platforms linux/$$(go env GOARCH) -out bin
	@ls -sh bin/*.oci.tar

.PHONY: release
release: $(DIST) ## write dist/, the files of the release VERSION=v1.2.3 for every platform
	@go run ./cmd/shop/deploy/release -version "$(VERSION)" -out dist
	@cat dist/checksums.txt

.PHONY: doctor
doctor: ## name what this machine lacks to build and test
	@e2e/setup/doctor.sh && echo "this machine has all that make sim and make test need"

# --- what the rest needs -----------------------------------------------------------------------------------------

$(NPM): package.json package-lock.json
	@e2e/setup/doctor.sh
	@echo "installing the web app's packages"
	@npm ci --omit=peer --ignore-scripts --no-audit --no-fund --loglevel error
	@touch $@

$(DIST): $(NPM) $(WEB_SRC)
	@echo "building the web app"
	@npm run --silent build # npm run sizes shows how large each part is
	@touch $@

.PHONY: browser
browser: $(NPM)
	@node e2e/setup/browser.mjs

$(STATICCHECK):
	@mkdir -p $(@D)
	GOBIN="$(CURDIR)/$(@D)" go install honnef.co/go/tools/cmd/staticcheck@v0.8.2
	@mv $(@D)/staticcheck $@

# --- prove -------------------------------------------------------------------------------------------------------

# The web tests wait half of their time, and some Go packages wait for processes that they start. So three targets run at
# a time, and the two that take longest begin first. The web tests have only one worker, to which what Go compiles and runs
# at the same time yields (nice). Otherwise they would take several times as long.
# The browser suites wait for pages much of their time; the purchase suites use what they leave of the cores.
# The suite that kills servers has time limits and runs alone.
.PHONY: test
test: $(NPM) $(DIST) $(STATICCHECK) ## everything: lint, unit, web, contracts, chaos, browser
	@$(MAKE) --no-print-directory $(GROUPED) --jobs 3 web packages lint-go lint-web contracts
	@$(MAKE) --no-print-directory chaos-short
	@$(MAKE) --no-print-directory $(GROUPED) --jobs 2 e2e purchases

.PHONY: check
check: $(NPM) $(DIST) $(STATICCHECK) ## fast: no browser, no contracts
	@$(MAKE) --no-print-directory $(GROUPED) --jobs 2 lint-go lint-web unit web

.PHONY: lint lint-go lint-web
lint: lint-go lint-web

lint-go: $(DIST) $(STATICCHECK)
	@unformatted=$$(gofmt -l cmd server simulators contracts e2e web/*.go); \
		[ -z "$$unformatted" ] || { echo "gofmt: $$unformatted"; exit 1; }
	nice go vet ./...
	nice $(STATICCHECK) -checks inherit,-S1016 ./... # S1016 would convert one page object into another

# ESLint and the type checker keep what they learned of unchanged files in .tools.
lint-web: $(NPM)
	@mkdir -p $(TOOLS)
	npm run --silent lint -- --cache --cache-strategy content --cache-location "$(CURDIR)/$(TOOLS)/eslint-cache"
	npm run --silent arch
	npm run --silent typecheck -- --incremental --tsBuildInfoFile $(TOOLS)/typecheck.tsbuildinfo

# go vet has checked the packages in lint-go; tests don't run it a second time.
# On a busy machine a package may take longer than the ten minutes that go test allows.
.PHONY: unit packages purchases
unit: packages purchases ## Go unit and integration tests; the purchase suites on both engines

packages: $(NPM) $(DIST)
	nice go test -vet=off -p 3 -timeout 20m $$(go list ./... | grep -v '^marquee/e2e')
ifeq ($(shell go env GOOS 2>/dev/null)/$(shell go env GOARCH 2>/dev/null),linux/amd64) # npm has 15 of it
	MARQUEE_TEST_POSTGRES=15 nice go test -vet=off -timeout 20m ./server/store ./server/store/postgres
endif

purchases: $(NPM) # those on SQLite are among the packages
	MARQUEE_TEST_ENGINE=postgres go test -vet=off -timeout 40m ./server/purchase

.PHONY: web
web: $(NPM) ## web component tests
	npm run --silent test:web

.PHONY: contracts
contracts: $(NPM) $(DIST) ## Pact: consumers, then both sides verified, the shop on both engines
	@contracts/fetch-pact-ffi.sh
	npm run --silent test:pact
	$(PACT_ENV) go test -tags pact -count=1 ./contracts/consumer/...
	@git diff --exit-code --stat contracts/pacts || \
		{ echo "contracts/pacts changed: commit what the consumers now say"; exit 1; }
	$(PACT_ENV) go test -tags pact ./contracts/provider/... # Go's cache notices changed pacts: the tests read them
	$(PACT_ENV) MARQUEE_TEST_ENGINE=postgres go test -tags pact -run 'TestShop$$' ./contracts/provider

.PHONY: verify-provider
verify-provider: ## verify the pacts of PROVIDER against a real address URL
	@contracts/fetch-pact-ffi.sh
	$(PACT_ENV) MARQUEE_VERIFY_PROVIDER="$(PROVIDER)" MARQUEE_VERIFY_URL="$(URL)" \
		go test -tags pact -count=1 -run TestVerifyAtAddress ./contracts/provider/...

# Go's cache keeps the results of browser suites too: what they depend on is in the test binary or in files that they
# read (e2e/README.md). The binary contains the shop, the simulators and the built web app. One suite runs after the
# other: each has four pages open, and more at once only make each other wait.
.PHONY: e2e
e2e: $(DIST) browser ## browser tests, mobile viewport, in and outside the messaging app
	go test -vet=off -p 1 -timeout 20m $$(go list ./e2e/... | grep -v '^marquee/e2e/chaos')

.PHONY: chaos chaos-short model
chaos: $(DIST) ## ROUNDS=20 times kill KILLS=50 replicas and the database under load
	go test -vet=off -count=$(or $(ROUNDS),20) -timeout 0 -v ./e2e/chaos -replica.kills $(or $(KILLS),50)

model: $(DIST) ## the purchase suites in their long form: 1,000 histories, 96,000 seat holds, 1,000 kills on each engine
	@for engine in sqlite postgres; do \
		MARQUEE_TEST_ENGINE=$$engine go test -vet=off -count=1 -timeout 0 -v -run 'TestModel|TestHolds' \
			-bench CrashUnderLoad -benchtime 1000x ./server/purchase -rapid.checks 1000 -hold.rounds 4000; \
	done

chaos-short: $(DIST) # one round
	go test -vet=off -count=1 -timeout 10m ./e2e/chaos

.PHONY: screens
screens: $(DIST) browser ## pictures of every route, day and night, wide and narrow, in e2e/artifacts/screens
	MARQUEE_SCREENS=1 go test -vet=off -count=1 -timeout 20m ./e2e/screens/...

.PHONY: race
race: $(DIST) ## Go tests under the race detector
	CGO_ENABLED=1 go test -race $$(go list ./... | grep -v '^marquee/e2e')

.PHONY: bench
bench: build browser ## measure the figures of the targets table, with ONLY=lighthouse that row alone, with BENCH its flags
	go run ./e2e/bench -only "$(ONLY)" $(BENCH)

.PHONY: opening-night
opening-night: build ## visitors rush to three replicas on PostgreSQL, one is killed; BENCH='-visitors 20000 -arrive 5m'
	go run ./e2e/bench -only opening-night $(BENCH)
