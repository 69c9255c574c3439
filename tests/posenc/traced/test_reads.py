"""No call waits for a number that is on the device, and no table is sent there at each call."""

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode

from posenc import PositionalEncoding
from posenc.catalogue import CATALOGUE
from tests.posenc.laws import SHAPE
from tests.posenc.traced.cases import NAMES, Attention, made, text

READS = ("_local_scalar_dense", "item", "is_nonzero", "equal", "nonzero", "unique", "_unique")


class Watched(TorchDispatchMode):
    """Which operations read numbers, and which go from one device to another."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[str] = []
        self.moves: list[str] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name = func._schema.name.removeprefix("aten::")
        if any(name.startswith(read) for read in READS):
            self.reads.append(name)
        made = func(*args, **(kwargs or {}))
        given = args[0] if args else None
        if torch.is_tensor(made) and torch.is_tensor(given) and made.device != given.device:
            self.moves.append(f"{name} from {given.device} to {made.device}")
        return made


def test_a_read_is_seen():
    with Watched() as watched:
        int(torch.arange(3).max())
        bool((torch.arange(3) > 1).any())
        torch.unique(torch.arange(3))
    assert len(watched.reads) == 3


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("q_len", [1, 5])
@torch.no_grad()
def test_nothing_is_read(name, q_len):
    module = Attention(made(name))
    positions = torch.arange(9)
    x = torch.zeros(1, 9, SHAPE.d_model, dtype=torch.float64)
    with Watched() as watched:
        for at in (None, positions, torch.stack((positions, positions + 40))):
            module(*text(q_len, 9), at)
        module.encoding.embed(x, positions)
    assert watched.reads == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("q_len", [1, 5])
@torch.no_grad()
def test_nothing_is_sent_to_the_device_that_the_module_is_on(name, q_len):
    """On "meta", where a module's own numbers go only by hand."""
    module = Attention(made(name)).to("meta")
    own = vars(module.encoding)
    own |= {key: value.to("meta") for key, value in own.items() if torch.is_tensor(value)}
    given = [x.to("meta") for x in text(q_len, 9)]
    positions = torch.arange(9, device="meta")
    x = torch.zeros(1, 9, SHAPE.d_model, device="meta")
    with Watched() as watched:
        for at in (None, positions, torch.stack((positions, positions + 40))):
            assert module(*given, at).is_meta
        module.encoding.embed(x, positions)
    assert watched.reads == watched.moves == []


def test_a_move_is_seen():
    with Watched() as watched:
        Attention(made("rope"))(*(x.to("meta") for x in text(1, 9)))
    assert any("from cpu to meta" in move for move in watched.moves)


@pytest.mark.parametrize("name", ["alibi", "rope", "xpos", "sinusoidal", "sandwich"])
def test_what_is_computed_from_settings_moves_with_the_module(name):
    """No GPU is needed: fake tensors have devices and no numbers."""
    with FakeTensorMode():
        encoding = CATALOGUE[name].build(SHAPE).to("cuda:0").to(torch.bfloat16)
        own = [value for value in vars(encoding).values() if torch.is_tensor(value)]
        assert len(own) > 0
        assert {(value.device, value.dtype) for value in own} == {
            (torch.device("cuda:0"), torch.float64)
        }


def test_what_settings_give_moves_and_is_never_rounded():
    for name in NAMES:
        encoding = made(name)
        before = {key: value for key, value in vars(encoding).items() if torch.is_tensor(value)}
        encoding.to("meta").to(torch.bfloat16)
        for key, value in before.items():
            assert torch.equal(vars(encoding)[key], value), (name, key)
            assert vars(encoding)[key].dtype == torch.float64, (name, key)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore:There is a performance drop:UserWarning")  # of torch's own
@torch.no_grad()
def test_positions_are_mapped(name):
    module = Attention(made(name))
    given = text(3, 7)
    rows = torch.stack((torch.arange(7), torch.arange(7) + 40))
    want = torch.stack([module(*given, row) for row in rows])
    got = torch.vmap(lambda row: module(*given, row))(rows)
    torch.testing.assert_close(got, want, atol=1e-12, rtol=0)


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_given_positions_are_as_good_as_the_default_ones(name):
    module = Attention(made(name))
    for q_len in (1, 5, 9):
        given = text(q_len, 9)
        torch.testing.assert_close(
            module(*given, torch.arange(9)), module(*given), atol=1e-12, rtol=0
        )


def test_an_encoding_without_places_has_none():
    with pytest.raises(NotImplementedError, match="not called itself: give it"):
        PositionalEncoding()(torch.zeros(1))
