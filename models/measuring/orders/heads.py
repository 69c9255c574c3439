"""Queries and keys of a model, taken before the rotation and put to other places of a text."""

import time
from collections.abc import Mapping

import torch
from torch import Tensor

from models.forward import forward
from models.measuring.orders.rates import LENGTHS, Rates, rates
from models.measuring.table import MEASURED, OF_TEXT, Row, measured, tables
from models.measuring.texts import Text
from models.opened import Model
from posenc import PositionalEncoding
from posenc.attention.rows import AttentionRows

TOKENS = 1024
"""Tokens of a text that are read; queries are those of the last three quarters."""
DRAWS = 1000
"""Queries of each head; of what is before each, one key or two."""
KEYS = ("any", "most")
"""Which key is moved: one drawn from all before the query, or the one that scored most there. The
first token of the text is left out, on which many heads rest. The other key is any; in one draw
of some hundreds it is the same."""
ENDS = (0.05, 0.95)
"""Quantiles over the heads that are written down besides the median."""
COLUMNS = (
    OF_TEXT
    | {
        "keys": str,
        "length": int,
        "heads": int,
        "nearer": float,
        "nearer_low": float,
        "nearer_high": float,
        "flipped": float,
        "flipped_low": float,
        "flipped_high": float,
    }
    | MEASURED
)
"""A row: the median of the heads, see `rates`, and the two `ENDS`."""
KEY = ("model", "sha256")
FILE = "orders.csv"
table = tables(FILE, COLUMNS, KEY)
"""Rates of a model's heads, in a folder."""


def head_rates(rows: AttentionRows, seed: int) -> Mapping[tuple[str, int], Rates]:
    """Rates of each head of a layer, (heads,), by `KEYS` and by `LENGTHS`.

    Args:
        rows: The attention of the layer.
        seed: Of what is drawn.
    """
    draw = torch.Generator().manual_seed(seed)
    at = torch.randint(rows.length // 4, rows.length, (DRAWS,), generator=draw)
    any_key, other = (_before(at, draw) for _ in range(2))
    q, k = rows.q[0].cpu(), rows.k[0].cpu()
    most = _most(rows.encoding, q, k, at)[..., None]
    q = q[:, at]
    moved = {"any": k[:, any_key], "most": k.gather(1, most.expand_as(q))}
    return {
        (name, tokens): rates(rows.encoding, q, key, k[:, other], tokens, draw)
        for name, key in moved.items()
        for tokens in LENGTHS
    }


def _before(at: Tensor, draw: torch.Generator) -> Tensor:
    """A token before each, but not the first one of the text."""
    return 1 + (torch.rand(len(at), generator=draw, dtype=torch.float64) * (at - 1)).long()


def _most(encoding: PositionalEncoding, q: Tensor, k: Tensor, at: Tensor) -> Tensor:
    """The token before each that scores most where it stands, but not the first, (heads, draws)."""
    places = torch.arange(q.shape[1])
    q, k = encoding.rotate(q, k, places, places)
    scores = q[:, at] @ k.mT
    return scores.masked_fill((places >= at[:, None]) | (places == 0), -torch.inf).argmax(-1)


def orders_rows(model: Model, text: Text) -> list[Row]:
    """Read a text, and put what its heads compared to other places: a row for each way and length.

    Raises:
        ValueError: If the model cannot be read so.
    """
    begin = time.perf_counter()
    layers: list[Mapping[tuple[str, int], Rates]] = []

    def watch(layer: int, rows: AttentionRows) -> None:
        layers.append(head_rates(rows, layer))

    forward(model, text.ids, watch=watch, kept_bytes=0)
    same = measured(model, begin, **text.columns)
    found: list[Row] = []
    for keys, length in layers[0]:
        rates_of = [layer[keys, length] for layer in layers]
        row = same | {
            "keys": keys,
            "length": length,
            "heads": sum(len(one.nearer) for one in rates_of),
        }
        for name in Rates._fields:
            heads = torch.cat([getattr(one, name) for one in rates_of])
            ends = heads.quantile(torch.tensor((0.5, *ENDS), dtype=heads.dtype)).tolist()
            for column, value in zip((name, f"{name}_low", f"{name}_high"), ends, strict=True):
                row[column] = round(value, 4)
        found.append(row)
    return found


def summary(rows: list[Row]) -> str:
    """A pass in a few words."""
    last = rows[-1]
    return f"nearer {last['nearer']:.3f}, flipped {last['flipped']:.3f} at {last['length']:,}"
