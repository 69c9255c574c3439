"""The four places where position can enter attention."""

import inspect
import math
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, Self

import torch
from torch import Tensor, nn

from posenc.checks import check_bool, check_int, check_number, check_positions, shown

ScoreMod = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]
"""From score, batch, head, query and key to the score with a bias."""
PLACES = ("embed", "rotate", "bias", "mix")
OTHER_WAYS_TO_BIAS = ("_bias_of_last", "_view_of_last", "score_mod")


class PositionalEncoding(nn.Module):
    """Where position enters attention: the base class, which leaves all four places alone.

    1. `embed`: the token embeddings, before the first layer; `attend` does not call it.
    2. `rotate`: queries and keys, before their product.
    3. `bias`: the scores, after scale and mask.
    4. `mix`: the output, beside the weighted values.

    `attend` and `KVCache` call 2 to 4. An encoding that acts at one place can be called as well:
    `rope(x, positions)`, `alibi(q_len, k_len)`, `sinusoidal(x)`.

    Shapes: x (batch, seq, d_model); q, k, v (batch, heads, seq, head_dim), k in `rotate` perhaps
    with fewer heads (grouped-query attention); scores and weights (batch, heads, q_len, k_len);
    positions (seq,) or (batch, seq), any integers, so that a cache, left padding, gaps and long
    contexts need no special case. One that is made for so many heads, or heads of one width, has
    them as `num_heads` and `head_dim`: `attend` refuses others.

    `attend` calls the places themselves, so that hooks of the encoding do not see it. For FSDP,
    whose hooks gather parameters, shard the block around the encoding, not the encoding alone.

    `torch.compile` and `torch.export` take every encoding, with free lengths too. TorchScript,
    which torch has deprecated, does not: `torch.jit.script` knows no type like `Layout`.

    What it is made with stays: to change a setting make another. Tensors that it computes from
    its settings (frequencies, slopes) are attributes, not buffers: `module.to(bfloat16)` would
    round them, and no state_dict fills them, so that they are numbers even in a model built on
    "meta". They move with the module to another device; made under `torch.device("cuda")` they
    are on the CPU all the same, and copied at each call, until `module.to("cuda")`.
    """

    reads_scores = False
    """True where `bias` depends on the scores or `mix` is used: fused attention cannot serve it."""

    axes: int = 1
    """Coordinates of a position: where there are several, positions may be (axes, batch, seq)."""

    scale: float | None = None
    """Factor on q·k that `bias` counts on, where it does: `attend` takes it, and refuses others."""

    def __init_subclass__(cls, **options: Any) -> None:
        """A class with a `bias` of its own inherits no quicker way to the bias of another class.

        One with a `mix` of its own is not given to fused attention, which would leave it out.
        """
        super().__init_subclass__(**options)
        if "mix" in vars(cls) and "reads_scores" not in vars(cls):
            cls.reads_scores = True
        if "bias" in vars(cls):
            for name in OTHER_WAYS_TO_BIAS:
                if name not in vars(cls):
                    setattr(cls, name, getattr(PositionalEncoding, name))

    def extra_repr(self) -> str:
        """Settings that it was made with, as `print(model)` shows them."""
        own = {name: vars(self)[name] for name in _settings(self) if name in vars(self)}
        return ", ".join(f"{n}={_short(value)}" for n, value in own.items() if value is not None)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute that is no setting: those stay as they were when it was made."""
        if name in vars(self) and name in _settings(self):
            kind = type(self).__name__
            raise AttributeError(
                f"{name} of a {kind} stays as it was made, {shown(vars(self)[name])}: make "
                f"another {kind}."
            )
        super().__setattr__(name, value)

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Move what is computed from the settings too, in its own dtype; it stays off "meta"."""
        super()._apply(fn, recurse)
        for name, value in vars(self).items():
            if isinstance(value, Tensor):
                device = fn(value.new_empty(0)).device
                if device.type not in ("meta", "mps"):  # MPS has no float64
                    vars(self)[name] = value.to(device)
        return self

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse the call where a class has none of its own, and name the places that it uses."""
        base, own = PositionalEncoding, type(self)
        used = [place for place in PLACES if getattr(own, place) is not getattr(base, place)]
        places = f"call its {' or '.join(used)}, or " if used else ""
        raise NotImplementedError(
            f"{own.__name__} is not called itself: {places}give it to attend(q, k, v, encoding)."
        )

    @property
    def rotates_by_length(self) -> bool:
        """Whether `rotate` depends on the length of the text: no rotated key may then be kept."""
        return False

    def embed(self, x: Tensor, positions: Tensor) -> Tensor:
        """Place 1: return the token embeddings with position added, (batch, seq, d_model)."""
        return x

    def rotate(
        self, q: Tensor, k: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Place 2: return queries and keys rotated by their positions, same shapes."""
        return q, k

    def bias(
        self, q: Tensor, scores: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor | None:
        """Place 3: return what is added to the scaled, masked scores (broadcastable), or None.

        `scores` holds -inf where the mask forbids attention; the result must be finite there. A
        class that reads them says so by `reads_scores = True`: otherwise only their shape is real.
        """
        return None

    def _bias_of_last(self, q: Tensor, scores: Tensor, causal: bool = False) -> Tensor | None:
        """Place 3 where keys are at 0, 1, … and queries are the last of them: the same, quicker.

        Args:
            q: As for `bias`.
            scores: As for `bias`.
            causal: Put -inf where a key is after the query.
        """
        q_len, k_len = scores.shape[-2:]
        positions = torch.arange(k_len, device=q.device)
        bias = self.bias(q, scores, positions[k_len - q_len :], positions)
        if bias is None or not causal:
            return bias
        seen = positions <= positions[k_len - q_len :, None]
        return torch.where(seen, bias, -torch.inf)

    def _view_of_last(self, q: Tensor, scores: Tensor, causal: bool = False) -> Tensor | None:
        """`_bias_of_last` with the last query's row first, where it is a view of fewer numbers."""
        return None

    def score_mod(
        self, q_len: int, k_len: int, device: torch.device | str = "cpu"
    ) -> ScoreMod | None:
        """Place 3 for `torch.nn.attention.flex_attention`, which builds no matrix of biases.

        Queries and keys are rotated before, and `flex_attention` takes this as its `score_mod`.

        >>> from torch.nn.attention.flex_attention import flex_attention
        >>> alibi = ALiBi(8, symmetric=True)
        >>> q, k, v = torch.randn(3, 1, 8, 128, 64)  # (batch, heads, tokens, head_dim)
        >>> flex = torch.compile(flex_attention, backend="eager")  # inductor where it is to be fast
        >>> out = flex(q, k, v, score_mod=alibi.score_mod(128, 128))
        >>> torch.testing.assert_close(out, attend(q, k, v, alibi))

        Args:
            q_len: Queries, the last of the keys.
            k_len: Keys, at positions 0 … k_len - 1.
            device: Of the queries.

        Returns:
            A function of score, batch, head, query and key; None where nothing is added.

        Raises:
            ValueError: If the bias is not a function of head and distance alone.
        """
        if type(self).bias is PositionalEncoding.bias:
            return None
        raise ValueError(
            f"score_mod takes a bias that depends on the distance alone, and that of "
            f"{type(self).__name__} does not."
        )

    def mix(
        self, weights: Tensor, v: Tensor, q_positions: Tensor, k_positions: Tensor
    ) -> Tensor | None:
        """Place 4: return what is added to `weights @ v`, (batch, heads, q_len, head_dim)."""
        return None


class BiasOfLengths(PositionalEncoding):
    """Place 3 for biases that read no query: such an encoding is called with two lengths."""

    def forward(
        self,
        q_len: int,
        k_len: int | None = None,
        *,
        causal: bool = False,
        dtype: torch.dtype | None = None,
        device: torch.device | str | None = None,
    ) -> Tensor:
        """Return the bias itself, for an attention other than `attend`.

        Args:
            q_len: Queries, the last of the keys, at least 1.
            k_len: Keys, at positions 0 … k_len - 1; default q_len.
            causal: Put -inf where a key is after the query.
            dtype: Of the queries; default that of the parameters, or torch's default dtype.
            device: Of the queries; default that of the module.

        Returns:
            (heads, q_len, k_len), the `attn_mask` of torch's scaled_dot_product_attention.

        Raises:
            ValueError: If an argument is out of range.
        """
        q_len = check_int("q_len", q_len, 1)
        k_len = q_len if k_len is None else check_int("k_len", k_len, 1)
        check_int("q_len", q_len, 1, maximum=k_len)
        check_bool("causal", causal)
        trained = next(self.parameters(), None)
        if device is None:
            computed = (x for module in self.modules() for x in vars(module).values())
            own = (x for x in (trained, *computed) if isinstance(x, Tensor))
            device = next((x.device for x in own), "cpu")
        if dtype is None:
            dtype = torch.get_default_dtype() if trained is None else trained.dtype
        # Nothing of this size is built: only shape, dtype and device are looked at.
        scores = torch.empty((), dtype=dtype, device=device).expand(1, 1, q_len, k_len)
        bias = self._bias_of_last(scores, scores, causal)
        assert bias is not None
        return bias


def _settings(encoding: PositionalEncoding) -> tuple[str, ...]:
    return tuple(inspect.signature(type(encoding)).parameters)


def _short(value: object) -> str:
    """The repr of a setting, a scaling's without what was left as it is by default."""
    if not is_dataclass(value):
        return repr(value)
    own = ((field, getattr(value, field.name)) for field in fields(value))
    given = (f"{field.name}={number!r}" for field, number in own if number != field.default)
    return f"{type(value).__name__}({', '.join(given)})"


def check_encoding(encoding: object) -> PositionalEncoding:
    """Return `encoding` if it is one."""
    if isinstance(encoding, PositionalEncoding):
        return encoding
    raise ValueError(
        f"encoding must be a PositionalEncoding such as RoPE(64), got {shown(encoding)}."
    )


def check_sizes(encoding: PositionalEncoding, num_heads: int | None, head_dim: int) -> None:
    """Heads, where they are known, and their width must be those the encoding was made for."""
    for name, own, given in (
        ("heads", getattr(encoding, "num_heads", None), num_heads),
        ("channels a head", getattr(encoding, "head_dim", None), head_dim),
    ):
        if own is not None and given is not None and own != given:
            kind = type(encoding).__name__
            raise ValueError(f"{kind} was made for {own} {name}, but q has {given}.")


def scale_of(encoding: PositionalEncoding, head_dim: int, scale: float | None) -> float:
    """Factor on q·k: the one that is given, the encoding's own, or 1 / sqrt(head_dim)."""
    own = encoding.scale
    if scale is None:
        return head_dim**-0.5 if own is None else own
    check_number("scale", scale)
    if own is None:
        return scale
    if not math.isclose(scale, own):
        kind = type(encoding).__name__
        raise ValueError(
            f"scale must be {own:g} or None for this {kind}, whose bias is scaled by it, got "
            f"{scale:g}."
        )
    return own


def relative_position(q_positions: Tensor, k_positions: Tensor) -> Tensor:
    """Key position minus query position for every pair: negative is the past.

    Args:
        q_positions: Integers, (q_len,) or (batch, q_len).
        k_positions: Integers, (k_len,) or (batch, k_len).

    Returns:
        Integers j - i of shape (q_len, k_len), or (batch, 1, q_len, k_len) if either has a batch,
        so that it broadcasts over heads.

    Raises:
        ValueError: If positions are not integers of one of these shapes.
    """
    q_positions = check_positions("q_positions", q_positions)
    k_positions = check_positions("k_positions", k_positions)
    difference = k_positions[..., None, :] - q_positions[..., :, None]
    return difference if difference.dim() == 2 else difference[:, None]


class NoPE(PositionalEncoding):
    """Every place is left alone.

    A causal mask still tells positions apart: with equal scores, row i of the attention is
    1 / (i + 1). Without a mask the output is the same whatever the order of the tokens.

    Source: Haviv et al. 2022, arXiv:2203.16634; Kazemnejad et al. 2023, arXiv:2305.19466.
    """
