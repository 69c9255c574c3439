"""The lab's training against a plain loop: `python -m benchmarks.training`.

The peer is the loop that everybody writes first: a GPT with learned positions, LayerNorm, fused
q, k, v, GELU, torch's own attention and torch's AdamW, of equal layers, width, heads and head_dim
and of about as many parameters, on the same batches in the same process. A ratio is the lab's time
per token over the peer's, below 1 where the lab is faster: as the lab trains, and with the peer's
AdamW in the place of the lab's optimiser, whose Muon costs more per update.

`--equal-time` measures what that price buys: the loss of both after about equal time.
"""

import argparse
import json
from collections.abc import Callable
from statistics import fmean

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, scaled_dot_product_attention

from benchmarks.timing import interleaved, ratio
from lab.spec import RunSpec, recall_spec, text_spec
from lab.tasks.batch import Batch
from lab.training.loop import VOCAB, Trainer, batch_at
from lab.training.malloc import keep_freed_memory
from lab.training.optimisers import learning_rate


class PlainBlock(nn.Module):
    """Attention and MLP of a GPT."""

    def __init__(self, spec: RunSpec, inner: int) -> None:
        super().__init__()
        width, attended = spec.d_model, spec.heads * spec.head_dim
        self.heads = spec.heads
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * attended)
        self.out = nn.Linear(attended, width)
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
        self.blocks = nn.Sequential(*(PlainBlock(spec, inner) for _ in range(spec.layers)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocab, bias=False)

    def forward(self, tokens: Tensor) -> Tensor:
        """Logits (batch, seq, vocab)."""
        places = self.places(torch.arange(tokens.shape[1]))
        return self.head(self.norm(self.blocks(self.tokens(tokens) + places)))


def without_table(model: nn.Module) -> int:
    """Parameters but the 4096 positions, of which a update touches few."""
    return sum(p.numel() for n, p in model.named_parameters() if not n.startswith("places"))


def plain_model(spec: RunSpec, wanted: int) -> PlainGPT:
    """A GPT of `wanted` parameters or a little more, by the width of its MLP."""
    vocab = VOCAB[spec.task]
    empty = without_table(PlainGPT(spec, vocab, 1))
    return PlainGPT(spec, vocab, 1 + (wanted - empty) // (2 * spec.d_model * spec.layers))


def adamw(model: nn.Module, rate: float = 3e-4) -> torch.optim.Optimizer:
    """The plain loop's optimiser."""
    return torch.optim.AdamW(model.parameters(), rate, betas=(0.9, 0.95))


def plain_update(model: PlainGPT, optimiser: torch.optim.Optimizer, batch: Batch) -> float:
    """One update of the plain GPT; its loss."""
    chosen = batch.weights > 0
    loss = cross_entropy(model(batch.inputs)[chosen], batch.targets[chosen])
    loss.backward()
    optimiser.step()
    optimiser.zero_grad()
    return loss.item()


def updates_of(spec: RunSpec) -> tuple[dict[str, Callable[[], object]], dict[str, int]]:
    """One training update of each, over and over, and how many parameters each has."""
    trainer, same = Trainer(spec), Trainer(spec)
    same.optimisers, same.rates = [adamw(same.model)], [3e-4]
    model = plain_model(spec, trainer.model.size)
    optimiser = adamw(model)
    late = spec.updates - 1  # the longest sequences
    functions = {
        "lab": lambda: trainer.learn(batch_at(spec, late), 0.1),
        "lab, AdamW": lambda: same.learn(batch_at(spec, late), 0.1),
        "plain": lambda: plain_update(model, optimiser, batch_at(spec, late)),
    }
    return functions, {"lab": trainer.model.size, "plain": without_table(model)}


def speed(spec: RunSpec, seconds: float) -> dict[str, object]:
    """Ratios of time per token."""
    functions, sizes = updates_of(spec)
    taken = interleaved(functions, torch.device("cpu"), seconds)
    found: dict[str, object] = {"run": spec.name, "parameters": sizes}
    for name in ("lab", "lab, AdamW"):
        middle, low, high = ratio(taken[name], taken["plain"])
        found[f"{name} / plain, median and quartiles"] = [round(x, 3) for x in (middle, low, high)]
    middle = sorted(taken["lab"])[len(taken["lab"]) // 2]
    return {**found, "tokens per second": round(spec.tokens_per_update / middle)}


def equal_time(spec: RunSpec, price: float = 1.2) -> dict[str, object]:
    """Loss (nats, mean of the last 50 updates) where the plain loop makes `price` times as many."""
    trainer = Trainer(spec)
    losses = [trainer.advance()["loss"] for _ in range(spec.updates)]
    found: dict[str, object] = {"run": spec.name, "lab": round(fmean(losses[-50:]), 3)}
    updates = round(price * spec.updates)
    for rate in (1e-3, 3e-3):
        torch.manual_seed(spec.seed)
        model = plain_model(spec, trainer.model.size)
        optimiser, losses = adamw(model, rate), []
        for update in range(updates):
            optimiser.param_groups[0]["lr"] = rate * learning_rate(update, updates)
            # The same part of the curriculum as the lab's at this part of the time.
            batch = batch_at(spec.changed(updates=updates), update)
            losses.append(plain_update(model, optimiser, batch))
        found[f"plain, {updates} updates, rate {rate:g}"] = round(fmean(losses[-50:]), 3)
    return found


def main() -> None:
    """Print a line for each spec."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each turn; there are nine")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--equal-time", action="store_true", help="losses; takes some minutes")
    parser.add_argument("--smoke", action="store_true", help="a moment each, to see that it runs")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    keep_freed_memory()  # as in the lab's workers; the peer, which needs it less, has it too
    seconds = 0.01 if arguments.smoke else arguments.seconds
    for spec in (text_spec("rope"), text_spec("learned"), text_spec("alibi"), recall_spec("rope")):
        if not arguments.equal_time:
            print(json.dumps(speed(spec, seconds) | {"threads": arguments.threads}), flush=True)
        elif spec.encoding == "rope":
            print(json.dumps(equal_time(spec)), flush=True)


if __name__ == "__main__":
    main()
