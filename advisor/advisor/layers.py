"""How a model's layers use positions, once its config.json has been read."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor

from advisor.comparing.layer import RopeLayer
from advisor.families.family import Axes, Encoding
from posenc.rope.pairs import Layout
from posenc.waves import geometric


@dataclass(frozen=True)
class OtherLayer:
    """Layers without rotation, and which encoding of `CATALOGUE` they use instead.

    Args:
        encoding: How positions enter; not "rope".
        num_heads: Heads, where the file says so.
        max_length: Length the file declares, tokens, or patches of an image.
        parameters: Numbers of the encoding, such as num_buckets; for layers without position the
            `llama4_temperature` on their queries, if any.
    """

    encoding: Encoding
    num_heads: int | None
    max_length: int | None
    parameters: Mapping[str, float] = field(default_factory=dict)


Layer = RopeLayer | OtherLayer


@dataclass(frozen=True, kw_only=True)
class AxialLayer(OtherLayer):
    """Layers whose pairs turn by one of several axes each; a position is a patch of an image.

    Args:
        head_dim: Channels of a head.
        rotary_dim: How many of them turn, from the first on.
        base: Base of the frequencies (rope_theta).
        axes: Which pairs turn by which axis.
        layout: Which channels form a pair, "interleaved" or "half"; with `axes.own_halves` the
            halves are those of each axis's channels.
    """

    head_dim: int
    rotary_dim: int
    base: float
    axes: Axes
    layout: Layout

    def frequencies(self) -> tuple[Tensor, Tensor]:
        """How fast each pair turns, and by which axis.

        Returns:
            inv_freq, float64 (rotary_dim / 2,), radians per patch; int64 (rotary_dim / 2,), places
            in `axes.names`.

        Source: transformers 5.23, compute_axial_rope_parameters and recomposition_frequencies of
        the towers' rotary classes.
        """
        count = len(self.axes.names)
        pairs = self.rotary_dim // 2
        if self.axes.one_series:
            series = geometric(self.base, pairs).reshape(-1, count)
        else:
            series = geometric(self.base, pairs // count)[:, None].expand(-1, count)
        axis = torch.arange(count).expand_as(series)
        if not self.axes.take_turns:
            series = series.mT
            axis = axis.mT
        return series.reshape(-1), axis.reshape(-1)

    def channels(self) -> Tensor:
        """The channels of each pair, int64 (rotary_dim / 2, 2), in the order of `frequencies`."""
        order = torch.arange(self.rotary_dim)
        blocks = len(self.axes.names) if self.axes.own_halves else 1
        if self.layout == "interleaved":
            return order.reshape(-1, 2)
        return order.reshape(blocks, 2, -1).transpose(1, 2).reshape(-1, 2)
