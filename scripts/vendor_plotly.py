"""Fetch the plotly.js bundle in `static/chart/`, and refuse anything but the bytes that are known.

    python scripts/vendor_plotly.py           fetch, check and put in place; needs npm
    python scripts/vendor_plotly.py --check   check what is in place

The bundle is the file `plotly-cartesian.min.js` of the npm package plotly.js-cartesian-dist-min:
plotly.js with the two-dimensional traces only, MIT licence. Another version needs another
VERSION, another line in SHA256SUMS, and the new name in ui/chart.py and static/chart/chart.js.
"""

import argparse
import hashlib
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PACKAGE, VERSION = "plotly.js-cartesian-dist-min", "4.1.1"
FOLDER = Path(__file__).resolve().parent.parent / "static" / "chart"
FILES = {  # name in the package: name here
    "plotly-cartesian.min.js": f"plotly-cartesian-{VERSION}.min.js",
    "LICENSE": "plotly-LICENSE.txt",
}


def known_sums() -> dict[str, str]:
    """SHA-256 of each vendored file, as SHA256SUMS states it."""
    lines = (FOLDER / "SHA256SUMS").read_text().splitlines()
    return {name: digest for digest, name in (line.split(maxsplit=1) for line in lines)}


def verify(name: str, content: bytes) -> None:
    """Leave with an error unless the content is the known one."""
    digest = hashlib.sha256(content).hexdigest()
    if digest != known_sums().get(name):
        sys.exit(f"{name}: SHA-256 {digest} is not the one in SHA256SUMS; nothing was changed")


def fetch() -> dict[str, bytes]:
    """The files of the package by their names here, from npm."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", f"{PACKAGE}@{VERSION}", "--pack-destination", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        (archive,) = Path(folder).glob("*.tgz")
        with tarfile.open(archive) as package:
            members = {
                here: package.extractfile(f"package/{there}") for there, here in FILES.items()
            }
            return {name: member.read() for name, member in members.items() if member}


def main() -> None:
    """Check or fetch, as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="check the files that are in place")
    if parser.parse_args().check:
        contents = {name: (FOLDER / name).read_bytes() for name in FILES.values()}
    else:
        contents = fetch()
    for name, content in contents.items():
        verify(name, content)
    for name, content in contents.items():
        if not (FOLDER / name).exists() or (FOLDER / name).read_bytes() != content:
            (FOLDER / name).write_bytes(content)
        print(f"{name}: as known ({len(content)} bytes)")


if __name__ == "__main__":
    main()
