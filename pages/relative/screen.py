"""Relative, Shaw, T5: ids, Shaw's embeddings, sinusoids, T5's buckets, memory, position ids."""

from pages.relative import biases, id_matrix, memory, position_ids, shaw_terms, t5_buckets
from pages.relative.settings import PRESETS
from posenc.words import say
from ui import screen
from ui.controls import address

PICTURES: screen.Pictures = {
    "ids": (say("Ids"), id_matrix.Settings, id_matrix.picture),
    "shaw": ("Shaw", shaw_terms.Settings, shaw_terms.picture),
    "sinusoidal": (say("Sinusoidal"), biases.Settings, biases.picture),
    "t5": ("T5", t5_buckets.Settings, t5_buckets.picture),
    "memory": (say("Memory"), memory.Settings, memory.picture),
    "padding": (say("Padding"), position_ids.Settings, position_ids.picture),
}

if address.asked_for("view") == "t5":
    address.renamed("length", "t5_length", lambda _typed: True)
screen.show("relative", screen.screen_of(PICTURES, PRESETS))
