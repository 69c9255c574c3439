"""The rules of the house that no tool checks: where the library lives and what may name what."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit import config

from scripts import vendor_lit, vendor_plotly
from scripts.vendored import verify

ROOT = Path(__file__).resolve().parent.parent
VENDORED = {*vendor_plotly.FILES.values(), *vendor_lit.FILES}
NOT_OURS = {".git", ".venv", "node_modules", "__pycache__", "build", "artefacts"}
OUR_PACKAGES = {
    "posenc",
    "advisor",
    "reference",
    "serving",
    "course",
    "exhibits",
    "lab",
    "models",
    "plots",
    "ui",
    "pages",
    "scripts",
    "tests",
    "benchmarks",
}
OUR_PACKAGES |= {"app", "navigation"}

# What the app is made of, besides its two entries.
CHECKOUT = (
    *(
        "pages",
        "plots",
        "ui",
        "course",
        "exhibits",
        "lab",
        "models",
        "serving",
        "encodings",
        "advisor",
    ),
    *("data", "static", "notebooks", ".streamlit"),
)

# Distributions whose import has another name.
IMPORT_NAMES = {
    "python-frontmatter": "frontmatter",
    "markdown-it-py": "markdown_it",
    "ipython": "IPython",
    "PyYAML": "yaml",
    "protobuf": "google",
    "pillow": "PIL",
}
# What the app's code imports where it is installed, and says in a sentence where it is not.
OPTIONAL = {"distributed", "psycopg"}
# Development requirements that are not imported, and how the Makefile or tests/conftest call them.
TOOLS = {
    "ruff": "-m ruff",
    "mypy": "-m mypy",
    "pytest-xdist": "-n ",
    "pytest-rerunfailures": "mark.flaky",
    "import-linter": "importlinter",
}

PLANNERS = {"vllm", "sglang", "mlx", "mlx_lm", "exllamav3", "llama_cpp", "conversion"}
"""Engines that advisor/reference/ asks by hand, each in an environment of its own."""


def house_files(*suffixes: str) -> list[Path]:
    """The project's own text files, without hidden caches, environments and vendored bundles."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [f for f in folders if f not in NOT_OURS and not f.endswith("_cache")]
        found += [Path(folder, name) for name in names]
    return [p for p in found if p.name.endswith(suffixes) and p.name not in VENDORED]


def python_files(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def run_python(code: str, cwd: Path, *python_path: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter with these folders on PYTHONPATH."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, python_path))}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, env=environment, capture_output=True, text=True
    )


# Where the library lives


def test_encodings_is_a_folder_and_not_a_package() -> None:
    assert (ROOT / "encodings" / "posenc" / "__init__.py").is_file()
    assert not (ROOT / "encodings" / "__init__.py").exists()


def test_root_on_python_path_starts_and_imports_posenc(tmp_path: Path) -> None:
    result = run_python("import posenc; print(posenc.__file__)", tmp_path, ROOT)
    assert result.returncode == 0, result.stdout + result.stderr
    assert Path(result.stdout.strip()) == ROOT / "encodings" / "posenc" / "__init__.py"


@pytest.mark.slow
def test_the_app_runs_from_a_path_with_a_space(tmp_path: Path) -> None:
    checkout = tmp_path / "my checkout"
    for name in CHECKOUT:
        shutil.copytree(ROOT / name, checkout / name)
    shutil.copy(ROOT / "navigation.py", checkout)
    code = (
        "from streamlit.testing.v1 import AppTest\n"
        "run = AppTest.from_file('navigation.py', default_timeout=300).run()\n"
        "assert not run.exception, run.exception\n"
        "assert run.main.children, 'an empty page'"
    )
    result = run_python(code, checkout, checkout, checkout / "encodings", checkout / "advisor")
    assert result.returncode == 0, result.stdout + result.stderr


# Code that reads aloud


def test_a_docstring_names_what_is_returned() -> None:
    files = python_files(
        "encodings/posenc",
        "advisor/advisor",
        "course",
        "exhibits",
        "lab",
        "models",
        "pages",
        "plots",
        "ui",
    )
    begun = [f"{path}: {line}" for path in files for line in path.read_text("utf-8").splitlines()]
    assert [one for one in begun if re.search(r': *"""(What|Of) ', one)] == []


def test_a_name_has_at_most_sixty_letters() -> None:
    for path in python_files(*OUR_PACKAGES):
        long = re.findall(r"(?:def|class) (\w{61,})", path.read_text("utf-8"))
        assert long == [], path


# No encoding is computed outside the library

COMPUTING = {"sin", "cos", "tan", "exp", "exp2", "softmax", "log_softmax", "sigmoid", "polar"}


def computing_names(source: str) -> set[str]:
    """Names of the functions above that the code (not its strings) reaches for."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names}
    return found & COMPUTING


def test_screens_and_plots_compute_no_encoding() -> None:
    files = python_files("pages", "plots", "ui")
    found = {p.name: names for p in files if (names := computing_names(p.read_text("utf-8")))}
    assert not found


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("from math import sin as s", {"sin"}),
        ("weights = scores.softmax(-1)", {"softmax"}),
        ("f = 'torch.sin(x)'  # cos", set()),
    ],
)
def test_the_search_for_computing_can_fail(source: str, names: set[str]) -> None:
    assert computing_names(source) == names


# The project stands alone

# Put together from parts, so that this file does not name what it looks for.
HOSTS = [
    ".".join(parts)
    for parts in [
        ("pypi", "org"),
        ("files", "pythonhosted", "org"),
        ("download", "pytorch", "org"),
        ("registry", "npmjs", "org"),
        ("deb", "debian", "org"),
        ("cdn", "plot", "ly"),
    ]
]
MACHINE_FOLDERS = ["/" + name + "/" for name in ("work", "root", "home", "tmp/team", "opt")]


def outside_names(path: Path, text: str) -> set[str]:
    """Folders outside the checkout and registry hosts that a file's text names."""
    found = {host for host in HOSTS if host in text}
    found |= {folder for folder in MACHINE_FOLDERS if re.search(rf"(?<![\w.]){folder}", text)}
    for climb in re.findall(r"(?:\.\./)+", text):
        target = path.parent.joinpath(climb).resolve()
        if not target.is_relative_to(ROOT):
            found.add(climb)
    return found


def test_links_know_whether_they_stand_on_their_screen() -> None:
    files = [path for name in ("pages", "ui") for path in (ROOT / name).rglob("*.py")]
    asking = [
        path.relative_to(ROOT).as_posix()
        for path in files
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("page_link")
        if any(keyword.arg == "query_params" for keyword in node.keywords)
    ]
    assert asking == ["ui/screen/course.py"], "`course.page_link` is the way"


def test_no_file_names_a_folder_outside_or_a_registry() -> None:
    kinds = (".py", ".md", ".toml", ".txt", ".js", ".ts", ".json", ".sh", ".npmrc")
    kinds += ("Makefile", "Dockerfile", "run")
    found = {}
    for path in house_files(*kinds):
        if names := outside_names(path, path.read_text("utf-8")):
            found[str(path.relative_to(ROOT))] = names
    assert not found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("open('" + "../" * 2 + "shared/golden.json')", 1),
        ("pip install --index-url https://" + HOSTS[0] + "/simple", 1),
        ("cd " + MACHINE_FOLDERS[0] + "main", 1),
        ("see ../encodings/pyproject.toml", 0),
        ("a homework/answer", 0),
    ],
)
def test_the_search_for_outside_names_can_fail(text: str, count: int) -> None:
    assert len(outside_names(ROOT / "tests" / "any.py", text)) == count


# Requirements and imports agree


def pinned(*files: str) -> set[str]:
    """Distributions pinned exactly in requirement files."""
    text = "\n".join((ROOT / name).read_text("utf-8") for name in files)
    return set(re.findall(r"^([\w.-]+)(?:\[\w+\])?==[\w.]+$", text, re.MULTILINE))


def import_name(distribution: str) -> str:
    return IMPORT_NAMES.get(distribution, distribution.replace("-", "_"))


def imported(paths: list[Path]) -> Iterator[str]:
    """Top-level names of everything that these files import, ours and Python's left out."""
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                names = [node.module]
            for name in names:
                top = name.split(".")[0]
                if top not in sys.stdlib_module_names | OUR_PACKAGES:
                    yield top


def app_imports() -> set[str]:
    entries = [ROOT / "app.py", ROOT / "navigation.py"]
    return set(
        imported(
            [
                *entries,
                *python_files(
                    "pages", "plots", "ui", "course", "exhibits", "lab", "models", "serving"
                ),
                *python_files("encodings", "advisor/advisor"),
            ]
        )
    )


def test_what_the_app_imports_is_required_and_the_reverse() -> None:
    required = {import_name(d) for d in pinned("requirements.txt")}
    assert app_imports() - required == OPTIONAL
    assert required <= app_imports()
    assert pinned("requirements-server.txt") >= OPTIONAL | {"Authlib", "uvloop"}


def test_what_the_library_imports_is_what_it_declares() -> None:
    assert declared("encodings") == ["torch", "numpy"]
    assert set(imported(python_files("encodings"))) <= {"torch", "numpy"}


def test_what_the_advisor_imports_is_what_it_declares() -> None:
    assert declared("advisor") == ["posenc", "torch", "transformers", "typer"]
    assert set(imported(python_files("advisor/advisor"))) <= {"torch", "transformers", "typer"}


def declared(folder: str) -> list[str]:
    """What a package of ours asks for."""
    project = tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]
    return [re.split(r"[^\w.-]", line)[0] for line in project["dependencies"]]


def test_what_the_tests_import_is_required_and_the_reverse() -> None:
    development = pinned("requirements-dev.txt")
    others = pinned("requirements.txt", "requirements-server.txt")
    everything = {import_name(d) for d in others | development}
    used = set(
        imported(python_files("tests", "scripts", "benchmarks", "notebooks", "advisor/reference"))
    )
    assert used - everything == PLANNERS
    files = [ROOT / "Makefile", ROOT / "tests/conftest.py"]
    callers = "".join(file.read_text("utf-8") for file in files)
    unused = {d for d in development if import_name(d) not in used}
    assert unused == set(TOOLS)
    assert not {tool for tool, call in TOOLS.items() if call not in callers}


def test_pins_are_public_versions_and_in_one_place() -> None:
    direct = pinned("requirements.txt", "requirements-server.txt", "requirements-dev.txt")
    transitive = pinned("constraints.txt")
    assert "torch" in direct
    assert len(transitive) > 20
    assert not direct & transitive
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    assert len(transitive) == len([line for line in lines if not line.startswith("#")])


@pytest.mark.parametrize(
    ("folder", "names"),
    [
        (vendor_plotly.FOLDER, [*vendor_plotly.FILES.values()]),
        (vendor_lit.FOLDER, [*vendor_lit.FILES]),
    ],
    ids=["plotly", "lit"],
)
def test_vendored_files_are_the_known_ones(folder: Path, names: list[str]) -> None:
    for name in names:
        verify(folder, name, (folder / name).read_bytes())
        with pytest.raises(SystemExit, match="is not the one in SHA256SUMS"):
            verify(folder, name, b"other")


def test_lit_has_the_names_that_its_script_states() -> None:
    bundle = (vendor_lit.FOLDER / "lit.js").read_text("utf-8")
    (exported,) = re.findall(r"export\{(.*?)\}", bundle)
    names = [name.split(" as ")[-1] for name in exported.split(",")]
    assert sorted(names) == sorted(" ".join(vendor_lit.EXPORTS.values()).split())
    assert len(bundle) < 9_000


# Settings


def settings_of(table: dict, prefix: str = "") -> Iterator[str]:
    """Full names of the settings in a configuration file."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from settings_of(value, f"{prefix}{key}.")
        else:
            yield prefix + key


def test_streamlit_knows_every_setting_of_ours() -> None:
    file = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    names = list(settings_of(file))
    assert {"server.fileWatcherType", "runner.postScriptGC", "theme.dark.primaryColor"} <= {*names}
    for name in names:
        config.get_option(name)
    with pytest.raises(RuntimeError):
        config.get_option("server.noSuchSetting")


def test_what_documents_link_to_exists_and_the_readmes_run() -> None:
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
        text = path.read_text("utf-8")
        for target in re.findall(r"\]\((?!https?:|mark:|term:)([^)#]+)", text):
            assert (path.parent / target).exists(), f"{path.name} links to {target}"
    for path in (ROOT / "README.md", ROOT / "encodings" / "README.md"):
        program = re.search(r"```python\n(.*?)```", path.read_text("utf-8"), re.DOTALL)
        assert program
        exec(program[1], {})


def test_a_comment_of_the_library_names_files_that_are_there() -> None:
    files = list((ROOT / "encodings" / "posenc").rglob("*.py"))
    names = {path.name for path in files}
    for path in files:
        comments = " ".join(re.findall("#.*", path.read_text("utf-8")))
        assert set(re.findall(r"(?<![\w/])\w+\.py\b", comments)) <= names, path
