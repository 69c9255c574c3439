"""The snippets of Measured curves: pandas on the shipped files, and the numbers drawn."""

from collections.abc import Sequence

from pages.measured.contenders import Contender

START = """\
import pandas as pd

# In the project's folder: one line for each {line}.
table = pd.read_csv("data/lab/{table}.csv")
table["model"] = table.run.str.replace(r"^[a-z]+-|-s[0-9]+$", "", regex=True)
"""
RECALL = """\


def curve(model, method, tuned):
    \"\"\"Per cent recalled: in each run first, then the mean over its seeds.\"\"\"
    rows = table[(table.model == model) & (table.tuned == tuned) & {rows}]
    counts = rows.groupby(["run", "{by}"])[["right", "asked"]].sum()
    return (100 * (counts.right / counts.asked)).groupby("{by}").mean()


"""
TEXT = """\
table = table[(table.measure == "{measure}") & (table.tuned == 0)]
window = table[table.method == "slide"][["run", "chunk", "bits"]]
table = table.merge(window, on=["run", "chunk"], suffixes=["", "_window"], how="left")


def curve(model, method):
    \"\"\"Bits per byte: mean over the chunks of each run, then over its seeds.\"\"\"
    rows = table[(table.model == model) & {rows}]
    bits = {bits}
    return bits.groupby([rows.run, rows.length]).mean().groupby("length").mean()


"""
POSITIONS = """\
table["position"] = (table.start + table.stop - 1) / 2


def curve(model, method):
    \"\"\"Bits per byte, mean over seeds.\"\"\"
    rows = table[(table.model == model) & (table.method == method)]
    return rows.groupby("position").bits.mean()


"""
COUNTING = """\
table = table[table.mix == "{mix}"]


def curve(model):
    \"\"\"Per cent wrong, mean over seeds.\"\"\"
    rows = table[table.model == model]
    return (100 * (rows.wrong / rows.asked)).groupby(rows.length).mean()


"""
WINDOW = """
rows = table[(table.model == "{model}") & (table.method == "slide")]
frame["window"] = rows.groupby("run").bits.mean().mean()"""
END = """\
curves = [
{curves}]
frame = pd.concat([curve(*one) for one in curves], axis=1){window}
print(frame.round(3))
values = frame.T.to_numpy(copy=True)
"""
CLAIMS = """\
from lab.results.literature import judgements, real_judgements
from lab.results.tables import load
from models.results.tables import load as load_real

found = real_judgements(load_real()) + judgements(load())
for one in found:
    print(f"{one.model}: {one.claim.says}: {one.words}")
    print("   ", one.claim.criterion, "; ".join(one.numbers))
values = [one.seeds for one in found]
"""
LINES = {
    "recall": "run, method, context length and distance",
    "text": "run, method, context length and chunk",
    "positions": "run, method and stretch of positions",
    "counting": "run, mix and length",
}


def recall_by_distance(chosen: Sequence[Contender], window: str, length: int, tuned: int) -> str:
    """Recall in contexts of one length."""
    curves = [(one.model, one.method, tuned) for one in chosen]
    rows = f"(table.method == method) & (table.length == {length})"
    return (
        _start("recall")
        + RECALL.format(rows=rows, by="distance")
        + _end([*curves, (window, "slide", 0)])
    )


def recall_by_length(chosen: Sequence[Contender], window: str, trained: int) -> str:
    """Recall of near keys against context length."""
    curves = [(one.model, one.method, 0) for one in chosen]
    # At the training length every method is the model as it is.
    rows = f"((table.method == method) | {_inside(trained)})"
    near = f"table = table[table.distance <= {trained}]\n"
    return (
        _start("recall")
        + near
        + RECALL.format(rows=rows, by="length")
        + _end([*curves, (window, "slide", 0)])
    )


def text_by_length(
    chosen: Sequence[Contender], window: str | None, trained: int, *, minus: bool, measure: str
) -> str:
    """Bits per byte against context length; the window, if drawn, is one number at all lengths."""
    inside = "" if measure == "mean" else f" | {_inside(trained)}"
    rows = f"((table.method == method){inside})"
    bits = "rows.bits - rows.bits_window" if minus else "rows.bits"
    line = WINDOW.format(model=window) if window else ""
    return (
        _start("text")
        + TEXT.format(measure=measure, rows=rows, bits=bits)
        + _end([(one.model, one.method) for one in chosen], line)
    )


def text_by_position(chosen: Sequence[Contender]) -> str:
    """Bits per byte against position."""
    return _start("positions") + POSITIONS + _end([(one.model, one.method) for one in chosen])


def counting(chosen: Sequence[Contender], mix: str) -> str:
    """Wrong answers against context length."""
    return _start("counting") + COUNTING.format(mix=mix) + _end([(one.model,) for one in chosen])


def _start(table: str) -> str:
    return START.format(table=table, line=LINES[table])


def _inside(trained: int) -> str:
    return f'(table.length == {trained}) & (table.method == "none")'


def _end(curves: Sequence[tuple[object, ...]], window: str = "") -> str:
    listed = "".join(f"    {one!r},\n" for one in curves).replace("'", '"')
    return END.format(curves=listed, window=window)
