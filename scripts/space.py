"""The project as a folder that a hosting service for Docker images takes, as a Hugging Face Space.

`python -m scripts.space FOLDER` writes what git keeps, with the front matter that the service reads
at the head of README.md.
"""

import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FRONT = """\
---
title: Positional encodings
sdk: docker
app_port: 8501
license: mit
short_description: How a transformer knows where its tokens are
---
"""


def main(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        raise SystemExit(f"{folder} is not empty.")
    packed = subprocess.run(
        ["git", "archive", "--format=tar", "HEAD"], cwd=ROOT, capture_output=True, check=True
    )
    with tarfile.open(fileobj=BytesIO(packed.stdout)) as files:
        files.extractall(folder, filter="data")
    readme = folder / "README.md"
    readme.write_text(FRONT + readme.read_text("utf-8"), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
