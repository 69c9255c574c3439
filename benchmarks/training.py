"""Tokens per second of the lab's training against a plain loop: `python -m benchmarks.training`.

The peer is the loop that everybody writes first: a GPT with learned positions, LayerNorm, fused
q, k, v, GELU, torch's own attention and torch's AdamW, of about as many parameters, on the same
batches in the same process. A ratio is the lab's time per token over the peer's, below 1 where the
lab is faster. The lab's optimiser does more per step (Muon), which the ratio includes.
"""

import argparse
import json
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, scaled_dot_product_attention

from benchmarks.timing import interleaved, ratio
from lab.spec import RunSpec, recall_spec, text_spec
from lab.training import VOCAB, Trainer, batch_at


class PlainBlock(nn.Module):
    """Attention and MLP of a GPT."""

    def __init__(self, width: int, heads: int, inner: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, inner), nn.GELU(), nn.Linear(inner, width))

    def forward(self, x: Tensor) -> Tensor:
        """(batch, seq, width) to the same."""
        qkv = self.qkv(self.norm_1(x)).unflatten(-1, (3, self.heads, -1))
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        mixed = scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).flatten(-2))
        return x + self.mlp(self.norm_2(x))


class PlainGPT(nn.Module):
    """Embeddings, blocks, head."""

    def __init__(self, spec: RunSpec, vocab: int, inner: int) -> None:
        super().__init__()
        width = spec.d_model
        self.tokens, self.places = nn.Embedding(vocab, width), nn.Embedding(4096, width)
        self.blocks = nn.Sequential(
            *(PlainBlock(width, spec.heads, inner) for _ in range(spec.layers))
        )
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocab, bias=False)

    def forward(self, tokens: Tensor) -> Tensor:
        """Logits (batch, seq, vocab)."""
        places = self.places(torch.arange(tokens.shape[1]))
        return self.head(self.norm(self.blocks(self.tokens(tokens) + places)))


def without_table(model: nn.Module) -> int:
    """Parameters but the 4096 positions, of which a step touches few."""
    return sum(p.numel() for n, p in model.named_parameters() if not n.startswith("places"))


def plain_model(spec: RunSpec, wanted: int) -> PlainGPT:
    """A GPT of `wanted` parameters or a little more, by the width of its MLP."""
    vocab = VOCAB[spec.task]
    empty = without_table(PlainGPT(spec, vocab, 1))
    return PlainGPT(spec, vocab, 1 + (wanted - empty) // (2 * spec.d_model * spec.layers))


def steps_of(spec: RunSpec) -> tuple[dict[str, Callable[[], object]], dict[str, int]]:
    """One training step of each, over and over, and how many parameters each has."""
    trainer = Trainer(spec)
    model = plain_model(spec, trainer.model.size)
    optimiser = torch.optim.AdamW(model.parameters(), 3e-4)
    late = spec.steps - 1  # the longest sequences

    def ours() -> None:
        trainer.learn(batch_at(spec, late), 0.1)

    def plain() -> None:
        batch = batch_at(spec, late)
        chosen = batch.weights > 0
        loss = cross_entropy(model(batch.inputs)[chosen], batch.targets[chosen])
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()

    sizes = {"lab": trainer.model.size, "plain": without_table(model)}
    return {"lab": ours, "plain": plain}, sizes


def main() -> None:
    """Print a line for each spec."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each turn; there are nine")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--smoke", action="store_true", help="a moment each, to see that it runs")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    for spec in (text_spec("rope"), text_spec("learned"), text_spec("alibi"), recall_spec("rope")):
        functions, sizes = steps_of(spec)
        seconds = 0.01 if arguments.smoke else arguments.seconds
        taken = interleaved(functions, torch.device("cpu"), seconds)
        low, middle, high = sorted(ratio(taken["lab"], taken["plain"]))
        line = {"run": spec.name, "parameters": sizes, "threads": arguments.threads}
        line |= {"lab / plain, median and quartiles": [round(x, 3) for x in (middle, low, high)]}
        line["tokens per second"] = round(
            spec.tokens_per_step / sorted(taken["lab"])[len(taken["lab"]) // 2]
        )
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
