"""Why position: the words of a sentence shuffled, and what attention makes of it."""

from typing import Any

import streamlit as st

from pages.why_position import origin, slide, word_order
from posenc.words import say
from ui import controls, screen
from ui.controls import device
from ui.text import controls as live_controls
from ui.text import live
from ui.text.tokens import Tokens, word_tokens
from ui.words import _

START: dict[str, Any] = {
    "text": "the dog bites the man",
    "encoding": "nope",
    "causal": False,
    "head_dim": 4,
    "shuffle": 1,
}
PRESETS = {
    "none": START,
    "mask": START | {"causal": True},
    "rope": START | {"encoding": "rope"},
    "sentence": START | {"text": "only she said that he had come"},
}
PRESET_LABELS = {
    "none": say("No positions"),
    "mask": say("A mask alone"),
    "rope": "RoPE",
    "sentence": say("Another sentence"),
}
MAX_CHARS, MAX_WORDS, MAX_SHUFFLE = 600, 24, 9999

CODE = """\
ids = {ids}
order = {order}  # the shuffled sentence: which word stands where
place = dict(device="{device}", dtype={dtype})
model = RandomProjections({seed}, d_model={head_dim}, num_heads=1, head_dim={head_dim})
shape = ModelShape(model.d_model, model.num_heads, model.head_dim, length=len(ids))
encoding = randomise(CATALOGUE["{encoding}"].build(shape), seed={seed}).to(**place)
positions = torch.arange(len(ids), device="{device}")


@torch.no_grad()
def output(ids):
    q, k, v = model.project(encoding.embed(model.embed(ids).to(**place), positions))
    return attend(q, k, v, encoding, mask={mask}, trace=True).output[0, 0]


values = output(ids)
shuffled = torch.empty_like(values)
shuffled[order] = output([ids[word] for word in order])
print(values, "largest difference", (shuffled - values).abs().max().item())
"""


def draw(lesson: screen.Lesson) -> screen.ScreenView | None:
    """Read the controls, run the attention on both orders, place the pictures."""
    slide.hear()
    origin.hear()
    left, right = screen.columns(lesson)
    with left:
        controls.presets(PRESETS, PRESET_LABELS)
        settings, shuffle = read_controls()
    view = None
    order = word_order.shuffled_order(settings.length, shuffle)
    with right, screen.guard():
        check_words(settings.tokens)
        tables = word_order.show(settings, order)
        view = screen.ScreenView(
            lambda: {name: table() for name, table in tables.items()}, snippet(settings, order)
        )
    return view


def read_controls() -> tuple[live.AttentionSettings, int]:
    """Settings of the attention, and the seed of the shuffled order."""
    text = controls.text(
        "text",
        _("Sentence"),
        START["text"],
        max_chars=MAX_CHARS,
        help=_(
            "At most {most} words and marks. Equal words have equal embeddings.", most=MAX_WORDS
        ),
    )
    shuffle = controls.number(
        "shuffle",
        _("Shuffle"),
        1,
        0,
        MAX_SHUFFLE,
        help=_("Each number is another order of the words."),
    )
    st.button(_("Shuffle again"), on_click=shuffle_again, key="shuffle_again")
    encoding = controls.ask("encoding", live_controls.encoding(START["encoding"]))
    causal = controls.toggle(
        "causal",
        _("Causal mask"),
        help=_("A word sees only itself and the words before it."),
    )
    head_dim = controls.powers(
        "head_dim",
        _("Head width"),
        4,
        2,
        8,
        help=_("d_k in √d_k; 64 in GPT-2, 128 in Llama-2-7B."),
    )
    with st.expander(_("More")):
        seed = controls.ask("seed", live_controls.seed())
        chosen_device = controls.ask("device", device.device())
    tokens = word_tokens(text)
    return live.AttentionSettings(
        tokens, encoding, causal, 1, head_dim, seed, chosen_device
    ), shuffle


def shuffle_again() -> None:
    """Take the next order."""
    st.session_state["shuffle"] = (st.session_state["shuffle"] + 1) % (MAX_SHUFFLE + 1)


def check_words(tokens: Tokens) -> None:
    """Refuse a text whose matrices would not be read any more."""
    if len(tokens.ids) > MAX_WORDS:
        raise ValueError(
            say(
                "The sentence has {count} words and marks; this screen shows at most {most}. "
                "Leave some out.",
                count=len(tokens.ids),
                most=MAX_WORDS,
            )
        )


def snippet(settings: live.AttentionSettings, order: list[int]) -> str:
    """Both outputs by `posenc` alone."""
    return CODE.format(
        **live.code_fields(settings),
        order=order,
    )


screen.show("why_position", draw)
