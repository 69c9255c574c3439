"""Every pitfall by id, in the order of the screen."""

from exhibits.pitfalls import (
    angles,
    attention,
    batches,
    biases,
    decoding,
    modules,
    rotations,
    tables,
)
from exhibits.pitfalls.case import Pitfall

PITFALLS: dict[str, Pitfall] = {
    "slopes_from_1": biases.SLOPES,
    "power_first": angles.POWER,
    "multiplied": angles.TIMES,
    "cosine_exponents": tables.EXPONENTS,
    "one_row": tables.ROW,
    "gram_of_columns": tables.GRAM,
    "left_padding": batches.LEFT_PADDING,
    "distance_sign": biases.SIGN,
    "layout": rotations.LAYOUT,
    "switch": rotations.SWITCH,
    "heads_as_positions": rotations.AXIS,
    "bfloat16": angles.PRECISION,
    "autocast": modules.AUTOCAST,
    "meta": modules.META,
    "trained_length": angles.LENGTH,
    "one_length": batches.ONE_LENGTH,
    "cached_keys": attention.CACHE,
    "new_token": decoding.NEW_TOKEN,
    "is_causal": decoding.IS_CAUSAL,
    "packed": batches.PACKED,
    "mask_after_gates": biases.GATES,
    "scale": attention.SCALE,
}
"""Id to mistake."""
