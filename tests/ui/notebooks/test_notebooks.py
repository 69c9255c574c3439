"""Every notebook is run by Jupyter, in one kernel, and computes the numbers that the app draws."""

import ast
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import nbformat
import numpy as np
import pytest
from ipykernel.kernelspec import KERNEL_NAME
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient
from streamlit.testing.v1 import AppTest

from plots.lines import bars
from plots.looks import look
from tests.conftest import PATIENCE
from tests.pages.drive import WITHOUT_NOTEBOOK, assert_same, figures, open_screen, shown
from ui import notebooks
from ui.memory import memory
from ui.notebooks.offer import PROGRAMS, fill

Run = Callable[[str], list[np.ndarray]]
ALLOWED = {"base64", "numpy", "torch", "matplotlib", "matplotlib.pyplot"}
MOST_LINES = 48
FOLDERS_OF_PARTS = {"cells", "methods", "portraits", "shared"}

# Put behind the cells of a notebook: what they have computed goes into a file, and is forgotten.
COLLECT = """\
import sys
import numpy

names = {{"posenc", "advisor", "exhibits", "lab", "models", "plots", "ui", "pages"}}
ours = names & set(sys.modules)
assert not ours, ours
if "curves" in globals():
    kept = [part for curve in curves for part in curve]
elif "tips" in globals():
    kept = [tips]
else:
    kept = values if isinstance(values, list) else [values, row_edges, column_edges]
numpy.savez({file!r}, *kept)
%reset -f
"""

# One or more settings of each screen, none of them that which stands in the programs.
ALL_METHODS = [path.stem for path in sorted((PROGRAMS / "methods").glob("*.py"))]
SCREENS: dict[str, list[dict[str, Any]]] = {
    "absolute": [
        {"d_model": "31", "length": "50", "layout": "tensor2tensor", "base": "500"},
        {"d_model": "400", "length": "700"},
        {"view": "odometer", "d_model": "9", "layout": "tensor2tensor"},
        {"view": "similarity", "d_model": "12", "length": "300", "layout": "concatenated"},
        {"view": "shift", "d_model": "12", "offset": "-5", "layout": "concatenated"},
        {"view": "learned", "source": "trained", "new_length": "200"},
        {
            "view": "learned",
            "source": "random",
            "length": "20",
            "d_model": "13",
            "seed": "4",
            "new_length": "33",
        },
    ],
    "alibi": [
        {"num_heads": "12", "head": "10", "length": "2048"},
        {"mode": "asymmetric", "future": "0.5", "view": "heads", "num_heads": "5"},
        {"view": "slopes", "num_heads": "20"},
        {"view": "window", "num_heads": "6", "length": "512"},
        {"view": "family", "num_heads": "12", "head": "11", "length": "2048"},
    ],
    "forget_gates": [
        {"view": "bias", "gates": "separators"},
        {"gates": "random", "seed": "3"},
        {"view": "stick", "shares": "random", "head_dim": "24"},
        {"view": "stick", "share": "0.4"},
        {"view": "memory", "beta": "0.7", "shut": "0.05"},
    ],
    "home": [{"encoding": "rope"}],
    "live_attention": [
        {"model": "trained", "encoding": "learned", "stage": "masked"},
        {"stage": "weights"},
        {},
    ],
    "cope": [{"gates": "random", "max_positions": "5", "head_dim": "24", "seed": "3"}],
    "kv_cache": [
        {"decoding_step": "5", "rotate_on_write": "true", "num_heads": "3", "head": "2"},
        {"view": "growing_base", "prompt": "5000", "alpha": "3"},
        {"view": "longrope"},
    ],
    "mrope": [
        {"before": "2", "rows": "3", "columns": "5", "frames": "4", "family": "qwen2"},
        {"frames": "3", "family": "qwen2_5", "seconds": "0.7", "after": "0"},
        {"before": "0", "rows": "70", "columns": "30", "frames": "5", "family": "qwen3"},
        {
            "view": "grid",
            "frames": "3",
            "frame": "2",
            "family": "qwen2_5",
            "seconds": "1.25",
            "axis": "time",
        },
        {"view": "grid", "frames": "3", "frame": "1", "family": "qwen3", "stamp": "7"},
        {
            "view": "sections",
            "rotary_dim": "64",
            "base": "10000000",
            "sections": "11, 11, 10",
            "order": "interleaved",
            "time_apart": "-3",
        },
        {"view": "sections", "sections": "20, 0, 44"},
        {"view": "score", "rows": "5", "columns": "7", "up": "-1", "left": "2", "used": "20"},
    ],
    "relative": [
        {"cached": "3", "max_distance": "3", "convention": "query_minus_key"},
        {"view": "shaw", "length": "10", "head_dim": "8", "max_distance": "4", "seed": "2"},
        {"view": "sinusoidal", "length": "500", "head": "1", "d_model": "16", "seed": "5"},
        {"view": "t5", "t5_length": "300", "bidirectional": "false", "without_min": "true"},
        {"view": "memory", "num_heads": "3"},
    ],
    "rope": [
        {"method": "yarn", "content": "own", "length": "64", "vectors": "random", "seed": "3"},
        {"view": "clocks", "head_dim": "20", "base": "500"},
        {"view": "angles", "value": "sin", "length": "512", "head_dim": "64"},
        {"view": "matrix", "head_dim": "8", "layout": "half", "m": "7"},
        {"view": "layouts", "vectors": "random", "typed_angles": "true", "head_dim": "4"},
        {
            "view": "score",
            "vectors": "random",
            "length": "512",
            "head_dim": "32",
            "rotary_dim": "20",
            "layout": "half",
        },
        {"view": "precision", "dtype": "float16", "length": "262144"},
        {"view": "values", "head_dim": "48", "rotary_dim": "20", "length": "512", "seed": "3"},
    ],
    "scaling": [
        {"methods": ALL_METHODS, "factor": "3", "head_dim": "64"},
        {"view": "angles", "methods": ["yarn", "proportional"], "rotary_dim": "24"},
        {"view": "score", "methods": ["none", "ntk"], "vectors": "random", "factor": "6.5"},
    ],
    "units": [{"head_dim": "96", "trained_length": "2048"}],
    "verified": [{"view": "tables", "head_dim": "36", "base": "500000", "length": "4096"}],
    "why_position": [{"shuffle": "3", "causal": "true", "encoding": "nope"}],
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Runs notebooks in one kernel and gives the arrays that they leave."""
    file = tmp_path_factory.mktemp("notebooks") / "kept.npz"
    manager = KernelManager(kernel_name=KERNEL_NAME)
    client = NotebookClient(nbformat.v4.new_notebook(), timeout=PATIENCE, km=manager)

    def run_one(text: str) -> list[np.ndarray]:
        notebook = nbformat.reads(text, as_version=4)
        nbformat.validate(notebook)
        drawn = notebook.cells[-1]
        notebook.cells.append(nbformat.v4.new_code_cell(COLLECT.format(file=str(file))))
        client.nb = notebook
        client.execute()
        assert any("image/png" in output.get("data", {}) for output in drawn.outputs)
        with np.load(file) as kept:
            return [kept[name] for name in kept.files]

    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MPLBACKEND", raising=False)  # Streamlit's; a kernel draws into the notebook
        yield run_one
    if manager.has_kernel:
        client.kc.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()


def code_of(text: str) -> str:
    cells = nbformat.reads(text, as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "code")


def imported(code: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(str(node.module))
    return found


def asked_for(app: AppTest, key: str) -> str:
    """The notebook of a picture, which is made when somebody asks for it."""
    memory().update(app.session_state["_app"])
    kept = memory()["__charts_kept"][key]
    return str(notebooks.notebook(key, kept.figure, kept.alt))


def still_pictures(app: AppTest) -> list[tuple[dict[str, Any], list[np.ndarray]]]:
    """Data that the browser is sent for every chart, and the arrays that it draws."""
    return [(one, shown(one["data"])) for one, _ in figures(app) if "module" not in one]


def moving_pictures(app: AppTest) -> list[tuple[dict[str, Any], list[np.ndarray]]]:
    """The same of every picture that moves and has a figure that stands still."""
    protos = [element.proto for element in app.get("bidi_component")]
    sent = [json.loads(one.json) for one in protos if one.component_name == "posenc_moving"]
    kept = app.session_state["_app"]["__charts_kept"]
    return [(one, shown(kept[one["key"]].figure.data, one["key"] == "clocks")) for one in sent]


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
def test_a_notebook_computes_the_numbers_of_its_picture(screen: str, run: Run) -> None:
    computed = set()
    for settings in SCREENS[screen]:
        app = open_screen(screen, **settings)
        assert not app.exception
        assert not app.error
        assert not app.warning
        for figure, drawn in (*moving_pictures(app), *still_pictures(app)):
            if "notebook" not in figure["take"]["offers"]:
                assert figure["key"] in WITHOUT_NOTEBOOK
                continue
            text = asked_for(app, figure["key"])
            code = code_of(text)
            assert imported(code) <= ALLOWED
            lines = len([line for line in code.splitlines() if line])
            assert lines <= MOST_LINES or settings.get("methods") == ALL_METHODS, figure["key"]
            if program := nbformat.reads(text, as_version=4).metadata.program:
                computed.add(program)
            assert_same(run(text), drawn, figure["key"])
    assert computed == {f"{screen}/{path.name}" for path in (PROGRAMS / screen).glob("*.py")}


def test_every_program_belongs_to_a_screen() -> None:
    folders = {path.name for path in PROGRAMS.iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders == SCREENS.keys() | FOLDERS_OF_PARTS


def test_settings_are_all_filled_in() -> None:
    cell = 'import numpy as np\n\nlength = 32  # tokens\nlayout = "half"\n'
    assert fill("any", cell, {"length": 5, "layout": "x # y"}) == (
        "import numpy as np\n\nlength = 5  # tokens\nlayout = 'x # y'\n"
    )
    with pytest.raises(ValueError, match=r"any has the settings .*length"):
        fill("any", cell, {"length": 5})


def test_a_pictures_stand_in_does_not_get_its_program() -> None:
    notebooks.begin("alibi")
    figure = bars([0.5, 0.25], title="", x_title="head", y_title="slope")
    notebooks.computed("slopes", num_heads=2)
    made = json.loads(notebooks.notebook("slopes", figure, "Bars") or "")
    assert made["metadata"]["program"] == "alibi/slopes.py"
    notebooks.forget()
    notebooks.computed("other", ("methods/no_such_method",), "slopes", num_heads=2)
    for key in ("slopes", "other"):
        brought = json.loads(notebooks.notebook(key, figure, "Bars") or "")
        assert brought["metadata"]["program"] == ""
        assert "[0.5, 0.25]" in brought["cells"][1]["source"]


def made(screen: str, key: str, **query: str) -> dict[str, Any]:
    """The notebook of a picture, moving ones too, as its screen offers it."""
    app = open_screen(screen, **query)
    return json.loads(asked_for(app, key))


def test_a_notebook_has_what_it_uses_and_the_way_back() -> None:
    notebook = made("rope", "hands")
    words = "".join(c["source"] for c in notebook["cells"] if c["cell_type"] == "markdown")
    code = "\n".join(c["source"] for c in notebook["cells"] if c["cell_type"] == "code")
    assert r"\theta_i = b^{-2i/d}" in words
    assert "2104.09864" in words
    assert "[Open in the app](posenc:address)" in words
    assert "MIT" in words
    assert "torch" not in code
    assert "globals()" not in code
    assert 'functions = {"none": none}' in code
    compared = made("scaling", "score", view="score")
    code = "\n".join(c["source"] for c in compared["cells"] if c["cell_type"] == "code")
    assert "globals()" not in code
    colors = ast.literal_eval(re.search(r"^colors = (.*)$", code, re.MULTILINE)[1])
    assert {*colors} <= {look(name).color for name in ALL_METHODS}
