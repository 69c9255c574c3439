# docker build -t positional-encodings .
# docker run --rm --init -p 8501:8501 --read-only --tmpfs /tmp positional-encodings
#
# TORCH_INDEX chooses the build of torch, CPU or a CUDA version: the address that the installation
# page of pytorch.org shows for it. Without one, the build that the package registry offers for
# the platform is installed. Every build computes on the CPU unless the container is given a GPU.
# POSENC_NO_MODEL=1 leaves out the language model, a download of 93 MB.
# PYTHON_DIGEST=@sha256:… builds on exactly that base image, whatever its tag means later.

ARG PYTHON_VERSION=3.11
ARG PYTHON_DIGEST=""

FROM python:${PYTHON_VERSION}-slim${PYTHON_DIGEST} AS build
ARG TORCH_INDEX=""
ARG POSENC_NO_MODEL=""
ENV PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /app
COPY requirements.txt requirements-model.txt requirements-server.txt constraints.txt ./
COPY scripts/install.py scripts/
# Enough of the library to link it: changing its code does not install torch again.
COPY encodings/pyproject.toml encodings/
COPY encodings/posenc/__init__.py encodings/posenc/
COPY advisor/pyproject.toml advisor/
COPY advisor/advisor/__init__.py advisor/advisor/
RUN TORCH_INDEX="$TORCH_INDEX" POSENC_NO_MODEL="$POSENC_NO_MODEL" python scripts/install.py --server

FROM python:${PYTHON_VERSION}-slim${PYTHON_DIGEST}
# Nothing is written at run time outside /tmp, so the root file system can be read-only.
ENV HOME=/tmp PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /tmp --shell /usr/sbin/nologin app
# Where a volume with the lab may be put: a new one belongs to whom this folder belongs.
RUN install --directory --owner=10001 --group=10001 /lab
WORKDIR /app
COPY --from=build /app/.venv .venv
COPY LICENSE README.md Makefile app.py navigation.py requirements.txt requirements-alone.txt requirements-dev.txt requirements-model.txt requirements-server.txt constraints.txt ./
COPY scripts/install.py scripts/
COPY .streamlit .streamlit
COPY static static
COPY advisor advisor
COPY data data
COPY encodings encodings
COPY course course
COPY exhibits exhibits
COPY lab lab
COPY models models
COPY notebooks notebooks
COPY plots plots
COPY serving serving
COPY ui ui
COPY pages pages
# Its pages are made once; a replica that makes them takes seconds more to start.
RUN [".venv/bin/python", "-m", "course.build"]
USER 10001:10001
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["/app/.venv/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["/app/.venv/bin/python", "-m", "serving", "--host=0.0.0.0"]
