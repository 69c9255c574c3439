"""Networks for sound that rotate along the time."""

from posenc.config.families.family import Family

FAMILIES = {
    # Half of each head's 64 channels; values are turned as queries and keys are.
    "clvp_encoder": Family(
        defaults={
            "hidden_size": 768,
            "num_attention_heads": 12,
            "num_hidden_layers": 20,
            "partial_rotary_factor": 0.5,
            "rope_theta": 10000.0,
        },
        names_base=False,
        switches=(("use_rotary_embedding", False, "nope"),),
    ),
}
