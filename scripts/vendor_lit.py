"""Bundle the parts of lit-html that `course/` uses, and refuse anything but the known bytes.

    python -m scripts.vendor_lit           fetch, bundle, check and put in place; needs npm
    python -m scripts.vendor_lit --check   check what is in place

`course/page/lit/lit.js` is one ES module with the names in EXPORTS, made by esbuild from the npm
package (BSD licence); `lit.d.ts` names it for its types. A new name or version needs new lines in
SHA256SUMS, and the new version in package.json.
"""

import json
import subprocess
import tempfile
from pathlib import Path

from scripts.vendored import check_or_fetch

FOLDER = Path(__file__).resolve().parent.parent / "course" / "page" / "lit"
FILES = ("lit.js", "lit.d.ts", "lit-LICENSE.txt")

EXPORTS = {
    "lit-html": "noChange nothing render svg",
    "lit-html/directive.js": "Directive directive",
    "lit-html/directives/guard.js": "guard",
}
TYPES = {"lit-html": "TemplateResult", "lit-html/directive.js": "DirectiveResult"}
VERSION = "3.3.3"
ESBUILD = "0.28.2"


def fetch() -> dict[str, bytes]:
    """The bundle, its types and its licence, by their names here."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        needs = {"private": True, "dependencies": {"lit-html": VERSION, "esbuild": ESBUILD}}
        (folder / "package.json").write_text(json.dumps(needs))
        exports = "".join(
            f'export {{ {", ".join(names.split())} }} from "{module}";\n'
            for module, names in EXPORTS.items()
        )
        types = "".join(
            f'export type {{ {name} }} from "{module}";\n' for module, name in TYPES.items()
        )
        (folder / "all.js").write_text(exports)
        install = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"]
        bundle = ["node_modules/.bin/esbuild", "all.js", "--bundle", "--minify", "--format=esm"]
        bundle += [
            "--platform=neutral",
            "--target=es2020",
            "--legal-comments=none",
            "--log-level=error",
            "--conditions=node",  # which tests can import where there is no document
            "--outfile=lit.js",
        ]
        bundle += [f"--banner:js=// lit-html {VERSION}; licence in lit-LICENSE.txt"]
        for command in (install, bundle):
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return {
            "lit.js": (folder / "lit.js").read_bytes(),
            "lit.d.ts": (exports + types).encode(),
            "lit-LICENSE.txt": (folder / "node_modules/lit-html/LICENSE").read_bytes(),
        }


if __name__ == "__main__":
    check_or_fetch(__doc__.splitlines()[0], FOLDER, FILES, fetch)
