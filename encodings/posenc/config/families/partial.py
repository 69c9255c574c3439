"""Families that rotate a part of each head's channels and are like Llama otherwise."""

from posenc.config.families.classes import known

_SAME = ("phi", "phi3", "phi4_multimodal", "stablelm", "nemotron", "persimmon")

FAMILIES = {name: known(name) for name in _SAME}
