"""Write constraints.txt from a clean installation of the requirement files (`make lock`).

The file holds what the direct requirements need in turn. Left out: the direct ones (pinned in
their own files), posenc itself, and the GPU packages that only torch's CUDA build asks for, so
that the same file serves every machine.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILES = ("requirements.txt", "requirements-server.txt", "requirements-dev.txt")
HEADER = """\
# What the requirements need in turn, pinned. Written by `make lock`; do not edit by hand.
# No build suffix such as +cpu and no GPU packages: one file for CPU and CUDA machines.
"""
LEFT_OUT = re.compile(r"(nvidia-|cuda-|triton|torch$|posenc|pip$)")


def normal(name: str) -> str:
    """A distribution's name as the packaging rules compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def direct_names() -> set[str]:
    lines = "".join((ROOT / name).read_text() for name in FILES)
    return {normal(name) for name in re.findall(r"^([\w.-]+)(?:\[\w+\])?==", lines, re.MULTILINE)}


def main() -> None:
    """Install into a temporary environment and write down what came."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [f"{folder}/bin/python", "-m", "pip", "--disable-pip-version-check"]
        wanted = [word for name in FILES for word in ("-r", name)]
        subprocess.run([*pip, "install", *wanted], check=True, cwd=ROOT)
        frozen = subprocess.run(
            [*pip, "list", "--format=freeze"], check=True, capture_output=True, text=True
        ).stdout
    direct = direct_names()
    pins = [line for line in frozen.split() if normal(line.split("==")[0]) not in direct]
    pins = [line for line in pins if not LEFT_OUT.match(normal(line.split("==")[0]))]
    (ROOT / "constraints.txt").write_text(HEADER + "".join(f"{pin}\n" for pin in pins))


if __name__ == "__main__":
    main()
