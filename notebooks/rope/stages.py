# How far the hands are off when one stage of the computation is cast to a short type.
# %%
rotary_dim = 16
base = 10000.0
reach = 16384  # positions
points = 400
dtype = "bfloat16"
# %%
import torch

theta = base ** -(torch.arange(0, rotary_dim, 2, dtype=torch.float64) / rotary_dim)
last = torch.tensor(reach - 1.0, dtype=torch.float64).log2()
positions = torch.logspace(0, last, points, 2, dtype=torch.float64).round().unique()
exact = positions[:, None] * theta
curves = []
for stage in ("positions", "frequencies", "angles", "cos and sin"):

    def cast(name, x):
        return x.to(getattr(torch, dtype)).double() if name == stage else x

    angles = cast("angles", cast("positions", positions)[:, None] * cast("frequencies", theta))
    cos, sin = cast("cos and sin", angles.cos()), cast("cos and sin", angles.sin())
    error = ((cos - exact.cos()) ** 2 + (sin - exact.sin()) ** 2).sqrt()
    error = torch.where(angles.isinf(), torch.inf, error).amax(dim=1)
    # An exact hand has no place on a logarithmic axis.
    curves.append((positions, torch.where(error > 0, error, torch.nan)))
