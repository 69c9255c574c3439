"""Fetch the plotly.js bundle in `static/chart/`, and refuse anything but the bytes that are known.

    python -m scripts.vendor_plotly           fetch, check and put in place; needs npm
    python -m scripts.vendor_plotly --check   check what is in place

The bundle is the file `plotly-cartesian.min.js` of the npm package plotly.js-cartesian-dist-min:
plotly.js with the two-dimensional traces only, MIT licence. Another version needs another
VERSION, another line in SHA256SUMS, and the new name in ui/charts/component.py and
static/chart/chart.js.
"""

import subprocess
import tarfile
import tempfile
from pathlib import Path

from scripts.vendored import check_or_fetch

PACKAGE = "plotly.js-cartesian-dist-min"
VERSION = "4.1.1"
FOLDER = Path(__file__).resolve().parent.parent / "static" / "chart"
FILES = {  # name in the package: name here
    "plotly-cartesian.min.js": f"plotly-cartesian-{VERSION}.min.js",
    "LICENSE": "plotly-LICENSE.txt",
}


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


if __name__ == "__main__":
    check_or_fetch(__doc__.splitlines()[0], FOLDER, FILES.values(), fetch)
