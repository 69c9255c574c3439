"""The length that a server admits to, wherever it says it."""

import re
from dataclasses import dataclass
from typing import Any, Literal

from advisor.endpoint.client import Client, NoAnswerError
from posenc.words import Sentence, say

Meaning = Literal["serves", "declares"]
PLACES: tuple[tuple[str, tuple[str, ...], Meaning], ...] = (
    # vLLM 0.32 and llama-server of 2026 were asked; SGLang 0.5.23 was read.
    ("/v1/models", ("data", "*", "max_model_len"), "serves"),
    ("/v1/models", ("data", "*", "meta", "n_ctx"), "serves"),
    ("/v1/models", ("data", "*", "meta", "n_ctx_train"), "declares"),
    ("/props", ("default_generation_settings", "n_ctx"), "serves"),
    ("/server_info", ("context_length",), "serves"),
    ("/get_server_info", ("context_length",), "serves"),
    # By their manuals: TGI 3.3, LM Studio, Ollama, TabbyAPI, KoboldCpp.
    ("/info", ("max_total_tokens",), "serves"),
    ("/api/v0/models", ("data", "*", "loaded_context_length"), "serves"),
    ("/api/v0/models", ("data", "*", "max_context_length"), "declares"),
    ("/api/ps", ("models", "*", "context_length"), "serves"),
    ("/v1/model", ("parameters", "max_seq_len"), "serves"),
    ("/api/extra/true_max_context_length", ("value",), "serves"),
)
"""Path, field in it ("*": the entry of the model), and what the number means."""
SAID = (
    re.compile(r"(?:maximum |max_)?context (?:length|size|window)[^0-9]{0,20}(\d{2,9})", re.I),
    re.compile(r"(?:must be|should be) (?:<=|at most|less than(?: or equal to)?) (\d{2,9})", re.I),
)
"""How servers say in a refusal where they cut."""
CHANGES = {
    "max_model_len": say("--max-model-len {length} (vLLM)"),
    "n_ctx": say("--ctx-size {length} (llama-server; times its slots, -np)"),
    "context_length": say("--context-length {length} (SGLang)"),
    "max_total_tokens": say("--max-total-tokens {length} (TGI)"),
    "loaded_context_length": say("contextLength {length} (LM Studio, load settings)"),
    "num_ctx": say("num_ctx {length} (Ollama)"),
    "max_seq_len": say("max_seq_len {length} (TabbyAPI, config.yml)"),
    "value": say("--contextsize {length} (koboldcpp)"),
}
"""By the field that names a length: what sets it."""
OLLAMA = ("/api/ps", "/api/show")


@dataclass(frozen=True)
class Length:
    """One number that the server gave.

    Attributes:
        where: Path and field.
        tokens: The number.
        meaning: "serves": what one request may hold, prompt and answer; "declares": what the
            model's file says.
    """

    where: str
    tokens: int
    meaning: Meaning


def given_lengths(client: Client, model: str) -> list[Length]:
    """Every length that a server gives.

    Args:
        client: The server.
        model: The model that is asked about, where the server holds several.
    """
    paths = dict.fromkeys(path for path, _, _ in PLACES)
    pages = {path: _page(client, path) for path in paths}
    found = [
        Length(f"{path} {'.'.join(field)}", tokens, meaning)
        for path, field, meaning in PLACES
        for tokens in _numbers(pages[path], field, model)
    ]
    if _page(client, "/api/version") is not None:
        found += _ollama(client, model)
    return found


def serves(lengths: list[Length]) -> int | None:
    """The length of one request that the server admits to; None where it gives none."""
    return min((one.tokens for one in lengths if one.meaning == "serves"), default=None)


def change(lengths: list[Length], target: int) -> Sentence:
    """The setting of a server that raises its length to a target.

    Of several the last: vLLM's field is in the answers of other servers too.
    """
    fields = [
        "num_ctx" if one.where.startswith(OLLAMA) else re.split(r"[ .]", one.where)[-1]
        for one in lengths
        if one.meaning == "serves"
    ]
    known = [CHANGES[name] for name in fields if name in CHANGES]
    return known[-1].filled(length=target) if known else say("the length that it is started with")


def names(page: Any) -> list[str]:
    """Ids of the models in an answer of /v1/models."""
    rows = page.get("data") if isinstance(page, dict) else None
    ids = [row.get("id") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return [one for one in ids if isinstance(one, str)]


def limit_in(body: Any, message: str) -> int | None:
    """Where a server that refused a prompt says that it cuts; None where it does not say."""
    inner = body.get("error") if isinstance(body, dict) else None
    tokens = inner.get("n_ctx") if isinstance(inner, dict) else None
    if isinstance(tokens, int):
        return tokens
    found = next((hit for hit in (pattern.search(message) for pattern in SAID) if hit), None)
    return None if found is None else int(found[1])


def _page(client: Client, path: str) -> Any:
    try:
        reply = client.get(path)
    except NoAnswerError:
        return None
    return reply.body if reply.fine and isinstance(reply.body, dict) else None


def _numbers(page: Any, path: tuple[str, ...], model: str) -> list[int]:
    """The whole numbers at a path; of a list the entry of the model, or its only one."""
    for place, name in enumerate(path):
        if name == "*" and isinstance(page, list):
            rows = [row for row in page if isinstance(row, dict)]
            own = [row for row in rows if model in (row.get("id"), row.get("name"))]
            chosen = own or (rows if len(rows) == 1 else [])
            return [n for row in chosen for n in _numbers(row, path[place + 1 :], model)]
        if not isinstance(page, dict):
            return []
        page = page.get(name)
    if isinstance(page, str) and len(page) < 10 and page.isascii() and page.isdecimal():
        page = int(page)
    return [page] if isinstance(page, int) and page > 1 else []


def _ollama(client: Client, model: str) -> list[Length]:
    """Lengths that Ollama gives for a model, which need not be loaded."""
    try:
        reply = client.post("/api/show", {"model": model})
    except NoAnswerError:
        return []
    body = reply.body if reply.fine and isinstance(reply.body, dict) else {}
    info = body.get("model_info")
    out = [
        Length(f"/api/show {name}", value, "declares")
        for name, value in (info.items() if isinstance(info, dict) else ())
        if name.endswith(".context_length") and isinstance(value, int)
    ]
    set_by_hand = re.search(r"^num_ctx\s+(\d+)", str(body.get("parameters", "")), re.M)
    if set_by_hand:
        out.append(Length("/api/show num_ctx", int(set_by_hand[1]), "serves"))
    return out
