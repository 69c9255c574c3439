"""Settings to start from."""

from typing import Any

from pages.kv_cache.decoding import SENTENCE, STEP
from posenc.words import say
from ui import controls

PROGRAM = "def add(a, b):\n    return a + b"
LONG = (
    "The cat sat on the mat because the mat was warm. The dog lay at the door because the door was "
    "open, and nobody in the house had told the cat, so that the cat slept on."
)
START: dict[str, Any] = {
    "view": "decoding",
    "text": SENTENCE,
    "decoding_step": STEP,
    "encoding": "rope",
    "rotate_on_write": True,
    "original_length": 4,
    "tokens": "words",
}
PRESETS: controls.Presets = {
    "on_write": (say("RoPE, rotated on write"), START),
    "on_read": (say("RoPE, rotated on read"), START | {"rotate_on_write": False}),
    "cope": ("CoPE", START | {"encoding": "cope"}),
    "program": (
        say("A program, in bytes"),
        START | {"text": PROGRAM, "tokens": "bytes", "decoding_step": 31},
    ),
    "streaming_llm": (
        "StreamingLLM",
        {
            "view": "window",
            "text": LONG,
            "decoding_step": 40,
            "window": 8,
            "sinks": 4,
            "numbering": "cache",
            "rotate_on_write": False,
            "tokens": "words",
            "encoding": "rope",
        },
    ),
    "llama_2": (
        say("Llama-2-7B, dynamic NTK"),
        {"view": "growing_base", "prompt": 4096, "decoded": 2048, "cache": "on_write"},
    ),
    "phi_3": (
        say("Phi-3 past 4096"),
        {"view": "longrope", "prompt": 4000, "decoded": 200, "cache": "on_write"},
    ),
}
