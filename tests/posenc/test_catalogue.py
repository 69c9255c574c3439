"""Laws that hold for every encoding, and what the catalogue says of each."""

from dataclasses import replace

import pytest
import torch

from posenc import (
    FIRE,
    ALiBi,
    CoPE,
    Kerple,
    NoPE,
    PositionalEncoding,
    RoPE,
    Sandwich,
    T5Bias,
    alibi_bias,
    alibi_slopes,
    attend,
    causal_mask,
    kerple_bias,
    padding_mask,
    sandwich_bias,
    t5_bias,
    t5_bucket,
)
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.random_model import randomise
from posenc.sandwich.formula import sandwich_kernel
from posenc.scaling import YaRN
from tests.posenc.laws import BATCH, LENGTH, SHAPE, VARIANTS, build, output, texts
from tests.tensors import random

DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])
NAMES = list(CATALOGUE)
POSITIONS = torch.arange(LENGTH)
# Shift and order change nothing but rounding; where they do change something it is above 1e-4.
ROUNDING, VISIBLE = 1e-10, 1e-4

every_encoding = pytest.mark.parametrize("name", NAMES)
every_variant = pytest.mark.parametrize("name", [*NAMES, *VARIANTS])


def _difference(one, other):
    return (one - other).abs().max().item()


@every_variant
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("masked", ["causal", "padding"])
def test_keeping_the_stages_changes_nothing(name, device, masked):
    encoding = build(name, device=device)
    positions = POSITIONS.to(device)
    mask = "causal"
    if masked == "padding":
        real = torch.ones(BATCH, LENGTH, dtype=torch.bool, device=device)
        real[0, :3] = False
        mask = causal_mask(LENGTH, LENGTH, device) & padding_mask(real)
    trace = output(encoding, positions, texts(device=device), mask, trace=True)
    plain = output(encoding, positions, texts(device=device), mask)
    assert plain.device.type == device
    torch.testing.assert_close(plain, trace.output, atol=1e-12, rtol=0)
    sums = trace.weights.sum(-1)
    empty = ~trace.masked.isfinite().any(-1)
    torch.testing.assert_close(sums, (~empty).to(sums), atol=1e-12, rtol=0)
    assert int(empty.sum()) == (3 * SHAPE.num_heads if masked == "padding" else 0)
    assert bool((plain[empty] == 0).all())


@every_variant
@pytest.mark.parametrize("device", DEVICES)
def test_float32_is_float64_rounded(name, device):
    wide = output(build(name), POSITIONS, texts())
    encoding = build(name, torch.float32, device)
    narrow = output(encoding, POSITIONS.to(device), texts(torch.float32, device))
    assert narrow.dtype == torch.float32
    torch.testing.assert_close(narrow.cpu().double(), wide, atol=2e-5, rtol=0)


@every_variant
@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int16, torch.int32])
def test_any_integers_are_positions(name, dtype):
    encoding = build(name)
    plain = output(encoding, POSITIONS, texts())
    assert torch.equal(output(encoding, POSITIONS.to(dtype), texts()), plain)
    q = k = random(1, SHAPE.num_heads, LENGTH, SHAPE.head_dim)
    places = POSITIONS.to(dtype)
    bias = encoding.bias(q, q @ k.mT, places, places)
    if bias is not None:
        assert torch.equal(bias, encoding.bias(q, q @ k.mT, POSITIONS, POSITIONS))


@every_variant
def test_a_common_shift_of_positions(name):
    encoding = build(name)
    # Past 512, where FIRE starts to divide by the query's position.
    changed = _difference(
        output(encoding, POSITIONS + 600, texts()), output(encoding, POSITIONS, texts())
    )
    if name in VARIANTS or CATALOGUE[name].shift_invariant:
        assert changed < ROUNDING
    else:
        assert changed > VISIBLE


@every_variant
def test_only_without_positions_is_order_lost(name):
    """Without a mask, NoPE gives every token the same output wherever it stands."""
    encoding = build(name)
    order = torch.randperm(LENGTH, generator=torch.Generator().manual_seed(0))
    plain = output(encoding, POSITIONS, texts(), None)
    shuffled = output(encoding, POSITIONS, texts()[:, order], None)
    changed = _difference(plain[..., order, :], shuffled)
    assert changed < ROUNDING if name == "nope" else changed > VISIBLE


@every_encoding
def test_the_places_are_those_that_the_class_overrides(name):
    encoding = CATALOGUE[name].build(SHAPE)
    overridden = {
        place
        for place in ("embed", "rotate", "bias", "mix")
        if getattr(type(encoding), place) is not getattr(PositionalEncoding, place)
    }
    if name == "transformer_xl":
        overridden -= {"rotate"}  # adds a constant to every query
    assert overridden == set(CATALOGUE[name].places)
    assert encoding.reads_scores or "mix" not in overridden


@every_encoding
def test_every_trained_parameter_matters(name):
    encoding = build(name)
    parameters = dict(encoding.named_parameters())
    assert bool(parameters) == (CATALOGUE[name].trained != "none")
    if not parameters:
        return
    output(encoding, POSITIONS, texts()).square().sum().backward()
    for label, parameter in parameters.items():
        assert parameter.grad is not None, label
        assert bool(torch.isfinite(parameter.grad).all()), label
        assert bool((parameter.grad != 0).any()), label


@every_variant
def test_gradients_are_those_of_the_formula(name):
    # Every number of every table is moved: a table of few rows is as good.
    encoding, x = build(name, shape=replace(SHAPE, length=LENGTH)), texts()[:1, :4]
    parameters = tuple(encoding.parameters())

    def outputs(*_moved_in_place):
        return output(encoding, POSITIONS[:4], x)

    assert not parameters or torch.autograd.gradcheck(outputs, parameters)


GAPS = torch.tensor([[0, 1, 2, 3, 4], [0, 0, 1, 5, 30]])
# Classes beside their functions, which golden values hold.
BIASES = {
    "alibi": (ALiBi(3), lambda d: alibi_bias(alibi_slopes(3), d, dtype=torch.float64)),
    "alibi, symmetric": (
        ALiBi(3, symmetric=True),
        lambda d: alibi_bias(alibi_slopes(3), d, True, dtype=torch.float64),
    ),
    "sandwich": (
        Sandwich(3, 6, 500.0),
        lambda d: sandwich_bias(sandwich_kernel(d, 6, 500.0), 3, 6),
    ),
    "t5": (
        made := T5Bias(3, True, 8, 16),
        lambda d: t5_bias(made.table, t5_bucket(d, True, 8, 16)),
    ),
    "kerple": (log := Kerple(3), lambda d: kerple_bias(log.r1, log.r2, d)),
    "kerple, symmetric power": (
        power := Kerple(3, "power", symmetric=True),
        lambda d: kerple_bias(power.r1, power.r2, d, "power", symmetric=True),
    ),
}


@pytest.mark.parametrize("name", BIASES)
@torch.no_grad()
def test_a_bias_is_its_function_of_the_distance(name):
    encoding, function = BIASES[name]
    q, k, v = (random(2, 3, 5, 4, seed=seed) for seed in (1, 2, 3))
    trace = attend(q, k, v, encoding, k_positions=GAPS, trace=True)
    for row, positions in enumerate(GAPS):
        bias = function(positions - positions[:, None])
        torch.testing.assert_close(trace.bias[row], bias, check_dtype=False, atol=1e-6, rtol=1e-6)


@every_encoding
def test_it_can_be_built_for_other_shapes(name):
    for shape in (ModelShape(8, 1, 8, 16), ModelShape(96, 12, 8, 512)):
        assert isinstance(CATALOGUE[name].build(shape), PositionalEncoding)


@every_variant
def test_a_model_built_on_meta_has_its_numbers_once_it_is_loaded(name):
    whole = build(name, torch.float32)
    with torch.device("meta"):
        empty = VARIANTS[name]() if name in VARIANTS else CATALOGUE[name].build(SHAPE)
    loaded = empty.to_empty(device="cpu")
    loaded.load_state_dict(whole.state_dict())
    x = texts(torch.float32)
    assert torch.equal(output(loaded, POSITIONS, x), output(whole, POSITIONS, x))


@every_encoding
def test_building_twice_and_filling_gives_the_same_numbers(name):
    first, second = build(name).state_dict(), build(name).state_dict()
    assert first.keys() == second.keys()
    assert all(torch.equal(first[key], second[key]) for key in first)


def test_randomise_fills_tables_from_the_seed():
    tables = [randomise(CoPE(3, 5), seed, 2.0).embedding.detach() for seed in (0, 0, 1)]
    assert torch.equal(tables[0], tables[1])
    assert not torch.equal(tables[0], tables[2])
    large = randomise(CoPE(100, 100), 0, 2.0).embedding
    torch.testing.assert_close(large.std(), torch.tensor(2.0), atol=0.05, rtol=0)
    rates = randomise(ALiBi(1000, learned=True), 0).learned_slopes
    assert 0 < rates.min() < 0.01 < 0.99 < rates.max() < 1
    assert randomise(FIRE(2), 0).c == FIRE(2).c
    with pytest.raises(ValueError, match=r"seed must be an integer from 0"):
        randomise(CoPE(3, 5), -1)


def test_entries_can_be_told_apart():
    entries = list(CATALOGUE.values())
    assert all(name == entry.id for name, entry in CATALOGUE.items())
    assert len({entry.title for entry in entries}) == len(entries)


def test_a_printed_model_shows_what_an_encoding_was_made_with():
    assert str(RoPE(8, scaling=YaRN(4.0, 64), layout="half")) == (
        "RoPE(head_dim=8, base=10000.0, layout='half', "
        "scaling=YaRN(factor=4.0, original_length=64), rotary_dim=8)"
    )
    assert str(NoPE()) == "NoPE()"
    for name in [*NAMES, *VARIANTS]:
        if name != "nope":
            assert "=" in build(name).extra_repr(), name


def test_sources():
    for entry in CATALOGUE.values():
        assert str(entry.year) in entry.paper
        assert "arXiv:" in entry.paper


def test_under_a_causal_mask_order_matters_with_nothing_added():
    q, k, v = (random(2, 3, 6, 4, seed=seed) for seed in (1, 2, 3))
    order = torch.tensor([3, 0, 5, 1, 4, 2])
    plain = attend(q, k, v, NoPE(), mask="causal")
    shuffled = attend(q[:, :, order], k[:, :, order], v[:, :, order], NoPE(), mask="causal")
    assert float((shuffled - plain[:, :, order]).abs().max()) > 0.1
    assert list(NoPE().parameters()) == []
