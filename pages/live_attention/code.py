"""The snippets of the live attention: the same stage of the same text, from a few lines of code."""

from dataclasses import replace

from ui.charts.matrix import CELLS, Shown
from ui.text import live
from ui.text.models import EMPTY, TRAINED, ToySettings, document_numbers

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
    "none": "pairs = None\n",
    "causal": "pairs = causal_pairs\n",
    "prefix": "pairs = lambda q, k: prefix_pairs(q, k, {reach})\n",
    "window": "pairs = lambda q, k: causal_pairs(q, k) & window_pairs(q, k, {reach})\n",
    "documents": "documents = torch.tensor({documents})\n"
    "pairs = lambda q, k: causal_pairs(q, k) & document_pairs(q, k, documents)\n",
}


def snippet(settings: ToySettings, stage: str, layer: int, head: int, shown: Shown) -> str:
    """Snippet that draws the picture by `posenc` (and `lab` for a trained model) alone."""
    return _start(settings, layer) + END.format(
        stage=stage,
        head=head,
        name=live.STAGES[stage],
        rows=shown.rows,
        cols=shown.cols,
        cells=CELLS,
    )


def snippet_of_both(settings: ToySettings, layer: int, stages: str) -> str:
    """Snippet that draws the scores before and after position."""
    return _start(settings, layer) + stages


def _start(settings: ToySettings, layer: int) -> str:
    tokens = settings.tokens
    if settings.model == EMPTY:
        tokens = tokens._replace(ids=[0] * settings.length)
    documents = (
        ", ".join(map(str, document_numbers(settings))) if settings.mask == "documents" else ""
    )
    mask = MASKS[settings.mask].format(reach=settings.reach, documents=f"[{documents}]")
    fields = live.code_fields(replace(settings, tokens=tokens)) | {
        "mask": mask,
        "offset": settings.offset,
        "layer": layer,
    }
    if settings.model == TRAINED:
        return TRAINED_START + TRAINED_CODE.format(**fields)
    return RANDOM_CODE.format(**fields)
