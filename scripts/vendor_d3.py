"""Bundle the parts of d3 that `course/` uses, and refuse anything but the known bytes.

    python -m scripts.vendor_d3           fetch, bundle, check and put in place; needs npm
    python -m scripts.vendor_d3 --check   check what is in place

`course/page/d3/d3.js` is one ES module with the names in EXPORTS, made by esbuild from the npm
packages in PACKAGES (ISC and BSD licences); `d3.d.ts` names the packages of their types. A new
name or version needs new lines in SHA256SUMS, and the new version of its types in package.json.
"""

import json
import subprocess
import tempfile
from pathlib import Path

from scripts.vendored import check_or_fetch

FOLDER = Path(__file__).resolve().parent.parent / "course" / "page" / "d3"
FILES = ("d3.js", "d3.d.ts", "d3-LICENSE.txt")

EXPORTS = {
    "d3-drag": "drag",
    "d3-ease": "easeCubicInOut",
    "d3-selection": "select",
}
# With what they need in turn, so that every byte is pinned. These releases ship a file for each
# function, and esbuild leaves out the unused ones; the patches after them ship one file each.
PACKAGES = {
    "d3-dispatch": "3.0.1",
    "d3-drag": "3.0.0",
    "d3-ease": "3.0.1",
    "d3-selection": "3.0.0",
}
ESBUILD = "0.28.2"


def licences(modules: Path) -> str:
    """The text of each licence once, below the packages that it is the licence of."""
    packages: dict[str, list[str]] = {}
    for name, version in PACKAGES.items():
        text = (modules / name / "LICENSE").read_text("utf-8").strip()
        packages.setdefault(text, []).append(f"{name} {version}")
    return "\n\n".join(f"{', '.join(names)}\n\n{text}\n" for text, names in packages.items())


def fetch() -> dict[str, bytes]:
    """The bundle and its licences, by their names here."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        needs = {"private": True, "dependencies": {**PACKAGES, "esbuild": ESBUILD}}
        (folder / "package.json").write_text(json.dumps(needs))
        exports = "".join(
            f'export {{ {", ".join(names.split())} }} from "{package}";\n'
            for package, names in EXPORTS.items()
        )
        types = "".join(f'export type * from "{package}";\n' for package in EXPORTS)
        (folder / "all.js").write_text(exports)
        versions = ", ".join(f"{package} {PACKAGES[package]}" for package in EXPORTS)
        install = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"]
        bundle = ["node_modules/.bin/esbuild", "all.js", "--bundle", "--minify", "--format=esm"]
        bundle += [
            "--target=es2020",
            "--legal-comments=none",
            "--log-level=error",
            "--outfile=d3.js",
        ]
        bundle += [f"--banner:js=// {versions}; licences in d3-LICENSE.txt"]
        for command in (install, bundle):
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return {
            "d3.js": (folder / "d3.js").read_bytes(),
            "d3.d.ts": (exports + types).encode(),
            "d3-LICENSE.txt": licences(folder / "node_modules").encode(),
        }


if __name__ == "__main__":
    check_or_fetch(__doc__.splitlines()[0], FOLDER, FILES, fetch)
