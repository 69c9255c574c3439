"""The snippets of the side-by-side screen: the first picture by `posenc` (and `lab`) alone."""

from collections.abc import Sequence

from pages.side_by_side.comparison import ComparisonSettings, Contender
from ui.text import live

RANDOM = """\
ids = {ids}
place = dict(device="{device}", dtype={dtype})
model = RandomProjections({seed}, d_model={d_model}, num_heads={num_heads}, head_dim={head_dim})
shape = ModelShape(model.d_model, model.num_heads, model.head_dim, length=len(ids))
x = model.embed(ids).to(**place)
encodings = [
{encodings}]
traces = []
for encoding in encodings:
    randomise(encoding, seed={seed}).to(**place)
    with torch.no_grad():
        q, k, v = model.project(encoding.embed(x, torch.arange(len(ids), device="{device}")))
        traces.append(attend(q, k, v, encoding, mask={mask}, trace=True))
"""
TRAINED = """\
from pathlib import Path
from lab.training.checkpoints import load_checkpoint  # from the project's folder
from lab.model.encodings import encoding_for

ids = {ids}
tokens, index = torch.tensor([ids], device="{device}"), torch.arange(len(ids))
attentions = []
for name, scaling in [
{encodings}]:
    model = load_checkpoint(Path(f"data/lab/text-{{name}}-s0.safetensors")).model.to("{device}")
    ready = encoding_for(model.encoding, len(ids), 0, scaling).to("{device}")
    layers = model.with_encoding(ready).attentions(tokens, pairs={pairs})
    attentions.append(layers[{layer}])
"""
MATRICES = """\
trace = traces[0]  # those of the others follow
plain_q, plain_k, _ = model.project(x)
content = plain_q @ plain_k.mT * model.head_dim**-0.5
stage = ({expression})[0, {head}].masked_fill(trace.masked[0, {head}] == -torch.inf, torch.nan)
tokens = Axis("token", len(ids))
values = view(Computed(stage, "{stage}", tokens, tokens), cells={cells}).values
"""
TRAINED_MATRICES = """\
stage = AttentionStage(attentions[0], "{stage}", {head}, "{stage}")  # those of the others follow
whole = Computed(stage.at(index, index), "{stage}", stage.rows, stage.cols)
values = view(whole, cells={cells}).values
"""
CURVES = "values = torch.stack([mean_by_distance(trace.logits[0, {head}]) for trace in traces])\n"
TRAINED_CURVES = """\
stages = [AttentionStage(one, "logits", {head}, "logit") for one in attentions]
values = torch.stack([mean_by_distance(stage.at(index, index)) for stage in stages])
"""
COST = "values = torch.tensor([sum(p.numel() for p in e.parameters()) for e in encodings])\n"
EXPRESSIONS = {
    "logits": "trace.logits",
    "position": "trace.scaled + trace.bias - content",
    "weights": "trace.weights",
    "surplus": "attention_surplus(trace.logits)",
}


def matrices(
    settings: ComparisonSettings,
    contenders: Sequence[Contender],
    stage: str,
    head: int,
    cells: tuple[int, int],
) -> str:
    values = MATRICES if settings.layer is None else TRAINED_MATRICES
    fields = {"expression": EXPRESSIONS[stage], "head": head, "stage": stage, "cells": cells}
    return _start(settings, contenders) + values.format(**fields)


def curves(settings: ComparisonSettings, contenders: Sequence[Contender], head: int) -> str:
    """Scores against distance."""
    values = CURVES if settings.layer is None else TRAINED_CURVES
    return _start(settings, contenders) + values.format(head=head)


def cost(settings: ComparisonSettings, contenders: Sequence[Contender]) -> str:
    return _random(settings, contenders) + COST


def _start(settings: ComparisonSettings, contenders: Sequence[Contender]) -> str:
    if settings.layer is None:
        return _random(settings, contenders)
    return TRAINED.format(
        **live.code_fields(settings)
        | {"pairs": "causal_pairs" if settings.causal else None, "layer": settings.layer},
        encodings="".join(f'    ("{one.entry}", {one.scaling!r}),\n' for one in contenders),
    )


def _random(settings: ComparisonSettings, contenders: Sequence[Contender]) -> str:
    encodings = "".join(f"    {one.code},\n" for one in contenders)
    return RANDOM.format(**live.code_fields(settings), encodings=encodings, mask=settings.mask)
