import torch

from exhibits.idea import IDS, ORDER, SEED, WIDTH, WORDS, both_orders
from posenc import rope_inv_freq, sinusoidal_table
from posenc.random_model import RandomProjections
from posenc.study import rope_rotation_matrix


def by_hand(added, rotations) -> torch.Tensor:
    """Softmax(QKᵀ/√d)V of the words in the other order, their rows put back."""
    model = RandomProjections(SEED, WIDTH, 1, WIDTH)
    x = model.embed(IDS)[0].double()[list(ORDER)] + added
    q, k, v = (part[0, 0] for part in model.project(x[None]))
    q, k = (torch.einsum("pij,pj->pi", rotations, part) for part in (q, k))
    weights = torch.softmax(q @ k.T / WIDTH**0.5, dim=1)
    output = weights @ v
    return torch.stack([output[ORDER.index(word)] for word in range(len(WORDS))])


def test_only_positions_differ_as_the_formula_says() -> None:
    nothing = torch.zeros(5, WIDTH, dtype=torch.float64)
    stays = torch.eye(WIDTH, dtype=torch.float64).expand(5, -1, -1)
    theta = rope_inv_freq(WIDTH)[0]
    turns = torch.stack([rope_rotation_matrix(place, theta, "interleaved") for place in range(5)])
    ways = {
        "nope": (nothing, stays),
        "sinusoidal": (sinusoidal_table(5, WIDTH), stays),
        "rope": (nothing, turns),
    }
    for name, (added, rotations) in ways.items():
        typed, other = both_orders(name)
        torch.testing.assert_close(other, by_hand(added, rotations), rtol=0, atol=1e-12)
        largest = (typed - other).abs().max()
        assert largest < 1e-12 if name == "nope" else largest > 0.1, name
