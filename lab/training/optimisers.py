"""The optimiser: Muon for the matrices of the blocks, AdamW for all else."""

from collections import defaultdict

import torch
from torch import Tensor, nn

MUON_LR = 0.02
MUON_MOMENTUM = 0.95
ADAM_LR = 3e-3
ADAM_BETAS = (0.9, 0.95)
WARM_UP = 0.05
NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)


def orthogonalised(matrices: Tensor) -> Tensor:
    """Move every singular value towards 1 by five Newton-Schulz iterations.

    Each is x ← a·x + b·(x xᵀ) x + c·(x xᵀ)² x.

    Args:
        matrices: (n, rows, cols), float32.

    Returns:
        The same shape.

    Source: Jordan et al. 2024, kellerjordan.github.io/posts/muon.
    """
    a, b, c = NEWTON_SCHULZ
    tall = matrices.shape[-2] > matrices.shape[-1]
    x = matrices.mT if tall else matrices
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(5):
        gram = x @ x.mT
        # a·x + (b·gram + c·gram²) x, the sums inside the products
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)
    return x.mT if tall else x


class Muon(torch.optim.Optimizer):
    """Momentum whose step is orthogonalised; matrices of one shape are treated in one batch.

    Float32 throughout, because CPUs gain nothing from bfloat16.
    """

    def __init__(self, params: list[nn.Parameter], lr: float = MUON_LR) -> None:
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        """Update every matrix by its gradient."""
        for group in self.param_groups:
            by_shape: dict[torch.Size, list[nn.Parameter]] = defaultdict(list)
            for parameter in group["params"]:
                by_shape[parameter.shape].append(parameter)
            for shape, parameters in by_shape.items():
                updates = []
                for parameter in parameters:
                    grad = parameter.grad
                    if grad is None:
                        raise ValueError("Every matrix needs a gradient before a step.")
                    state = self.state[parameter]
                    if "momentum" not in state:
                        state["momentum"] = torch.zeros_like(parameter)
                    momentum = state["momentum"].lerp_(grad, 1 - MUON_MOMENTUM)
                    updates.append(grad.lerp(momentum, MUON_MOMENTUM))
                scale = max(1, shape[0] / shape[1]) ** 0.5
                for parameter, update in zip(
                    parameters, orthogonalised(torch.stack(updates)), strict=True
                ):
                    parameter.add_(update, alpha=-group["lr"] * scale)


def optimisers(model: nn.Module) -> list[torch.optim.Optimizer]:
    """Muon for the blocks' matrices; AdamW for embedding, head, norms and the encoding."""
    matrices: list[nn.Parameter] = []
    others: list[nn.Parameter] = []
    for name, parameter in model.named_parameters():
        matrix = name.startswith("layers.") and parameter.dim() == 2
        (matrices if matrix else others).append(parameter)
    return [Muon(matrices), torch.optim.AdamW(others, ADAM_LR, ADAM_BETAS, weight_decay=0.0)]


def learning_rate(update: int, updates: int, warm_up: float = WARM_UP) -> float:
    """Factor on the learning rates: a linear warm-up, then linearly down to 0 at the end."""
    rise = max(1, round(warm_up * updates))
    return min((update + 1) / rise, (updates - update) / max(1, updates - rise))
