"""The controls of the M-RoPE screen: a text with an image or a film in it, and the presets."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from torch import Tensor

from advisor.known_models import known_models
from plots.style import OKABE_ITO
from posenc import mrope_positions, split_video
from posenc.words import say
from ui import controls, screen
from ui.controls import choice, entry, number

MOST_TOKENS = 100_000
SIDE = 512
"""Rows and columns at most."""
WORDS = 10_000
"""Words before and after at most."""
FAMILIES = {
    "qwen2": say("Qwen2-VL: frames"),
    "qwen2_5": say("Qwen2.5-VL: seconds"),
    "qwen3": say("Qwen3-VL: time in words"),
}
AXES = {"time": say("time"), "row": say("row"), "column": say("column")}
"""The three positions of a token, in the order of `mrope_positions`."""
COLORS = (OKABE_ITO[0], OKABE_ITO[2], OKABE_ITO[3])
"""Theirs: rows are green and columns magenta in the course, too."""
PROGRAM = ("before", "rows", "columns", "frames", "family", "seconds", "stamp")
"""Settings of the film that its programs have."""
IMAGE: dict[str, Any] = {
    "view": "positions",
    "before": 3,
    "rows": 4,
    "columns": 6,
    "frames": 1,
    "family": "qwen2",
    "seconds": 1.0,
    "stamp": 2,
}
FILM = IMAGE | {"frames": 3}


def has_frames(before: Any) -> bool:
    return bool(before.frames > 1)


def sides(label: str, default: int) -> Any:
    """Rows or columns of the image."""
    help = say("Of the image, after patches are merged: 2 × 2 into one token in Qwen2-VL.")
    return entry(number, label, default, 1, SIDE, help=help)


@dataclass(frozen=True, kw_only=True)
class Film:
    """Words, and an image or a film behind them."""

    first: ClassVar = ("rows", "columns")

    before: int = entry(
        number, say("Words before"), 3, 0, WORDS, help=say("Tokens of text before the image.")
    )
    rows: int = sides(say("Rows"), 4)
    columns: int = sides(say("Columns"), 6)
    frames: int = entry(
        number,
        say("Frames"),
        1,
        1,
        1000,
        help=say("1 is an image. A frame of the grid is made of two frames of the film."),
    )
    family: str = entry(
        choice,
        say("How a film is counted"),
        FAMILIES,
        "qwen2",
        help=say(
            "Qwen2-VL counts frames. Qwen2.5-VL counts two positions a second. Qwen3-VL reads each "
            "frame as an image, behind its time in words."
        ),
        when=has_frames,
    )
    seconds: float = entry(
        number,
        say("Seconds per frame"),
        1.0,
        0.05,
        600.0,
        step=0.25,
        help=say("From one frame of the grid to the next: `second_per_grid_t`."),
        when=lambda s: has_frames(s) and s.family == "qwen2_5",
    )
    stamp: int = entry(
        number,
        say("Tokens of a time"),
        2,
        1,
        32,
        help=say("Text before each frame: its time in words, and the marks around it."),
        when=lambda s: has_frames(s) and s.family == "qwen3",
    )

    @property
    def is_apart(self) -> bool:
        """Whether each frame is an image of its own."""
        return self.frames > 1 and self.family == "qwen3"

    @property
    def words_after(self) -> int:
        """Tokens of text after the film."""
        return 0

    @cached_property
    def segments(self) -> list[int | tuple[int, int, int]]:
        """Text and images in turns, as `mrope_positions` takes them.

        Raises:
            ValueError: If there are too many tokens.
        """
        frame = self.rows * self.columns + self.is_apart * self.stamp
        tokens = self.before + self.frames * frame + self.words_after
        if tokens > MOST_TOKENS:
            raise ValueError(
                say(
                    "Rows, columns and frames make {tokens:,} tokens of this text; at most "
                    "{most:,} are drawn.",
                    tokens=tokens,
                    most=MOST_TOKENS,
                )
            )
        grid = (self.frames, self.rows, self.columns)
        film = split_video(*grid, self.stamp) if self.is_apart else [grid]
        return [
            *([self.before] if self.before else []),
            *film,
            *([self.words_after] if self.words_after else []),
        ]

    @cached_property
    def seconds_per_frame(self) -> float | None:
        """Seconds, where they count; None where frames do."""
        return self.seconds if self.frames > 1 and self.family == "qwen2_5" else None

    @cached_property
    def positions(self) -> Tensor:
        """Time, row and column of every token, int64 (3, tokens)."""
        return mrope_positions(self.segments, second_per_grid_t=self.seconds_per_frame)

    @property
    def program(self) -> dict[str, Any]:
        """Settings of the film for a program."""
        return screen.only(self, *PROGRAM)


def dials(name: str) -> dict[str, Any]:
    """Sections, base and rotated channels of a known model's file."""
    config = known_models()[name].config
    text = config.get("text_config", config)
    fields = text.get("rope_parameters") or text["rope_scaling"]
    width = text.get("head_dim") or text["hidden_size"] // text["num_attention_heads"]
    return {
        "view": "sections",
        "rotary_dim": int(width * fields.get("partial_rotary_factor", 1)),
        "base": float(fields.get("rope_theta") or text["rope_theta"]),
        "sections": ", ".join(map(str, fields["mrope_section"])),
        "order": "interleaved" if fields.get("mrope_interleaved") else "blocks",
    }


PRESETS: controls.Presets = {
    "image": (say("An image"), IMAGE),
    "large": (say("An image of 40 × 40"), IMAGE | {"rows": 40, "columns": 40}),
    "frames": (say("A film, Qwen2-VL"), FILM),
    "seconds": (say("A film, Qwen2.5-VL"), FILM | {"family": "qwen2_5"}),
    "apart": (say("A film, Qwen3-VL"), FILM | {"family": "qwen3"}),
    "blocks": ("Qwen2-VL-7B, Qwen2.5-VL-7B", dials("Qwen2.5-VL-7B")),
    "interleaved": ("Qwen3-VL-4B", dials("Qwen3-VL-4B")),
    "partial": ("Qwen3.5-27B", dials("Qwen3.5-27B")),
}
