"""A small server that stands in for an engine: it rotates as a config says, and can be broken.

Its tokens are words. What comes next is a softmax over a few words whose logits are real attention
of the last word over all others, so that a wrong or missing scaling changes its log-probabilities
as in a model. Numbers hidden in a prompt are looked up, as far back as it `reads`.
"""

import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import torch

from advisor import RopeConfig
from posenc import apply_rope
from posenc.random_model import RandomProjections

WORDS = ("the", "harbour", "was", "quiet", "and", "ships", "lay", "still", "gulls", "slept")
MODEL = RandomProjections(seed=3, d_model=32, num_heads=1, head_dim=32)
NEEDLE = re.compile(r"door code: (\w+) (\d{5})\.")
ASKED = re.compile(r"door code of (\w+)\?[^?]*$")
FILE: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 32,
    "num_attention_heads": 1,
    "rope_theta": 10000.0,
    "max_position_embeddings": 1024,
}
TRAINED, TARGET = 1024, 4096
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": TRAINED}
SCALED = FILE | {"max_position_embeddings": TARGET, "rope_scaling": YARN}


def token(word: str) -> int:
    """The id of a word."""
    return sum(ord(c) * 31**i for i, c in enumerate(word)) % 997


def tops(config: dict[str, Any], words: Sequence[str], shift: int = 0) -> dict[str, float]:
    """Log-probabilities of what follows the words, read as a config says."""
    (layer,) = RopeConfig.from_hf(config).rotary.values()
    inv_freq, factor = layer.frequencies(len(words))
    ids = [token(word) for word in words[-256:]]
    q, k, v = (x[0, 0] for x in MODEL.project(MODEL.embed(ids)))
    places = torch.arange(len(ids))
    places[: len(ids) // 2] += shift
    q, k = (apply_rope(x.double(), places, inv_freq, "half", factor) for x in (q, k))
    mixed = (q[-1] @ k.T / 32**0.5).softmax(-1) @ v.double()
    logits = MODEL.embed([token(word) for word in WORDS])[0].double() @ mixed
    values = (12 * logits).log_softmax(-1)
    return dict(zip(WORDS, values.tolist(), strict=True))


def common(words: Sequence[str], others: Sequence[str]) -> int:
    """How many words two prompts begin with alike; 0 below a block of 16."""
    pairs = enumerate(zip(words, others, strict=False))
    alike = next((i for i, (one, other) in pairs if one != other), len(words))
    return alike if alike >= 16 else 0


class Raw(NamedTuple):
    """The bytes of an answer, the status and headers that go with them, seconds between two."""

    data: bytes
    status: int = 0
    headers: dict[str, str] | None = None
    pause: float = 0.0


@dataclass
class Engine:
    """The model behind a stand-in server, and its faults.

    Args:
        config: The config.json that it runs, whatever it was given.
        admits: Tokens that it admits to; None for a server that names no length.
        reads: Tokens, counted from the end, in which it finds a number.
        refuses: Whether a longer prompt is refused; it is cut to its end otherwise.
        caches: Whether it says what came from a prefix cache.
        stale: Whether keys from its cache are those of other positions.
        blurred: Whether keys of a beginning that another prompt brought are at other positions.
        padded: Whether a prompt among others is read at shifted positions.
        top: Whether it gives log-probabilities.
        chats: Whether it answers messages alone.
        counts: Whether it says how many tokens a prompt has.
        falls: Tokens of a prompt beyond which it gives no answer; None for none.
        drops: The words that a prompt of so many loses before it is read: their places.
        instead: What it answers to a prompt of so many words in place of an answer; None for
            nothing else. A part of a choice with "choice", of the whole answer otherwise.
        says_what_it_read: Whether it counts the words that are left of these.
        where: The form in which it names its length: "vllm" or "llama.cpp".
        pages: Further answers, by path.
    """

    config: dict[str, Any]
    admits: int | None = TARGET
    reads: int = TARGET
    refuses: bool = True
    caches: bool = True
    stale: bool = False
    blurred: bool = False
    padded: bool = False
    top: bool = True
    chats: bool = False
    counts: bool = True
    falls: int | None = None
    drops: Callable[[int], Iterable[int]] = lambda words: ()
    says_what_it_read: bool = False
    instead: Callable[[int], Any] = lambda words: None
    where: str = "vllm"
    pages: dict[str, Any] = field(default_factory=dict)
    prompts: list[str] = field(default_factory=list)

    def page(self, path: str) -> tuple[int, Any]:
        """The answer to a GET."""
        if path in self.pages:
            return 200, self.pages[path]
        rows: dict[str, Any] = {"id": "stand-in"}
        if path == "/v1/models":
            if self.admits and self.where == "vllm":
                rows["max_model_len"] = self.admits
            if self.admits and self.where == "llama.cpp":
                rows["meta"] = {"n_ctx": self.admits, "n_ctx_train": TRAINED}
            return 200, {"object": "list", "data": [rows]}
        if path == "/props" and self.where == "llama.cpp":
            return 200, {"default_generation_settings": {"n_ctx": self.admits}}
        return 404, {"detail": "Not Found"}

    def reply(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        """The answer to a POST."""
        if path in self.pages:
            return 200, self.pages[path]
        if path != ("/v1/chat/completions" if self.chats else "/v1/completions"):
            return 404, {"detail": "Not Found"}
        if "logprobs" in body and not self.top:
            return 400, {"error": {"message": "logprobs is not supported"}}
        prompt = body["messages"][0]["content"] if self.chats else body["prompt"]
        if isinstance(prompt, str):
            return self.answered([prompt], body)
        return self.answered(prompt, body)

    def answered(self, prompts: list[str], body: dict[str, Any]) -> tuple[int, Any]:
        """The choices for prompts that came together."""
        choices, usage = [], {}
        for index, prompt in enumerate(prompts):
            words = prompt.split()
            if self.falls and len(words) > self.falls:
                return 0, None
            if self.admits and len(words) + body["max_tokens"] > self.admits:
                if self.refuses:
                    told = (
                        f"This model's maximum context length is {self.admits} tokens. "
                        f"However, your prompt contains {len(words)} input tokens."
                    )
                    return 400, {"error": {"message": told, "code": 400}}
                words = words[len(words) + body["max_tokens"] - self.admits :]
            sent = len(words)
            lost = set(self.drops(len(words)))
            words = [word for place, word in enumerate(words) if place not in lost]
            counted = len(words) if self.says_what_it_read else sent
            hit = max((common(words, one.split()) for one in self.prompts), default=0)
            is_stale = self.stale if prompt in self.prompts else self.blurred and hit
            self.prompts.append(prompt)
            shift = 7 if is_stale or (len(prompts) > 1 and self.padded) else 0
            given = tops(self.config, words, shift)
            best = dict(sorted(given.items(), key=lambda one: -one[1])[:5])
            near = " ".join(words[-self.reads :])
            hidden = dict(NEEDLE.findall(near))
            asked = ASKED.search(near)
            text = next(iter(best)) if asked is None else hidden.get(asked[1], "00000")
            choice: dict[str, Any] = {"index": index, "text": f" {text}"}
            if self.chats:
                choice["message"] = {"role": "assistant", "content": f"It is {text}."}
            if "logprobs" in body:
                row = {"token": next(iter(best)), "logprob": max(best.values())}
                rows = [{"token": name, "logprob": value} for name, value in best.items()]
                choice["logprobs"] = (
                    {"content": [row | {"top_logprobs": rows}]}
                    if self.where == "llama.cpp" or self.chats
                    else {"top_logprobs": [best]}
                )
            other = self.instead(sent)
            if isinstance(other, dict) and "choice" in other:
                choice |= other["choice"]
            elif other is not None:
                return 200, other
            choices.append(choice)
            if self.counts:
                cached = {"cached_tokens": min(hit, counted - 1)} if self.caches else None
                usage = {"prompt_tokens": counted, "prompt_tokens_details": cached}
        return 200, {"choices": choices, "usage": usage}


@contextmanager
def standing(engine: Engine) -> Iterator[str]:
    """The server, started; its address."""

    gone = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.give(*engine.page(self.path))

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.give(*engine.reply(self.path, body))

        def give(self, status: int, body: Any) -> None:
            self.close_connection = True
            if not status:
                return
            raw = body if isinstance(body, Raw) else Raw(json.dumps(body).encode())
            self.send_response(raw.status or status)
            if raw.headers is None:
                self.send_header("Content-Length", str(len(raw.data)))
            for name, value in (raw.headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            if not raw.pause:
                self.wfile.write(raw.data)
                return
            for byte in raw.data:
                self.wfile.write(bytes([byte]))
                if gone.wait(raw.pause):
                    return

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        gone.set()
        server.shutdown()
        server.server_close()
        thread.join()
