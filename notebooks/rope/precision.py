# How far angles are off that are computed in a short type: the largest error over the pairs.
# %%
rotary_dim = 16
base = 10000.0
reach = 16384  # positions
points = 400
# %%
import torch

theta = base ** -(torch.arange(0, rotary_dim, 2, dtype=torch.float64) / rotary_dim)
last = torch.tensor(reach - 1.0, dtype=torch.float64).log2()
positions = torch.logspace(0, last, points, 2, dtype=torch.float64).round().unique()
exact = positions[:, None] * theta
curves = []
for dtype in (torch.bfloat16, torch.float16, torch.float32):
    angles = positions.to(dtype)[:, None] * theta.to(dtype)  # everything in this type
    error = (angles.double() - exact).abs().amax(dim=1)
    # An exact angle has no place on a logarithmic axis.
    curves.append((positions, torch.where(error > 0, error, torch.nan)))
