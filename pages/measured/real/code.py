"""The snippets of the real model's pictures: pandas on the shipped files."""

from collections.abc import Iterable, Sequence

from models.results.tables import Way

START = """\
import pandas as pd

# In the project's folder: one line for each text, method and block of 1,024 positions.
table = pd.read_csv("data/models/losses.csv")
table = table[(table.length >= {length}) & (table["first"] < {length})]
table = table[table.text.isin({texts})].sort_values("length")
table["way"] = table.method + " " + table.factor.map("{{:g}}".format)
# A text that was read further is cut: its first tokens cost the same.
table = table.drop_duplicates(["text", "way", "first"])


def bits(way):
    \"\"\"Of each text and block.\"\"\"
    rows = table[table.way == way]
    return rows.pivot(index="text", columns="first", values="bits").loc[{texts}]


"""
LOSS = """\
curves = {{way: bits(way){minus} for way in {ways}}}
frame = pd.DataFrame({{way: curve.mean() for way, curve in curves.items()}})
print(frame.round(3))
values = frame.T.to_numpy(copy=True)
"""
SHORT = """\
tokens = table.groupby("first").tokens.first()
plain = bits("none 1") @ tokens / tokens.sum()
frame = pd.DataFrame(
    {{
        method: {{f: (bits(f"{{method}} {{f:g}}") @ tokens / tokens.sum() - plain).mean()
                 for f in {factors}}}
        for method in {methods}
    }}
)
print(frame.round(3))
values = frame.T.to_numpy(copy=True)
"""
KEYS = """\
import pandas as pd

# In the project's folder: one line for each key that was asked for.
table = pd.read_csv("data/models/passkeys.csv")
table["way"] = table.method + " " + table.factor.map("{{:g}}".format)
ways = {ways}
table = table[table.way.isin(ways)]
# At each length, the texts that every way with this length was asked.
for length, rows in table.groupby("length"):
    texts = set.intersection(*(set(one.text) for _, one in rows.groupby("way")))
    table = table[(table.length != length) | table.text.isin(texts)]
counts = table.groupby(["way", "length"]).right.agg(["sum", "count"])
frame = (100 * counts["sum"] / counts["count"]).unstack("length").loc[ways]
print(frame.T.round(1))
values = frame.to_numpy(copy=True)
"""


def loss(length: int, texts: Sequence[str], drawn: Sequence[Way], less: Way | None) -> str:
    """Bits per token by position."""
    return _start(length, texts) + LOSS.format(
        ways=_list(map(way_word, drawn)),
        minus="" if less is None else f' - bits("{way_word(less)}")',
    )


def short(
    length: int, texts: Sequence[str], methods: Sequence[str], factors: Sequence[float]
) -> str:
    """Snippet for the cost in short texts."""
    return _start(length, texts) + SHORT.format(methods=_list(methods), factors=list(factors))


def keys(drawn: Sequence[Way]) -> str:
    return KEYS.format(ways=_list(map(way_word, drawn)))


def way_word(way: Way) -> str:
    """A way as the snippets name it."""
    return f"{way.method} {way.factor:g}"


def _start(length: int, texts: Sequence[str]) -> str:
    return START.format(length=length, texts=_list(texts))


def _list(names: Iterable[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
