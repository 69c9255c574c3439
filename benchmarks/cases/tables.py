"""Tables of positions."""

from benchmarks import peers
from benchmarks.cases.case import Case, Size, when
from posenc import sinusoidal_table


def sinusoidal(size: Size) -> Case:
    """The sinusoidal table, d_model = 8 · head_dim; ours in float64, theirs in float32."""
    d_model = 8 * size.head_dim
    gptj, m2m = peers.model("gptj"), peers.model("m2m_100")
    return Case(
        "sinusoidal table",
        f"d_model {d_model}, length {size.length:,}",
        lambda: sinusoidal_table(size.length, d_model, layout="concatenated").to(size.dtype),
        {
            "transformers (GPT-J)": when(
                gptj, lambda: gptj.create_sinusoidal_positions(size.length, d_model)
            ),
            "transformers (M2M-100)": when(
                m2m,
                lambda: m2m.M2M100SinusoidalPositionalEmbedding.get_embedding(size.length, d_model),
            ),
        },
        size.length * d_model * size.dtype.itemsize,
    )
