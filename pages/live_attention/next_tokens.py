"""One query's attention over the text itself, and the tokens that the model expects next."""

import re
from html import escape

import pandas as pd
import streamlit as st
from torch import Tensor

from models.forward import Seen
from models.opened import Model
from models.tokens import Tokens
from ui.words import _, number

MOST = 5
PART = re.compile(r"(.+) (\d+/\d+)", re.DOTALL)
LONGEST_TEXT = 1500
"""Tokens of the text that are shaded, around the query."""


def show_text(tokens: Tokens, attention: Tensor, query: int) -> None:
    """The text, each token shaded by the attention that the query pays to it."""
    token = code(tokens.texts[query])
    st.markdown(_("**What query {query}, {token}, attends to**", query=query, token=token))
    first = max(0, min(query - LONGEST_TEXT // 2, len(tokens.ids) - LONGEST_TEXT))
    parts = []
    for index in range(first, min(first + LONGEST_TEXT, len(tokens.ids))):
        share = attention[index].item()
        shade = 0.85 * share**0.5
        style = f"background: rgba(0, 114, 178, {shade:.3f}); border-radius: 3px;"
        if index == query:
            style += " outline: 2px solid #D55E00;"
        hint = escape(f"{index}: {number(share, '.1%')}", quote=True)
        parts.append(f'<span style="{style}" title="{hint}">{in_text(tokens.texts[index])}</span>')
    st.html(f'<div dir="auto" style="line-height: 1.8;">{"".join(parts)}</div>')
    largest = int(attention.argmax())
    st.caption(
        _(
            "The shade grows with the square root of the attention, so that small shares can be "
            "seen. The largest share, {share:.1%}, is that of token {index}.",
            index=largest,
            share=attention[largest].item(),
        )
    )


def show_next(model: Model, now: Seen, own: Seen | None, query: int) -> None:
    """The most likely tokens after the query; beside them their shares as trained."""
    if model.family.masked:
        st.markdown(_("**What the model reads at {query}**", query=query))
    else:
        st.markdown(_("**Most likely after token {query}**", query=query))
    found = now.next_tokens(MOST, query)
    columns = {_("probability"): [number(share, ".1%") for _token, share in found]}
    if own is not None:
        trained = own.probabilities(query)
        columns[_("as trained")] = [number(trained[token].item(), ".1%") for token, _share in found]
    names = [code(model.vocabulary.piece(token)) for token, _share in found]
    st.table(pd.DataFrame(columns, index=pd.Index(names, name=_("token"))))
    if own is not None:
        token, share = own.next_tokens(1, query)[0]
        st.caption(
            _(
                "As trained, {token} is the most likely, with {share:.1%}.",
                token=code(model.vocabulary.piece(token)),
                share=share,
            )
        )


def in_text(shown: str) -> str:
    """A token within the running text: spaces are spaces again, a line break breaks the line."""
    text = shown.replace("·", " ", 1) if shown.startswith("·") else shown
    part = PART.fullmatch(text)
    if part:  # of a character that takes several tokens
        return f"{escape(part[1])}<sub>{part[2]}</sub>"
    return escape(text).replace("↵", "↵<br>")


def code(shown: str) -> str:
    """A token as code in Markdown, whatever signs it holds."""
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    gap = " " if shown[:1] in ("`", " ") or shown[-1:] in ("`", " ") else ""
    return f"{fence}{gap}{shown}{gap}{fence}"
