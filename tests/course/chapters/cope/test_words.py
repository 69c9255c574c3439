"""What the chapter says of a library, beside that library."""

import pytest

from tests.parity.peers import x_transformers


def test_x_transformers_refuses_cope_with_its_fast_attention() -> None:
    sizes = {"dim": 8, "depth": 1, "heads": 1, "attn_use_cope": True}
    x_transformers.Decoder(**sizes)
    with pytest.raises(AssertionError, match="CoPE is not flash attention compatible"):
        x_transformers.Decoder(**sizes, attn_flash=True)
