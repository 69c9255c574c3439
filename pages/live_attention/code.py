"""The snippets of the live attention: the same stage of the same text, from a few lines of code."""

from ui.charts.matrix import CELLS, Shown
from ui.controls.device import working_dtype
from ui.text import live
from ui.text.models import EMPTY, TRAINED, Asked, document_numbers

TRAINED_START = """\
from pathlib import Path
from lab.training.checkpoints import load_checkpoint  # from the project's folder
"""
TRAINED_CODE = """
ids = {ids}
model = load_checkpoint(Path("data/lab/text-{encoding}-s0.safetensors")).model.to("{device}")
positions = torch.arange(len(ids), device="{device}") + {offset}
{mask}layers = model.attentions(torch.tensor([ids], device="{device}"), positions, pairs)
attention = layers[{layer}]
"""
RANDOM_CODE = """
ids = {ids}
place = dict(device="{device}", dtype={dtype})
model = RandomProjections({seed}, d_model={d_model}, num_heads={num_heads}, head_dim={head_dim})
shape = ModelShape(model.d_model, model.num_heads, model.head_dim, length=len(ids) + {offset})
encoding = randomise(CATALOGUE["{encoding}"].build(shape), seed={seed}).to(**place)
x = model.embed(ids).to(**place)
positions = torch.arange(len(ids), device="{device}") + {offset}
with torch.no_grad():
    q, k, v = model.project(encoding.embed(x, positions))
{mask}attention = AttentionRows(q, k, v, encoding, pairs, positions, model.project(x)[:2])
"""
END = """\
stage = AttentionStage(attention, "{stage}", head={head}, name="{name}")
values = view(stage, {rows}, {cols}, {cells}).values
"""
MASKS = {
    "none": "pairs = None\n",  # not words
    "causal": "pairs = causal_pairs\n",  # not words
    "prefix": "pairs = lambda q, k: prefix_pairs(q, k, {reach})\n",  # not words
    "window": "pairs = lambda q, k: "  # not words
    "causal_pairs(q, k) & window_pairs(q, k, {reach})\n",
    "documents": "documents = torch.tensor({documents})\n"
    "pairs = lambda q, k: causal_pairs(q, k) & document_pairs(q, k, documents)\n",
}


def snippet(asked: Asked, stage: str, layer: int, head: int, shown: Shown) -> str:
    """What is drawn, by `posenc` (and `lab` for a trained model) alone."""
    tokens = asked.tokens
    if asked.model == EMPTY:
        tokens = tokens._replace(ids=[0] * asked.length)
    documents = ", ".join(map(str, document_numbers(asked))) if asked.mask == "documents" else ""
    mask = MASKS[asked.mask].format(reach=asked.reach, documents=f"[{documents}]")
    fields = {
        "ids": live.ids_as_code(tokens),
        "mask": mask,
        "device": asked.device.type,
        "dtype": working_dtype(asked.device),
        "encoding": asked.encoding,
        "offset": asked.offset,
        "layer": layer,
        "seed": asked.seed,
        "d_model": asked.num_heads * asked.head_dim,
        "num_heads": asked.num_heads,
        "head_dim": asked.head_dim,
    }
    end = END.format(
        stage=stage,
        head=head,
        name=live.STAGES[stage],
        rows=shown.rows,
        cols=shown.cols,
        cells=CELLS,
    )
    if asked.model == TRAINED:
        return TRAINED_START + TRAINED_CODE.format(**fields) + end
    return RANDOM_CODE.format(**fields) + end
