"""Two positions against each other: rows, digits, waves, and the score of two words with them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from pages.absolute import settings
from plots.figure import Figure
from plots.lines import Series, lines
from posenc.random_model import RandomProjections
from posenc.sinusoidal.formula import (
    sinusoidal_at,
    sinusoidal_inv_freq,
    sinusoidal_table,
    wave_columns,
)
from posenc.sinusoidal.picture import SinusoidalTable
from posenc.words import say
from ui import controls, screen
from ui.charts.moving import reported
from ui.charts.points import Coordinate, PointField
from ui.text.tokens import word_tokens
from ui.words import _, number, translate

KEY = "odometer"
COLUMN = "odometer_column"
PLACES = ("a", "b")
MOST_PLACE = 100_000_000
MOST_WIDTH = 512
MOST_NUMBERS = 1 << 19
HEIGHT = 520
CONTENTS = {"same": say("the same word"), "two": say("two words")}
TEXTS = {"same": ("dog", "dog"), "two": ("dog", "cat")}
SEED = 0
WORDS = {
    "bothOn": say("Both +1"),
    "bothBack": say("Both −1"),
    "play": say("Play"),
    "pause": say("Pause"),
    "words": say("Words"),
    "firstHandle": say("First position"),
    "secondHandle": say("Second position"),
    "at": say("position {place}"),
    "one": say("one number, p / L"),
    "odometer": say("Binary digits, and the waves below"),
    "repeats": say("repeats after"),
    "curve": say("Score against the second position"),
    "sum": say("a word, and what the model reads: the word with its row added"),
    "oneNumber": say("one number: {one} apart"),
    "manyNumber": say("{width} numbers: up to {largest} apart"),
    "scoreNumber": say("score {score}"),
    "stand": say(
        "As one number, positions {a} and {b} of {length} are {one} apart. As rows of {width} "
        "numbers they are up to {largest} apart."
    ),
    "same": say("Both stand at position {a}: their rows are the same in every number."),
    "digits": say("Binary digits that differ: {count} of {bits}."),
    "score": say(
        "The score of the two sums is {score}: {word} from the words alone, {place} from the two "
        "rows alone, the rest from each word with the other's row."
    ),
    "followed": say(
        "Column {column}: {first} at {a}, {second} at {b}; from the first to the second it changes "
        "by {difference}."
    ),
}
"""Interface words of the browser side, by its names for them."""
MANY = {
    "interleaved": say("the row of the table, from fast waves to slow ones"),
    "concatenated": say("the row of the table: sines, fast to slow, then cosines"),
    "tensor2tensor": say("the row of the table: sines, fast to slow, then cosines"),
}


def place(label: str, default: int) -> Any:
    help = say("Also dragged on the ruler of the picture.")
    return controls.entry(controls.number, label, default, 0, MOST_PLACE - 1, help=help)


@dataclass(frozen=True, kw_only=True)
class Settings(settings.Settings):
    """Settings of the picture, without the choices that are made on it."""

    a: int = place(say("First position"), 7)
    b: int = place(say("Second position"), 8)
    words: str = controls.entry(controls.held, say("Words"), CONTENTS)

    @property
    def places(self) -> tuple[int, int]:
        """Both positions, within the text."""
        return min(self.a, self.length - 1), min(self.b, self.length - 1)


def hear() -> None:
    """Copy what the picture has reported into the controls, before they are drawn."""
    report = reported(KEY)
    for key in PLACES:
        if isinstance(place := report.get(key), int) and 0 <= place < MOST_PLACE:
            controls.put(key, place)
    if report.get("words") in tuple(CONTENTS):
        controls.put("words", report["words"])
    if isinstance(column := report.get("column"), int):
        controls.put(COLUMN, str(column))


def picture(s: Settings) -> screen.Picture:
    """Two rows against each other, one column of them followed.

    Raises:
        ValueError: If the table has more numbers than are drawn while something is dragged.
    """
    check_size(s.length, s.d_model)
    a, b = s.places
    contents = {
        name: {
            "label": translate(label),
            "texts": TEXTS[name],
            "vectors": vectors(name, s.d_model).tolist(),
        }
        for name, label in CONTENTS.items()
    }
    data = {"length": s.length, "contents": contents, **columns_of(s)}
    at = {"a": a, "b": b, "words": s.words}
    columns = Coordinate(_("column"), range(s.d_model))
    table = SinusoidalTable(s.length, *s.sinusoid)
    reach = max(abs(value) for one in contents.values() for row in one["vectors"] for value in row)
    figure = screen.MovingFigure(
        key=KEY,
        alt=_(
            "Positions {a:,} and {b:,} as rows of {width:,} numbers, as digits and on dials, and "
            "the score of two words with them",
            a=a,
            b=b,
            width=s.d_model,
        ),
        words=WORDS | {"many": MANY[s.layout]},
        data=lambda column: data | {"at": at | {"column": column[0]}},
        still=lambda _column: rows(s),
        settings=lambda _column: {**s.program, "a": a, "b": b},
        height=HEIGHT,
        field=PointField(COLUMN, say("column"), (columns,), (0,), {}, width=160),
        steps=lambda column: table.steps(b, column[0]),
        captions=captions(s, reach),
        tables=lambda: tables(s, s.words),
    )
    return screen.Picture(figures=[figure])


def captions(s: Settings, reach: float) -> list[str]:
    """Captions: the colours, and a note where other positions are shown than asked for."""
    a, b = s.places
    words = [
        _(
            "Blue is negative, red positive: p / L and the rows from −1 to 1, differences from −2 "
            "to 2, words and sums from −{reach} to {reach}. Digits begin with the lowest; those "
            "that differ are framed. Below a digit is the wave that comes nearest to it in length, "
            "as a dial with a hand for each position. The embeddings of the words are random "
            "numbers, not trained; the score is the dot product of the two sums. Dashed is the "
            "score without the two mixed parts.",
            reach=number(reach + 1, ".1f"),
        )
    ]
    if (a, b) != (s.a, s.b):
        words.append(
            _(
                "The text has positions up to {last:,}: {a:,} and {b:,} are shown.",
                last=s.length - 1,
                a=a,
                b=b,
            )
        )
    return words


def check_size(length: int, width: int) -> None:
    """Refuse a table that a browser does not compute while something is dragged."""
    if width > MOST_WIDTH or length * width > MOST_NUMBERS:
        raise ValueError(
            say(
                "This picture has room for rows of at most {width:,} numbers, and for {numbers:,} "
                "numbers in all; {length:,} positions of {own:,} are more. Take a shorter length "
                "or a smaller width.",
                width=MOST_WIDTH,
                numbers=MOST_NUMBERS,
                length=length,
                own=width,
            )
        )


def vectors(words: str, width: int) -> Tensor:
    """The embeddings of two words, float64 (2, width): standard normal, not trained."""
    ids = word_tokens(" ".join(TEXTS[words])).ids
    return RandomProjections(SEED, width, 1, 1).embed(ids)[0].double()


def columns_of(s: Settings) -> dict[str, Any]:
    """Radians per position of every column, and whether it is a sine, a cosine or zero."""
    width, _base, layout = s.sinusoid
    inv_freq = sinusoidal_inv_freq(*s.sinusoid)
    theta = torch.zeros(width, dtype=torch.float64)
    wave = ["0"] * width
    for letter, its in zip("sc", wave_columns(torch.arange(width), layout), strict=True):
        theta[its] = inv_freq[: len(its)]
        for column in its.tolist():
            wave[column] = letter
    return {"theta": theta.tolist(), "wave": "".join(wave), "waves": inv_freq.tolist()}


def rows(s: Settings) -> Figure:
    """Both rows and their difference as a figure that stands still: for the file of pictures."""
    a, b = s.places
    table = sinusoidal_at(torch.tensor([a, b]), *s.sinusoid)
    named = {f"PE({a})": table[0], f"PE({b})": table[1], f"PE({b}) − PE({a})": table[1] - table[0]}
    return lines(
        range(s.d_model),
        [Series(name, row.numpy(), marker="") for name, row in named.items()],
        title=_("Positions {a:,} and {b:,}, number by number", a=a, b=b),
        x_title=_("dimension"),
        y_title="PE",
    )


def tables(s: Settings, words: str) -> screen.Frames:
    """Number by number what the strips show, and the score at every place of the second word."""
    a, b = s.places
    table = sinusoidal_table(s.length, *s.sinusoid)
    first, second = vectors(words, s.d_model)
    one, other = TEXTS[words]
    strips: dict[str, np.ndarray] = {
        f"PE({a})": table[a].numpy(),
        f"PE({b}) ": table[b].numpy(),
        f"PE({b}) − PE({a})": (table[b] - table[a]).numpy(),
        _("{word}, the first", word=one): first.numpy(),
        _("{word}, the second", word=other): second.numpy(),
    }
    score = (first + table[a]) @ (second + table).T
    return {
        _("rows"): screen.curve_frame(_("dimension"), range(s.d_model), strips),
        _("score"): screen.curve_frame(
            _("second position"), range(s.length), {_("score"): score.numpy()}
        ),
    }
