"""State of a recurrent layer in the place of keys and values, the same at every length."""

from dataclasses import dataclass

from advisor.memory.sizes import Sizes


@dataclass(frozen=True)
class State:
    """Numbers that one layer keeps of one text.

    Attributes:
        conv: Of its short convolution, in the type of the weights.
        recurrent: Of its recurrence, in float32.
        kernel: Tokens that the convolution sees; 0 where there is none.
    """

    conv: int
    recurrent: int
    kernel: int = 0

    @property
    def before(self) -> int:
        """Numbers of the convolution without the present token, which some engines leave out."""
        return self.conv - self.conv // self.kernel if self.kernel else self.conv


def state_numbers(sizes: Sizes, per_token: int) -> State:
    """The state of the model's recurrent layers, which keep `per_token` numbers of a token as well.

    Raises:
        ValueError: If the file does not give its widths.

    Source: the models' code in transformers 5.23: Gated DeltaNet (qwen3_next), Mamba (jamba),
    Mamba 2 (bamba, nemotron_h), Kimi Delta Attention (kimi_linear), short convolutions (lfm2).
    """
    kernel = sizes.whole("conv_kernel_size")
    if kernel is not None:
        # Inkling: four convolutions, over keys, values and twice the hidden vector, in float32.
        return State(0, (per_token + 2 * sizes.need("hidden_size")) * kernel)
    for belongs, make in _STATES:
        if sizes.whole(belongs) is not None:
            return make(sizes)
    raise ValueError("The file does not say how large the state of a recurrent layer is.")


def _delta_net(sizes: Sizes) -> State:
    keys = sizes.need("linear_num_key_heads") * sizes.need("linear_key_head_dim")
    values = sizes.need("linear_num_value_heads") * sizes.need("linear_value_head_dim")
    kernel = sizes.need("linear_conv_kernel_dim")
    return State((2 * keys + values) * kernel, values * sizes.need("linear_key_head_dim"), kernel)


def _delta_attention(sizes: Sizes) -> State:
    heads = sizes.need("linear_num_heads")
    width = sizes.need("linear_head_dim")
    kernel = sizes.need("linear_conv_kernel_dim")
    return State(3 * heads * width * kernel, heads * width * width, kernel)


def _mamba_2(sizes: Sizes) -> State:
    inner = sizes.whole("mamba_d_ssm") or sizes.need("mamba_expand") * sizes.need("hidden_size")
    return _mamba_2_of(
        inner, sizes.need("mamba_n_groups"), sizes.need("mamba_d_state"), sizes.need("mamba_d_conv")
    )


def _nemotron(sizes: Sizes) -> State:
    inner = sizes.need("mamba_num_heads") * sizes.need("mamba_head_dim")
    return _mamba_2_of(
        inner, sizes.need("n_groups"), sizes.need("ssm_state_size"), sizes.need("conv_kernel")
    )


def _mamba_2_of(inner: int, groups: int, state: int, kernel: int) -> State:
    return State((inner + 2 * groups * state) * kernel, inner * state, kernel)


def _mamba(sizes: Sizes) -> State:
    inner = sizes.need("mamba_expand") * sizes.need("hidden_size")
    kernel = sizes.need("mamba_d_conv")
    return State(inner * kernel, inner * sizes.need("mamba_d_state"), kernel)


def _short_convolution(sizes: Sizes) -> State:
    kernel = sizes.need("conv_L_cache")
    return State(sizes.need("hidden_size") * kernel, 0, kernel)


_STATES = (
    ("linear_num_key_heads", _delta_net),
    ("linear_num_heads", _delta_attention),
    ("mamba_n_groups", _mamba_2),
    ("mamba_num_heads", _nemotron),
    ("mamba_d_state", _mamba),
    ("conv_L_cache", _short_convolution),
)
"""By the field that no other kind has."""
