"""The snippet of the real model: the same stage of the same text, from a few lines of code."""

from dataclasses import fields

from models.change import Change
from models.opened import Model
from models.tokens import Tokens
from ui.charts.matrix import CELLS, Shown
from ui.text import live
from ui.text.tokens import Tokens as Labelled

START = """\
from models.change import Change  # from the project's folder
from models.files.find import found
from models.forward import forward
from models.opened import open_model

ids = {ids}
model = open_model(found()["{model}"])
"""
CODE = (
    START
    + """

def stage(change):
    attention = forward(model, ids, change).attention({layer})
    return AttentionStage(attention, "{stage}", head={head}, name="{name}")


values = view({quantity}, {rows}, {cols}, {cells}).values
"""
)
BOTH = START + "attention = forward(model, ids, {change}).attention({layer})\n"


def snippet(
    model: Model,
    tokens: Tokens,
    change: Change,
    drawn: str,
    which: tuple[str, int, int],
    shown: Shown,
) -> str:
    """Snippet that draws the picture by `models` and `posenc`."""
    stage, layer, head = which
    changed = f"stage({written(change)})"
    quantities = {
        "own": "stage(Change())",
        "changed": changed,
        "difference": f"StageDifference({changed}, stage(Change()))",
    }
    return CODE.format(
        ids=live.ids_as_code(Labelled(tokens.texts, tokens.ids)),
        model=model.id,
        quantity=quantities[drawn],
        layer=layer,
        stage=stage,
        head=head,
        name=live.STAGES[stage],
        rows=shown.rows,
        cols=shown.cols,
        cells=CELLS,
    )


def snippet_of_both(model: Model, tokens: Tokens, change: Change, layer: int, stages: str) -> str:
    """Snippet that draws the scores before and after position."""
    ids = live.ids_as_code(Labelled(tokens.texts, tokens.ids))
    start = BOTH.format(ids=ids, model=model.id, change=written(change), layer=layer)
    return start + stages


def written(change: Change) -> str:
    """A change as code, without what is as usual."""
    usual = Change()
    pairs = [(f.name, getattr(change, f.name)) for f in fields(change)]
    given = [f"{name}={value!r}" for name, value in pairs if value != getattr(usual, name)]
    return f"Change({', '.join(given)})"
