"""GLM: half of each head's channels rotated, in interleaved pairs."""

from posenc.config.families.family import Family, shape

_GLM = shape(4096, 32, 40, 131072, head_dim=128, partial_rotary_factor=0.5)

FAMILIES = {
    "glm": Family("interleaved", defaults=_GLM),
    "glm4": Family("interleaved", defaults=_GLM),
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
