"""Families that do not rotate: learned tables, T5's buckets, ALiBi."""

from posenc.config.families.family import Family, shape
from posenc.config.families.gpt import NAMES

FAMILIES = {
    "mpt": Family(
        encoding="alibi",
        defaults=shape(2048, 16, 24, 2048),
        names={
            "hidden_size": "d_model",
            "num_attention_heads": "n_heads",
            "num_hidden_layers": "n_layers",
            "max_position_embeddings": "max_seq_len",
        },
    ),
    "bloom": Family(
        encoding="alibi",
        defaults={"hidden_size": 64, "num_attention_heads": 8, "num_hidden_layers": 2},
        names={
            "num_attention_heads": "n_head",
            "num_hidden_layers": "n_layer",
            "max_position_embeddings": "seq_length",
        },
    ),
    "t5": Family(
        encoding="t5",
        defaults={
            "hidden_size": 512,
            "num_attention_heads": 8,
            "head_dim": 64,
            "num_hidden_layers": 6,
            "num_buckets": 32,
            "max_distance": 128,
        },
        names={
            "hidden_size": "d_model",
            "num_attention_heads": "num_heads",
            "num_hidden_layers": "num_layers",
            "head_dim": "d_kv",
            "max_position_embeddings": "n_positions",
            "num_buckets": "relative_attention_num_buckets",
            "max_distance": "relative_attention_max_distance",
        },
    ),
    "gpt2": Family(encoding="learned", defaults=shape(768, 12, 12, 1024), names=NAMES),
    "opt": Family(encoding="learned", defaults=shape(768, 12, 12, 2048)),
    "bert": Family(encoding="learned", defaults=shape(768, 12, 12, 512)),
}
