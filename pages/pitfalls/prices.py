"""Price of a mistake in a real model: bits per token lost, measured."""

import pandas as pd
import streamlit as st

from exhibits.pitfalls.all import PITFALLS
from models.results.prices import Price, prices
from models.results.tables import load
from posenc.words import say
from ui import screen
from ui.words import _, number, plural, signed, translate

SAME = {"switch": "layout"}
"""Pitfalls that end in another one's mistake: a model of the half layout is read as interleaved."""
NOTES = {
    "power_first": say("The angles of all layers were computed this way."),
    "multiplied": say("The angles of all layers were computed this way."),
    "layout": say("Queries and keys of all layers were rotated in the interleaved layout."),
    "heads_as_positions": say("All layers were rotated so; three query heads share a key head."),
    "bfloat16": say("Beyond position 256 neighbouring tokens begin to share a position."),
    "trained_length": say(
        "YaRN with factor 4 was told 32,768 tokens in place of 8,192, and is compared with YaRN "
        "that was told right. A text this short hardly shows the mistake: at four times the "
        "trained length 4 of 32 pairs meet new angles."
    ),
    "cached_keys": say(
        "The keys of the first half of the text were rotated under the model's own base, all else "
        "under the base that dynamic NTK has at twice the trained length. Only tokens of the "
        "second half count."
    ),
    "scale": say("Scores of all layers were left as they are: √64 = 8 times as large."),
}
"""How each mistake was made in the model."""
MORE = {
    "query_ahead": say("Query one position ahead of its own key"),
    "scaled_twice": say("Linear scaling with factor 4 twice, by the config and by the engine"),
    "rounded_angles": say("Angles in bfloat16"),
    "rounded_cos_sin": say("Cosines and sines in bfloat16"),
    "shifted": say("100,000 added to every position: no mistake, only distances count"),
}
"""Mistakes and changes without a picture here."""
RELATED = {"bfloat16": ("rounded_angles", "rounded_cos_sin")}
"""Related prices that are shown beside one: other roundings, which hurt or do not."""


def show_price(pitfall: str) -> None:
    measured = load()
    price = prices(measured).get(SAME.get(pitfall, pitfall))
    if price is None:
        st.markdown(_("**Price on a real model.** None was measured for this mistake."))
        return
    st.markdown(
        _(
            "**Price on a real model: {price} bits per token.** {model} reads {texts} of "
            "{length:,} tokens ({tokens:,} counted) at {wrong:.2f} bits per token with this "
            "mistake and at {right:.2f} without. {note}",
            price=signed(price.difference.words),
            model=measured.about.title,
            texts=plural("{count} text", "{count} texts", len(price.texts)),
            length=price.length,
            tokens=price.tokens,
            wrong=float(price.wrong.mean()),
            right=float(price.right.mean()),
            note=NOTES[SAME.get(pitfall, pitfall)],
        )
    )
    for other in RELATED.get(pitfall, ()):
        st.markdown(
            _(
                "{change}: {price} bits per token.",
                change=translate(MORE[other]),
                price=signed(prices(measured)[other].difference.words),
            )
        )


def show_all() -> None:
    """Every price that was measured, the dearest first."""
    measured = load()
    found = prices(measured)
    if not found:
        return
    st.header(_("What mistakes cost a real model"), anchor=False)
    table = _frame(found)
    shown = {name: [number(value, ".2f") for value in table[name]] for name in table}
    shown[_("price")] = [signed(price.difference.words) for price in _dearest(found).values()]
    shown[_("texts")] = [number(len(price.texts)) for price in _dearest(found).values()]
    st.table(pd.DataFrame(shown, index=table.index))
    names = max((price.texts for price in found.values()), key=len)
    st.caption(
        _(
            "Bits per token lost by {model}, a mean over the same tokens of each text (of "
            "`{names}`); in brackets from the text with the smallest price to the one with the "
            "largest. Its weights are those of a file of 4 bits (Q4_1; embeddings of 8), read in "
            "float32. Guessing evenly among its tokens would cost 15.6 bits. Measured with "
            "`{versions}`, by `python -m models pitfalls --length {length} --texts {texts}`.",
            model=measured.about.title,
            names=", ".join(names),
            versions="; ".join(dict.fromkeys(str(row["versions"]) for row in measured.prices)),
            length=next(iter(found.values())).length,
            texts=",".join(names),
        )
    )


def numbers() -> screen.Frames:
    found = prices(load())
    if not found:
        return {}
    frame = _frame(found)
    rows = [price.difference for price in _dearest(found).values()]
    ends = {
        _("smallest price"): [float(row.low) for row in rows],
        _("largest price"): [float(row.high) for row in rows],
    }
    return {_("prices on a real model"): frame.assign(**ends)}


def _dearest(found: dict[str, Price]) -> dict[str, Price]:
    order = sorted(found, key=lambda name: -float(found[name].difference.mean))
    return {name: found[name] for name in order}


def _frame(found: dict[str, Price]) -> pd.DataFrame:
    rows = _dearest(found)
    names = [translate(MORE[m] if m in MORE else PITFALLS[m].title) for m in rows]
    return pd.DataFrame(
        {
            _("with it"): [float(price.wrong.mean()) for price in rows.values()],
            _("without"): [float(price.right.mean()) for price in rows.values()],
            _("price"): [float(price.difference.mean) for price in rows.values()],
        },
        index=pd.Index(names, name=_("mistake")),
    )
