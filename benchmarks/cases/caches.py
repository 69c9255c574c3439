"""One decoded token: written into the cache, and attending to all that is in it."""

import torch
from torch.nn.functional import scaled_dot_product_attention

from benchmarks.cases.case import HEADS, Case, Size
from posenc import KVCache, RoPE


def decoding(size: Size) -> Case:
    """One token against a full cache; a bare buffer has the same tables, writes and attention."""
    place = {"device": size.device, "dtype": size.dtype}
    shape = 1, HEADS, size.length + 1, size.head_dim
    q, k, v = torch.randn(3, *shape, device=size.device).to(size.dtype)
    positions = torch.arange(size.length + 1, device=size.device)
    rope = RoPE(size.head_dim, layout="half")
    old, last = slice(size.length), slice(size.length, None)
    cache = KVCache(rope, capacity=size.length + 1)
    keys, values = (torch.empty(shape, **place) for _ in range(2))
    with torch.no_grad():
        cache.step(q[:, :, old], k[:, :, old], v[:, :, old], positions[old])
    keys[:, :, old] = k[:, :, old]
    values[:, :, old] = v[:, :, old]

    @torch.no_grad()
    def ours() -> None:
        cache.step(q[:, :, last], k[:, :, last], v[:, :, last], positions[last])
        cache.crop(size.length)

    @torch.no_grad()
    def bare() -> None:
        query, key = rope.rotate(q[:, :, last], k[:, :, last], positions[last], positions[last])
        keys[:, :, last] = key
        values[:, :, last] = v[:, :, last]
        scaled_dot_product_attention(query, keys, values)

    return Case(
        "decode one token",
        f"{HEADS} heads, {size}",
        ours,
        {"a bare buffer": bare},
        2 * keys.nbytes,
    )
