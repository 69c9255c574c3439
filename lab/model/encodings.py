"""The catalogue's encodings as the lab trains them, and what can be done to them afterwards."""

import torch

from lab.spec import RunSpec
from posenc import FIRE, ALiBi, CoPE, Kerple, Learned, PositionalEncoding, RoPE, T5Bias, XPos
from posenc.catalogue import CATALOGUE, ModelShape
from posenc.learned.longer import interpolate_table
from posenc.rope.scaling import Scaling


def build_encoding(spec: RunSpec) -> PositionalEncoding:
    """The encoding of a run, new, its start drawn from the run's seed.

    Where a paper's setting is a length, it keeps its ratio to the training length: xPos fades
    over L/2 (512 at 1024), FIRE's threshold starts at L/4 (512 at 2048).
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(spec.seed)
        return _new_encoding(spec)


def _new_encoding(spec: RunSpec) -> PositionalEncoding:
    match spec.encoding:
        case "rope":
            return RoPE(spec.head_dim, spec.setting("base"), layout="half")
        case "xpos":
            half = spec.train_length / 2
            return XPos(spec.head_dim, layout="half", scale_base=half, centre=int(half))
        case "t5":
            return T5Bias(spec.heads, False, max_distance=int(spec.setting("max_distance")))
        case "fire":
            return FIRE(spec.heads, init_length=spec.train_length / 4)
        case "cope":
            return CoPE(spec.head_dim, int(spec.setting("max_positions")))
        case "alibi":
            return ALiBi(spec.heads)
        case "kerple":
            return Kerple(spec.heads)
        case name:
            shape = ModelShape(spec.d_model, spec.heads, spec.head_dim, spec.train_length)
            return CATALOGUE[name].build(shape)


def encoding_for(
    trained: PositionalEncoding, length: int, seed: int, scaling: Scaling | None = None
) -> PositionalEncoding:
    """The trained encoding made ready to be read at `length` tokens.

    RoPE takes a scaling. A learned table gets rows that were never trained, drawn from `seed` as
    before its training. xPos moves its centre, which cancels in every score.

    Raises:
        ValueError: If a scaling is asked of anything but RoPE.
    """
    if scaling is not None and not isinstance(trained, RoPE):
        name = type(trained).__name__
        raise ValueError(f"Only RoPE can be scaled, not {name}.")
    if isinstance(trained, RoPE):
        longer = RoPE(trained.head_dim, trained.base, layout=trained.layout, scaling=scaling)
        return longer
    if isinstance(trained, Learned) and length > len(trained.table):
        return longer_table(trained, length, seed)
    if isinstance(trained, XPos):
        return XPos(
            trained.head_dim,
            trained.base,
            layout=trained.layout,
            scale_base=trained.scale_base,
            centre=length // 2,
        )
    return trained


@torch.no_grad()
def longer_table(trained: Learned, length: int, seed: int) -> Learned:
    """A learned table with untrained rows after the trained ones."""
    rows, width = trained.table.shape
    longer = Learned(length, width)
    generator = torch.Generator().manual_seed(seed)
    longer.table.normal_(std=0.02, generator=generator)
    longer.table[:rows] = trained.table
    return longer


@torch.no_grad()
def interpolated_table(trained: Learned, length: int) -> Learned:
    """A learned table stretched linearly to `length` rows."""
    longer = Learned(length, trained.table.shape[1])
    longer.table.copy_(interpolate_table(trained.table, length))
    return longer
