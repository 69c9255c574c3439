"""The library as a wheel, installed alone into a clean environment, and tried there."""

import json
import re
import subprocess
import sys
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from flit_core import buildapi

from tests.conftest import ROOT

LIBRARY = ROOT / "encodings"
NOT_SHIPPED = {"__pycache__"}

TRIAL = """\
import json, sys
import posenc, torch
from posenc import *
from posenc.scaling import YaRN
from posenc import alibi_slopes, rope_inv_freq, sinusoidal_table, t5_bucket

yarn = YaRN(4.0, 4096)
print(json.dumps({
    "file": posenc.__file__,
    "loaded": sorted({name.partition(".")[0] for name in sys.modules}),
    "table": sinusoidal_table(2, 4)[1].tolist(),
    "slopes": alibi_slopes(8).tolist(),
    "buckets": t5_bucket(-torch.tensor([0, 15, 16, 127, 5000]), True).tolist(),
    "frequencies": rope_inv_freq(128, 500000.0)[0][[0, 1, 63]].tolist(),
    "yarn": rope_inv_freq(128, 10000.0, yarn)[1],
}))
"""
# sin 1, cos 1, sin 0.01, cos 0.01; 2^-1 … 2^-8; the buckets that transformers gives;
# 500000^(-2i/128); 0.1 ln 4 + 1.
GOLDEN = {
    "table": [0.8414709848078965, 0.5403023058681398, 0.009999833334166664, 0.9999500004166653],
    "slopes": [0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625],
    "buckets": [0, 9, 10, 15, 15],
    "frequencies": [1.0, 0.8146172338565447, 2.455140791131609e-06],
    "yarn": 1.1386294361119891,
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(LIBRARY)
        return folder / buildapi.build_wheel(str(folder))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a new environment that holds the wheel, torch and numpy."""
    home = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    made = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", made, "--disable-pip-version-check", "install"]
    subprocess.run([*pip, "--no-deps", "--no-index", "--quiet", wheel], check=True)
    lend(home, "torch", "numpy")
    return made


def lend(home: Path, *names: str) -> None:
    """Link packages of this environment, and what they need, into another one."""
    (site,) = (home / "lib").glob("python*/site-packages")
    waiting, known = list(names), set()
    while waiting:
        name = waiting.pop()
        known.add(name)
        one = distribution(name)
        for top in {file.parts[0] for file in one.files or () if file.parts[0] != ".."}:
            link = site / top
            if top not in NOT_SHIPPED and not link.exists():
                link.symlink_to(Path(str(one.locate_file(top))))
        needed = [line for line in one.requires or () if "extra ==" not in line]
        needed = [re.match(r"[\w.-]+", line)[0] for line in needed]  # type: ignore[index]
        waiting += [need for need in needed if need not in known and is_here(need)]


def is_here(name: str) -> bool:
    """Whether a package is installed: what a marker leaves out is not."""
    try:
        return distribution(name) is not None
    except PackageNotFoundError:
        return False


def run(python: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the interpreter in an empty folder, without the paths of this one."""
    command = [str(python), "-I", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_the_wheel_holds_every_file_of_the_library(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("posenc/")}
        (about,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
        metadata = archive.read(about).decode()
    ours = {
        path.relative_to(LIBRARY).as_posix()
        for path in (LIBRARY / "posenc").rglob("*")
        if path.is_file() and not NOT_SHIPPED & set(path.parts)
    }
    assert packed == ours
    assert "posenc/py.typed" in packed
    assert "\nAuthor: the project's authors\n" in metadata
    assert (LIBRARY / "README.md").read_text("utf-8").strip() in metadata
    assert (LIBRARY / "LICENSE").read_text("utf-8") == (ROOT / "LICENSE").read_text("utf-8")
    asked = [line for line in metadata.splitlines() if line.startswith("Requires-Dist")]
    assert asked == ["Requires-Dist: torch>=2.9.1", "Requires-Dist: numpy>=2.3"]


@pytest.mark.slow
def test_alone_with_torch_and_numpy_it_gives_the_known_numbers(
    python: Path, tmp_path: Path
) -> None:
    done = run(python, tmp_path, "-c", TRIAL)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert Path(found["file"]).is_relative_to(python.parent.parent)
    assert not {"streamlit", "plotly", "pandas", "transformers", "typer"} & set(found["loaded"])
    for name, numbers in GOLDEN.items():
        assert found[name] == pytest.approx(numbers, rel=1e-9), name
