"""FSDP: the block around an encoding is sharded, and trains as before."""

import pytest
import torch
from torch import Tensor, distributed, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

from posenc import ALiBi, CoPE, PositionalEncoding, RoPE, Shaw, T5Bias, attend
from tests.tensors import random

TRAINED = {
    "t5": lambda: T5Bias(4),
    "cope": lambda: CoPE(16, 8),
    "shaw": lambda: Shaw(16, 4),
    "alibi": lambda: ALiBi(4, learned=True),
    "rope": lambda: RoPE(16, learned=True),
}


class Block(nn.Module):
    """An attention and a layer behind it."""

    def __init__(self, encoding: PositionalEncoding) -> None:
        super().__init__()
        self.encoding = encoding
        self.out = nn.Linear(16, 16)

    def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return self.out(attend(q, k, v, self.encoding, mask="causal"))


@pytest.fixture(scope="module")
def mesh(tmp_path_factory):
    store = distributed.FileStore(str(tmp_path_factory.mktemp("store") / "one"), 1)
    distributed.init_process_group("gloo", store=store, rank=0, world_size=1)
    yield init_device_mesh("cpu", (1,))
    distributed.destroy_process_group()


@pytest.mark.filterwarnings("ignore:FSDP2-wrapped module")  # what a linear layer returns is a view
@pytest.mark.parametrize("name", TRAINED)
def test_a_sharded_block_computes_and_learns_the_same(name, mesh):
    block = Block(TRAINED[name]())
    q, k, v = (random(1, 4, 10, 16, dtype=torch.float32, seed=seed) for seed in range(3))
    want = block(q, k, v)
    want.square().sum().backward()
    gradients = [parameter.grad.clone() for parameter in block.parameters()]
    block.zero_grad()
    fully_shard(block, mesh=mesh)
    got = block(q, k, v)
    torch.testing.assert_close(got, want)
    got.square().sum().backward()
    for parameter, gradient in zip(block.parameters(), gradients, strict=True):
        torch.testing.assert_close(parameter.grad.full_tensor(), gradient)


def test_the_class_says_what_to_shard():
    assert "shard the block around the encoding" in " ".join(PositionalEncoding.__doc__.split())
