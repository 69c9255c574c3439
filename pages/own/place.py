"""Where models are put, and the project's own one, put there by a button."""

import shutil

import streamlit as st

from lab.queue.jobs import Lab
from lab.queue.settings import CHECKPOINTS
from lab.training.export_hf import export
from models.home import Home
from ui import screen
from ui.words import _

EXAMPLE = "shipped-rope"


def show_place(lab: Lab) -> None:
    """Tell those who may add models where to put them."""
    if not lab.who.trusted:
        st.info(
            _(
                "Only the operator of this server can put models here. On a machine of your own "
                "you can: see the project's docs/lab.md."
            )
        )
        return
    st.markdown(
        _(
            "Put a transformers directory (`config.json`, `*.safetensors`, `tokenizer.json`) or a "
            "GGUF file into the folder `{folder}` on the server, or let `python -m models get "
            "OWNER/NAME` fetch one. Weights are read from safetensors and GGUF alone, and no "
            "code of the directory is run.",
            folder=Home.from_environment().folder,
        )
    )
    st.button(
        _("Take the project's model"),
        on_click=_example,
        args=(lab,),
        help=_("The lab's RoPE model of text, with half a million parameters: done in seconds."),
    )


def _example(lab: Lab) -> None:
    with screen.guard():
        if not lab.who.trusted:
            raise ValueError(lab.who.refusal)
        folder = lab.settings.home / CHECKPOINTS / EXAMPLE
        shutil.rmtree(folder, ignore_errors=True)
        export("rope", folder)
