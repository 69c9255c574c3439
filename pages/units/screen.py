"""Units: one setting for a longer context, in the words of every engine."""

from dataclasses import dataclass

from posenc.units.convert import convert_units
from ui import screen

LLAMA_2 = {"head_dim": 128, "trained_base": 10000.0, "trained_length": 4096, "target": 8192}
ONE = {"second": "nothing", "second_value": 2.0, **LLAMA_2}
PRESETS = {
    "α 2.5 on Llama 2": {"unit": "alpha", "value": 2.5, **ONE},
    "compress_pos_emb 4": {"unit": "compress", "value": 4.0, **ONE, "target": 16384},
    "freq-scale 8.0": {"unit": "freq_scale", "value": 8.0, **ONE, "target": 32768},
    "Both at once": {"unit": "alpha", "value": 2.0, **ONE, "second": "compress"},
    "Code Llama's base": {"unit": "base", "value": 1e6, **ONE, "target": 16384},
}
NAMES = {
    "alpha": "α (alpha_value)",
    "base": "base (rope_theta)",
    "factor": "factor (rope-scale)",
    "freq_scale": "freq-scale",
    "compress": "compress_pos_emb",
}
NOTHING = "nothing"
JSON = "transformers"
OWN, LINEAR, NEEDED = "this setting", "linear with the same slowest pair", "needed for the target"
MEANT = "probably meant"
LOOKS = {OWN: "NTK-aware", LINEAR: "linear", MEANT: "YaRN"}


@dataclass(frozen=True)
class Settings:
    """What the controls say."""

    asked = [(unit, value)] + ([(second, second_value)] if second != NOTHING else [])
    typed = cast("tuple[tuple[Unit, float], ...]", tuple(asked))
    setting = convert_units(
        *typed[0],
        head_dim=head_dim,
        trained_base=trained_base,
        trained_length=trained_length,
        also=typed[1] if len(typed) > 1 else None,
    )
    shown = show(Settings(typed, setting, target))


screen.notice(lesson)
screen.tabs(lesson, shown)
