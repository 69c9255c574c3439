"""A small GPT with any encoding of the catalogue: trained, exported, compiled, decoded.

`python -m benchmarks.gpt` does all of it with every encoding and says what each step costs; names
of encodings behind it choose. The text is the project's own code, letter by letter.
"""

import argparse
import time
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

import posenc
from benchmarks.report import markdown
from posenc.catalogue import CATALOGUE, ModelShape

LETTERS = 256
SHAPE = ModelShape(d_model=64, num_heads=4, head_dim=16, length=256)


class Attention(nn.Module):
    """Heads that attend with an encoding: a text at once, or what comes behind a cache."""

    def __init__(self, width: int, heads: int, encoding: posenc.PositionalEncoding) -> None:
        super().__init__()
        self.heads, self.encoding = heads, encoding
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def forward(self, x: Tensor, cache: posenc.KVCache | None = None) -> Tensor:
        # (batch, seq, 3 · width) -> three of (batch, heads, seq, head_dim)
        q, k, v = self.qkv(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        if cache is None:
            seen = posenc.attend(q, k, v, self.encoding, mask="causal")
        else:
            seen = cache.step(q, k, v)
        return self.out(seen.transpose(1, 2).flatten(-2))


class Block(nn.Module):
    """Attention and a network, each added to what goes through."""

    def __init__(self, width: int, attention: Attention) -> None:
        super().__init__()
        self.before = nn.LayerNorm(width)
        self.attention = attention
        self.network = nn.Sequential(
            nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, x: Tensor, cache: posenc.KVCache | None) -> Tensor:
        x = x + self.attention(self.before(x), cache)
        return x + self.network(x)


class GPT(nn.Module):
    """Letters in, the next letter out."""

    def __init__(self, encoding: str, shape: ModelShape = SHAPE, layers: int = 2) -> None:
        super().__init__()
        self.embedding = nn.Embedding(LETTERS, shape.d_model)
        width, build = shape.d_model, CATALOGUE[encoding].build
        self.blocks = nn.ModuleList(
            Block(width, Attention(width, shape.num_heads, build(shape))) for _ in range(layers)
        )
        self.head = nn.Sequential(nn.LayerNorm(shape.d_model), nn.Linear(shape.d_model, LETTERS))

    def forward(self, ids: Tensor, caches: list[posenc.KVCache] | None = None) -> Tensor:
        start = caches[0].length if caches else 0
        positions = torch.arange(start, start + ids.shape[-1], device=ids.device)
        x = self.blocks[0].attention.encoding.embed(self.embedding(ids), positions)
        for block, cache in zip(self.blocks, caches or [None] * len(self.blocks), strict=True):
            x = block(x, cache)
        return self.head(x)

    def caches(self, capacity: int) -> list[posenc.KVCache]:
        encodings = [block.attention.encoding for block in self.blocks]
        return [posenc.KVCache(encoding, capacity=capacity) for encoding in encodings]


def train(model: GPT, text: Tensor, updates: int, length: int, batch: int = 8) -> list[float]:
    """Loss of each update."""
    draw = torch.Generator().manual_seed(0)
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3)
    losses = []
    for _ in range(updates):
        starts = torch.randint(0, len(text) - length - 1, (batch, 1), generator=draw)
        some = text[starts + torch.arange(length + 1)]
        loss = cross_entropy(model(some[:, :-1]).flatten(0, 1), some[:, 1:].flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses


def exported(model: GPT, ids: Tensor) -> Tensor:
    """What the exported program says of ids, which are longer than those it was made with."""
    length = torch.export.Dim("length", min=2, max=SHAPE.length)
    program = torch.export.export(model, (ids[:, :7],), dynamic_shapes={"ids": {1: length}})
    return program.module()(ids)


def decoded(model: GPT, ids: Tensor) -> Tensor:
    """The same, one letter at a time after the first half."""
    caches = model.caches(ids.shape[1])
    half = ids.shape[1] // 2
    parts = [model(ids[:, :half], caches)]
    parts += [model(ids[:, at : at + 1], caches) for at in range(half, ids.shape[1])]
    return torch.cat(parts, dim=1)


def measure(name: str, text: Tensor, updates: int, length: int, backend: str) -> dict[str, object]:
    """Train it, and say how far each way of running it is from the plain one, and how long."""
    torch.manual_seed(0)
    model = GPT(name)
    start = time.perf_counter()
    losses = train(model, text, updates, length)
    row: dict[str, object] = {"encoding": name, "loss": losses[-1], "first loss": losses[0]}
    row["train, s"] = time.perf_counter() - start
    model.eval()
    ids = text[None, :length]
    torch.compiler.reset()
    compiled = torch.compile(model, dynamic=True, fullgraph=True, backend=backend)
    with torch.no_grad():
        plain = model(ids)
        ways = {
            "export": lambda: exported(model, ids),
            "compile": lambda: compiled(ids),
            "decode": lambda: decoded(model, ids),
        }
        for way, run in ways.items():
            start = time.perf_counter()
            row[f"{way}, error"] = float((run() - plain).abs().max())
            row[f"{way}, s"] = time.perf_counter() - start
    return row


def own_text() -> Tensor:
    """The project's own code."""
    here = Path(__file__).resolve().parent
    letters = "".join(path.read_text("utf-8") for path in sorted(here.glob("*.py")))
    return torch.tensor(list(letters.encode()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("encodings", nargs="*", default=list(CATALOGUE), help="default: all")
    parser.add_argument("--updates", type=int, default=200)
    parser.add_argument("--length", type=int, default=64)
    parser.add_argument("--backend", default="inductor", help="of torch.compile")
    options = parser.parse_args()
    given = options.updates, options.length, options.backend
    rows = [measure(name, own_text(), *given) for name in options.encodings]
    body = [[v if isinstance(v, str) else f"{v:.3g}" for v in row.values()] for row in rows]
    print(markdown(rows[0], body))


if __name__ == "__main__":
    main()
