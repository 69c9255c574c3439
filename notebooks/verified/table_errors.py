# RoPE's cosines and sines in float32 by three formulas: error of the worst number of a position.
# %%
head_dim = 128
base = 10000.0
length = 131072  # positions
points = 400
# %%
import torch

last = torch.tensor(length - 1.0, dtype=torch.float64).log2()
places = torch.logspace(0, last, points, 2, dtype=torch.float64).round().unique()
exact = places[:, None] * base ** (-torch.arange(head_dim // 2, dtype=torch.float64) * 2 / head_dim)
short = 1.0 / base ** (torch.arange(0, head_dim, 2).float() / head_dim)
ways = {
    "posenc": exact,  # frequencies and angles in float64
    "transformers": (short[:, None] @ places[None].float()).mT,  # both in float32
    "torchtune": torch.outer(places.float(), short),
}
curves = []
for angles in ways.values():
    off = [(wave(angles).float().double() - wave(exact)).abs() for wave in (torch.cos, torch.sin)]
    error = torch.maximum(*off).amax(dim=1)
    # A number without an error has no place on a logarithmic axis.
    curves.append((places, torch.where(error > 0, error, torch.nan)))
