# Everything below runs in .venv: made anew when requirements.txt is newer, with the tools of requirements-dev.txt on top.
.DEFAULT_GOAL := help

# The first of these that is Python 3.11 or newer; choose another with `make PYTHON=/path/to/python ...`.
PYTHON ?= $(or $(shell for python in python3.11 python3; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done),python3)
APP := .venv/app
VENV := .venv/installed
PIP := .venv/bin/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes

help: ## This list
	@sed -En 's/^([a-z-]+):.*## (.*)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

run: $(APP) ## Everything on this computer: web pages and the loop, with a demonstration to look at
	.venv/bin/python manage.py serve

demo: $(APP) ## Play two days of the demonstration campaign into var/demo
	rm -rf var/demo
	env -u DATABASE_URL -u EMAIL_URL FIELDPOST_DATA=var/demo/data .venv/bin/python manage.py demo --out var/demo

test: $(VENV) ## Every test
	.venv/bin/python -m pytest -n 2 --dist worksteal

browser: $(VENV) ## Pages in a real browser; needs Chromium (Debian: apt install chromium-headless-shell)
	.venv/bin/python -m pytest -n 2 tests/browser

faults: $(VENV) ## Kill the service's processes while campaigns are played; PostgreSQL by DATABASE_URL, redis-server
	.venv/bin/python -m tests.faults

faults-long: $(VENV) ## The same by hand, with 2,000 kills on each database
	.venv/bin/python -m tests.faults --kills 2000 --most-seconds 3600

check: $(VENV) ## Format, lint, types, import rules, migrations, deployment settings
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/djangofmt --check templates
	.venv/bin/djangofmt check templates
	.venv/bin/oxfmt --check static/css static/js templates/emails/mail.css
	.venv/bin/oxlint --deny-warnings static/js
	.venv/bin/mypy
	.venv/bin/lint-imports
	.venv/bin/python manage.py makemigrations --check
	FIELDPOST_DEBUG=off FIELDPOST_HTTPS=on .venv/bin/python manage.py check --deploy --fail-level WARNING

bench: $(VENV) ## Measure the speed of the parts that must be fast
	.venv/bin/python -m tests.bench

cases: $(VENV) ## Judge every rule example in tests/cases
	.venv/bin/python manage.py cases

mutation: $(VENV) ## Which changes of engine and rules do the tests not notice? Hours; less with SAMPLE=500
	.venv/bin/python -m tests.mutation $(if $(SAMPLE),--sample $(SAMPLE))

bymail: $(VENV) ## A campaign of 16 days that is played by mail alone; some minutes
	.venv/bin/python -m pytest -o log_cli=true --log-cli-level=INFO tests/bymail/by_hand.py

secrecy: $(VENV) ## Whether a side can distinguish two worlds that must look the same to it: every page, mail, picture, answer
	bases=$$(mktemp -d) && trap 'rm -rf "$$bases"' EXIT INT TERM && export FIELDPOST_SECRECY_BASES="$$bases/bases" && \
	.venv/bin/python -m tests.secrecy --build && \
	.venv/bin/python -m pytest -n 2 --dist worksteal -p no:randomly -m 'not long' tests/secrecy/two_worlds && \
	.venv/bin/python -m tests.secrecy

secrecy-long: $(VENV) ## All tests of two worlds, also those that secrecy leaves out, and 2,000 examples: hours
	bases=$$(mktemp -d) && trap 'rm -rf "$$bases"' EXIT INT TERM && export FIELDPOST_SECRECY_BASES="$$bases/bases" && \
	.venv/bin/python -m tests.secrecy --build --painted && \
	.venv/bin/python -m pytest -n 2 --dist worksteal -p no:randomly tests/secrecy/two_worlds && \
	.venv/bin/python -m tests.secrecy --examples 2000 --answers 1000000 --painted

leaks: $(VENV) ## Make leaks on purpose, one after the other; the tests of secrecy must notice each
	.venv/bin/python -m tests.secrecy.leaks

clean: ## Remove .venv, caches and the demo, but no campaign
	rm -rf .venv .coverage* htmlcov mutants .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache var/demo
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(APP): requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo >&2 \
	  "Fieldpost needs Python 3.11 or newer, and '$(PYTHON)' is not. Install it (Debian: apt install python3" \
	  "python3-venv), or name one: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo >&2 \
	  "'$(PYTHON)' cannot make virtual environments. The cure: apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv --clear .venv
	$(PIP) --requirement requirements.txt
	@touch $@

$(VENV): requirements-dev.txt $(APP)
	$(PIP) --no-binary diplomacy --use-pep517 --requirement requirements-dev.txt # of diplomacy there is only the source
	@touch $@

.PHONY: help run demo test browser faults faults-long bymail check bench cases mutation secrecy secrecy-long leaks clean
