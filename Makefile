# Everything runs from here; `make setup` needs git, make and a network that reaches PyPI, the rest needs `make setup`.
.DEFAULT_GOAL := help
.PHONY: help setup built layers check nag lint-templates test bench bench-recall demo up down status synth named diff deploy smoke destroy clean
PYTHON := .venv/bin/python
# Node comes from PyPI with the project's environment; jsii need not comment on its version.
export PATH := $(CURDIR)/.venv/bin:$(PATH)
# The machine's own certificates, which npx would not look at: many networks look into TLS.
export NODE_USE_SYSTEM_CA := 1
# The CDK's command line is no package of PyPI: npx fetches this version of it.
CDK := npx --yes aws-cdk@2.1148.1
# The environment that a command is about; `make synth` alone takes all of them.
ENV ?=
# What cdk asks before it deploys: `never` where nobody is there to answer.
APPROVAL ?= broadening
# More for cdk, such as `OPTIONS=--import-existing-resources`.
OPTIONS ?=
# Where `make up` listens; empty: 4566.
PORT ?=
# What `make destroy` takes away: names of stacks, or all.
STACKS ?= --all

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s%s\n", $$1, $$2 }' Makefile

setup: ## build the environments (a second run takes a second)
	@sh infra/setup/setup.sh

built: setup
	@$(PYTHON) -m infra.layers host

layers: built ## build the layers for this machine, and list what is in them
	@$(PYTHON) -m infra.layers list

check: ## the gate: lint, format, types, architecture
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/lint-imports

nag: setup ## look at the stacks of ENV (default: every environment) with cdk-nag
	@$(PYTHON) -m infra.nag $(ENV)

lint-templates: synth ## look at the templates of ENV (default: every environment) with cfn-lint
	@.venv/bin/cfn-lint $(patsubst %,cdk.out/%/*.template.json,$(or $(ENV),$(shell $(PYTHON) -m infra.environments)))

test: built ## the gate and every test, the deployed stacks included
	@$(PYTHON) -m infra.layers aws || echo "no layers for AWS: their tests are skipped"
	@$(MAKE) --no-print-directory check
	.venv/bin/coverage erase
	@# In the order of the folders: the many quick files come last, so that both processes end together.
	.venv/bin/pytest -n 2 --dist loadfile --no-loadscope-reorder --cov --cov-report=term

bench: built ## measure; what it says are ratios within one run
	.venv/bin/python -m infra.local.coldstart
	.venv/bin/pytest -s -o python_files='bench_*.py' tests/benchmarks

# LoCoMo's file of conversations, which is not ours to ship.
DATA ?=

bench-recall: setup ## how well facts are found, on DATA, beside SQLite's full text alone and LanceDB
	@test -f "$(DATA)" || { echo "Which file? Say DATA=…/locomo10.json." >&2; exit 2; }
	$(PYTHON) -m tests.benchmarks.recall $(DATA)

demo: built ## play a conversation and show what is remembered
	@$(PYTHON) -m infra.local.demo

up: built ## start the local environment in the background; PORT=0 takes any free port
	@$(PYTHON) -m infra.local up --detach $(if $(PORT),--port $(PORT))

down: ## stop it
	@$(PYTHON) -m infra.local down

status: ## say whether it runs
	@$(PYTHON) -m infra.local status

synth: built ## synthesise the stacks of ENV (default: every environment) into cdk.out/ENV
	@$(PYTHON) -m infra.layers aws
	@set -e; for name in $(or $(ENV),$$($(PYTHON) -m infra.environments)); do \
		echo "synthesise $$name"; $(PYTHON) -m infra.app env=$$name out=cdk.out/$$name; done

named:
	@test -n "$(ENV)" || { echo "Which environment? Say ENV=dev, for example." >&2; exit 2; }

diff: named synth ## compare the stacks of ENV with those that are deployed
	@$(CDK) diff --app cdk.out/$(ENV)

deploy: named synth ## deploy or update all stacks of ENV
	@$(CDK) deploy --all --app cdk.out/$(ENV) --require-approval $(APPROVAL) $(OPTIONS)

smoke: named setup ## check the deployed ENV: remember, recall, isolation, alarms, dead letters
	@$(PYTHON) -m infra.operate --env $(ENV) smoke

destroy: named synth ## delete the stacks of ENV, or those named in STACKS; what is durable stays
	@$(CDK) destroy $(STACKS) --app cdk.out/$(ENV)

clean: ## remove what was built; environments stay
	rm -rf build cdk.out
