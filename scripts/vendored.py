"""Files of others in `static/`: put in place only if their bytes are the known ones."""

import argparse
import hashlib
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path


def known_sums(folder: Path) -> dict[str, str]:
    """SHA-256 of each vendored file, as the folder's SHA256SUMS states it."""
    lines = (folder / "SHA256SUMS").read_text().splitlines()
    return {name: digest for digest, name in (line.split(maxsplit=1) for line in lines)}


def verify(folder: Path, name: str, content: bytes) -> None:
    """Leave with an error unless the content is the known one."""
    digest = hashlib.sha256(content).hexdigest()
    if digest != known_sums(folder).get(name):
        sys.exit(f"{name}: SHA-256 {digest} is not the one in SHA256SUMS; nothing was changed")


def check_or_fetch(
    about: str, folder: Path, names: Iterable[str], fetch: Callable[[], Mapping[str, bytes]]
) -> None:
    """Check the files or fetch them, as the command line says."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--check", action="store_true", help="check the files that are in place")
    if parser.parse_args().check:
        contents: Mapping[str, bytes] = {name: (folder / name).read_bytes() for name in names}
    else:
        contents = fetch()
    for name, content in contents.items():
        verify(folder, name, content)
    for name, content in contents.items():
        if not (folder / name).exists() or (folder / name).read_bytes() != content:
            (folder / name).write_bytes(content)
        print(f"{name}: as known ({len(content)} bytes)")
