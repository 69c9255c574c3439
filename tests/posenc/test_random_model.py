import torch

from posenc import random_model
from posenc.random_model import RandomProjections

# fmt: off
WRITTEN_DOWN = [
    -0.113331, -1.2148036, 0.8038604, 0.0484433,  # the embedding of token 5
    -0.1495623, -0.2701551, 1.0502949, 0.557025, 0.2345549, 0.7476789,  # its q, k, v
]
# fmt: on
MODEL = RandomProjections(seed=7, d_model=512, num_heads=8, head_dim=64)


def test_the_numbers_are_fixed_by_the_seed():
    # Written down once: another machine, numpy or process must give the same.
    x = RandomProjections(seed=0, d_model=4, num_heads=1, head_dim=2).embed([5])
    q, k, v = RandomProjections(seed=0, d_model=4, num_heads=1, head_dim=2).project(x)
    got = torch.cat((x.flatten(), q.flatten(), k.flatten(), v.flatten()))
    want = torch.tensor(WRITTEN_DOWN)
    torch.testing.assert_close(got, want, atol=1e-6, rtol=0)


def test_equal_tokens_have_equal_embeddings_in_any_order():
    x = MODEL.embed([3, 1, 3, 2**62])[0]
    assert torch.equal(x[0], x[2])
    assert not torch.equal(x[0], x[1])
    assert torch.equal(MODEL.embed([2**62, 3])[0], x[[3, 0]])
    assert not torch.equal(RandomProjections(8, 512, 8, 64).embed([3])[0, 0], x[0])


def test_embeddings_and_projections_have_unit_variance():
    x = MODEL.embed(range(200))
    torch.testing.assert_close(x.std(), torch.tensor(1.0), atol=0.02, rtol=0)
    for y in MODEL.project(x):
        assert y.shape == (1, 8, 200, 64)
        torch.testing.assert_close(y.std(), torch.tensor(1.0), atol=0.05, rtol=0)


def test_projection_is_one_matrix_each_split_into_heads():
    x = torch.eye(512)[None]
    q, k, v = MODEL.project(x)
    matrices = [y.transpose(1, 2).reshape(512, 512) for y in (q, k, v)]
    other = MODEL.embed([1, 2, 3])
    for y, matrix in zip(MODEL.project(other), matrices, strict=True):
        want = (other @ matrix).unflatten(-1, (8, 64)).transpose(1, 2)
        torch.testing.assert_close(y, want, atol=1e-5, rtol=0)
    assert not torch.equal(matrices[0], matrices[1])
    assert not torch.equal(matrices[1], matrices[2])


def test_a_wide_models_matrices_are_drawn_in_parts(monkeypatch):
    x = MODEL.embed([1, 2, 3]).double()
    whole = MODEL.project(x)
    monkeypatch.setattr(random_model, "LARGE", 100 * 512)
    for part, want in zip(MODEL.project(x), whole, strict=True):
        torch.testing.assert_close(part, want, atol=1e-12, rtol=0)


def test_projection_follows_the_dtype_of_x():
    q, _, _ = MODEL.project(MODEL.embed([1]).double())
    assert q.dtype == torch.float64
