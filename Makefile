# make run    starts the app        make test slow    checks and tests everything
# make dev    the same, and it reloads itself after every edit
# Everything lives in .venv beside this file, and the tools for JavaScript in node_modules; nothing
# else on the machine is changed, except that `make test` installs a Chromium where there is none.
# Paths are relative: a checkout may have spaces in its path. Tools are started as `python -m`,
# because scripts cannot start from there.

PYTHON ?= python3
HOST ?= 127.0.0.1
# PORT: without one, Streamlit takes 8501 or the next free port.
PORT ?=
# TORCH_INDEX: address of another build of torch, see README.
TORCH_INDEX ?=
export TORCH_INDEX
# POSENC_NO_MODEL: 1 leaves out the language model, a download of 93 MB.
POSENC_NO_MODEL ?=
export POSENC_NO_MODEL

PY := .venv/bin/python
PYTEST := $(PY) -m pytest -n 2 --dist worksteal
CODE := app.py navigation.py serving pages plots ui course exhibits models lab notebooks encodings advisor scripts tests $(wildcard benchmarks)

# Where an image asks Python to keep nothing compiled, each of the processes that tests start would
# compile all of the project again.
unexport PYTHONDONTWRITEBYTECODE

# The checks run two at a time, all else one after another.
ifneq ($(MAKECMDGOALS),checks)
.NOTPARALLEL:
endif
.PHONY: run dev test slow checks install install-dev lint types contracts script unit browser format api wheel words lock bench moves readers painted frames scale static hostile lecture engines

run: install
	$(PY) -m streamlit run app.py --server.address $(HOST) $(if $(PORT),--server.port $(PORT))

# Reloads the app after an edit of any folder; a page's words too. Slower than `make run`.
dev: install-dev
	$(PY) -m streamlit run app.py --server.address $(HOST) $(if $(PORT),--server.port $(PORT)) \
		--server.fileWatcherType auto --server.runOnSave true --client.showErrorDetails full \
		--server.folderWatchList "$(CURDIR)/pages"

test: install-dev
	@$(MAKE) --no-print-directory -j2 $(if $(filter output-sync,$(.FEATURES)),-O) checks
	CHROMIUM="$$($(PY) -m scripts.browser)" && export CHROMIUM && $(PYTEST) -m "not slow"

# What takes long and rarely fails: every screen in a longer language, killed workers, notebooks.
slow: install-dev
	CHROMIUM="$$($(PY) -m scripts.browser)" && export CHROMIUM && $(PYTEST) -m slow

install:
	@$(PYTHON) scripts/install.py

install-dev:
	@$(PYTHON) scripts/install.py --dev

checks: types lint script contracts

lint: install-dev
	$(PY) -m ruff check $(CODE)
	$(PY) -m ruff format --check $(CODE)
	@scripts/lint_static.sh

types: install-dev
	$(PY) -m mypy

contracts: install-dev
	$(PY) -c "from importlinter.cli import lint_imports_command as run; run()"

script: install-dev
	@if command -v node >/dev/null; then \
		$(PY) -m tests.static.values || exit 1; \
		node --experimental-vm-modules --no-warnings scripts/parses.js $(filter-out %.min.js,$(wildcard static/*.js static/*/*.js course/*/*.js course/*/*/*.js ui/streamlit/*.js)) || exit 1; \
		node --test tests/static/*.test.js tests/course/*/*.test.js tests/course/*/*/*.test.js; \
	else echo "node is not here: static is left to the browser tests"; fi

unit: install-dev
	$(PYTEST) -m "not browser"

browser: install-dev
	CHROMIUM="$$($(PY) -m scripts.browser)" && export CHROMIUM && $(PYTEST) -m browser

format: install-dev
	$(PY) -m ruff check --fix-only $(CODE)
	$(PY) -m ruff format $(CODE)
	@[ ! -d node_modules ] || npm run --silent format

# The pages of the library's reference, as the app serves them under /api/posenc.html.
api: install
	$(PY) -m serving.reference.pages build/api

# The library and the advisor, as files that pip installs anywhere when it has both.
wheel: install-dev
	POSENC_AT= $(PY) -m pip wheel --no-deps --no-build-isolation --wheel-dir build ./encodings ./advisor

# Collects the texts for translators, brings every language in step and checks it.
words: install-dev
	$(PY) scripts/words.py

# Writes constraints.txt anew from a clean installation.
lock:
	$(PYTHON) scripts/lock.py

# Ratios against the peers, against a plain copy of memory, and against length; QUICK=1: two minutes.
bench: install-dev
	$(PY) -m benchmarks.run $(if $(QUICK),--extent quick)

# What one move of one control costs the server, screen by screen; QUICK=1: about a minute.
moves: install-dev
	$(PY) -m benchmarks.moves $(if $(QUICK),--quick)

# How long fifty readers at once wait for a move; MINUTES=30: whether the server's memory stays flat.
readers: install-dev
	$(PY) -m benchmarks.readers $(if $(MINUTES),--minutes $(MINUTES))

# Key press to last chart painted, and address to first picture, in a real browser.
painted: install-dev
	CHROMIUM="$$($(PY) -m scripts.browser)" && export CHROMIUM && $(PY) -m benchmarks.painted

# What a stranger tries, thousands of times, against the real server, which has 4 GB and reaches
# nobody where this machine allows that; some minutes. Then what some networks take from others,
# through nginx: eleven minutes.
hostile: install-dev
	sh benchmarks/hostile/alone.sh $(PY) -m benchmarks.hostile.run
	$(PY) -m benchmarks.hostile.networks

# A lecture of 500, most of them in the course, before two replicas behind nginx; MINUTES=10, and at
# most three more.
lecture: install-dev
	$(PY) -m benchmarks.lecture $(if $(MINUTES),--minutes $(MINUTES))

# The course as plain files in build/static, for any web server; OUT=FOLDER names another place.
static: install-dev
	$(PY) -m scripts.static_site $(OUT) $(if $(ADDRESS),--address $(ADDRESS))

# What deploy/ says, on this machine: parts are killed and replicas exchanged under readers and
# jobs. READERS=100 and JOBS=5 say how many; nginx and PostgreSQL are used where they are installed.
READERS ?= 30
JOBS ?= 5
scale: install-dev
	CHROMIUM="$$($(PY) -m scripts.browser)" && export CHROMIUM && \
		$(PY) -m benchmarks.scale.run --readers $(READERS) --jobs $(JOBS)

# What is written for engines, in the engines' own classes; ENGINE=vllm runs one. Each gets an
# environment in build/engines, some gigabytes, and takes about ten minutes.
engines: install-dev
	$(PY) -m reference.engines.run $(ENGINE)

# Frames a second of the pictures that move while they are dragged, and CPU time for each frame.
frames: install-dev
	CHROMIUM="$$($(PY) -m scripts.browser)" && export CHROMIUM && $(PY) -m benchmarks.frames
