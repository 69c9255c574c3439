"""Families that rotate a part of each head's channels and are like Llama otherwise."""

from posenc.config.families.family import Family, shape

FAMILIES = {
    "phi": Family(defaults=shape(2048, 32, 24, 2048, partial_rotary_factor=0.5)),
    "phi3": Family(defaults=shape(3072, 32, 32, 4096, partial_rotary_factor=1.0)),
    "stablelm": Family(defaults=shape(2560, 32, 32, 4096, partial_rotary_factor=0.25)),
    "nemotron": Family(defaults=shape(6144, 48, 32, 4096, partial_rotary_factor=0.5)),
    "persimmon": Family(defaults=shape(4096, 64, 36, 16384, partial_rotary_factor=0.5)),
}
