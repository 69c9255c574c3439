"""GLM: half of each head's channels rotated, in interleaved pairs."""

from posenc.config.families.classes import known
from posenc.config.families.family import Family

FAMILIES = {
    "glm": known("glm", layout="interleaved"),
    "glm4": known("glm4", layout="interleaved"),
    "chatglm": Family(
        "interleaved",
        defaults={"partial_rotary_factor": 0.5, "rope_theta": 10000.0},
        names={
            "num_hidden_layers": "num_layers",
            "max_position_embeddings": "seq_length",
            "head_dim": "kv_channels",
        },
    ),
}
