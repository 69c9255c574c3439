"""One prompt to one server: its text, its log-probabilities, how many tokens it counted."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from advisor.endpoint.client import Client, NoAnswerError, Reply
from advisor.endpoint.lengths import limit_in

TOP = 5
"""Most likely tokens of which a log-probability is asked for, the most that all servers give."""
COMPLETIONS = "/v1/completions"
CHAT = "/v1/chat/completions"
UNKNOWN_PATH = (404, 405, 501)
THOUGHTS = ("reasoning_content", "reasoning")
"""Names of what a model thought, in a message: of most servers; of OpenRouter, Ollama, new vLLM."""
THOUGHT = ("<think>", "</think>")
"""Marks around a thought in a text, where the server does not take it apart."""
Top = dict[str, float]
"""Log-probabilities by token, natural logarithm."""


@dataclass(frozen=True)
class Answer:
    """A server's answer to one prompt.

    Attributes:
        text: What it wrote, without what it thought before.
        tops: For each token that it wrote, the most likely ones; empty where it gives none.
        prompt_tokens: Tokens that it counted in the prompt; None where it gives none.
        cached_tokens: How many of these came from its prefix cache; None where it gives none.
        seconds: From sending to the last byte.
        is_thought: Whether it thought, and came to no answer in the tokens that it had.
    """

    text: str
    tops: tuple[Top, ...]
    prompt_tokens: int | None
    cached_tokens: int | None
    seconds: float
    is_thought: bool = False


@dataclass(frozen=True)
class Refused:
    """A prompt that was not read.

    Attributes:
        status: HTTP status.
        message: The server's words.
        limit: Where it says that it cuts; None where it does not say.
    """

    status: int
    message: str
    limit: int | None


@dataclass
class Asking:
    """How one model of one server is asked.

    Args:
        client: The server.
        model: Which of its models; "" where it names none.
    """

    client: Client
    model: str
    path: str = field(default=COMPLETIONS, init=False)
    """Path of the address that prompts are sent to."""
    with_top: bool = field(default=True, init=False)
    """Whether log-probabilities are asked for: not where that was refused."""

    @property
    def chats(self) -> bool:
        """Whether it answers messages alone, and goes on with no text."""
        return self.path == CHAT

    def settle(self) -> str:
        """Find out at which path the server answers, and whether it takes `logprobs`.

        Returns:
            "" if it answers; why it does not otherwise.

        Raises:
            NoAnswerError: If nothing comes back.
        """
        message = ""
        for self.path in (COMPLETIONS, CHAT):
            for self.with_top in (True, False):
                reply = self._send("One, two, three,", 1, 8)
                if reply.fine:
                    return ""
                message = message or f"{reply.status} {reply.message}"
                if reply.status in UNKNOWN_PATH:
                    break
        return message

    def one(self, prompt: str, count: int, tokens: int) -> Answer | Refused:
        """The answer to one prompt, greedily.

        Raises:
            NoAnswerError: If nothing comes back.
            SpentError: If the budget does not cover the tokens.
        """
        reply = self._send(prompt, count, tokens)
        if not reply.fine:
            return Refused(reply.status, reply.message, limit_in(reply.body, reply.message))
        return self._answer(reply, 0)

    def batch(self, prompts: Sequence[str], count: int, tokens: int) -> tuple[str, list[Answer]]:
        """The answers to several prompts that the server reads at once.

        Returns:
            "list" if they went in one request, "at once" if in several at the same time; and the
            answers, none if one was refused.
        """
        if not self.chats:
            reply = self._send(list(prompts), count, tokens)
            rows = reply.body.get("choices") if isinstance(reply.body, dict) else None
            if reply.fine and isinstance(rows, list) and len(rows) == len(prompts):
                return "list", [self._answer(reply, index) for index in range(len(prompts))]
        with ThreadPoolExecutor(len(prompts)) as threads:
            share = tokens // len(prompts)
            answers = list(threads.map(lambda text: self.one(text, count, share), prompts))
        read = [one for one in answers if isinstance(one, Answer)]
        return "at once", read if len(read) == len(prompts) else []

    def _send(self, prompt: str | list[str], count: int, tokens: int) -> Reply:
        body: dict[str, Any] = {"max_tokens": count, "temperature": 0, "stream": False}
        if self.model:
            body["model"] = self.model
        if self.chats:
            body["messages"] = [{"role": "user", "content": prompt}]
            top: dict[str, Any] = {"logprobs": True, "top_logprobs": TOP}
        else:
            body["prompt"] = prompt
            top = {"logprobs": TOP}
        return self.client.post(self.path, body | (top if self.with_top else {}), tokens)

    def _answer(self, reply: Reply, index: int) -> Answer:
        """Read one choice of an answer.

        Raises:
            NoAnswerError: If there is none in it.
        """
        body = reply.body if isinstance(reply.body, dict) else {}
        rows = [row for row in _list(body.get("choices")) if isinstance(row, dict)]
        numbered = [row for row in rows if row.get("index") == index]
        if not rows:
            raise NoAnswerError(
                f"{self.client.root + self.path} answers {_form(reply.body)}, so not as OpenAI's "
                f"interface: {reply.body!s:.200}"
            )
        row = numbered[0] if numbered else rows[0]
        message = row.get("message")
        text = message.get("content") if isinstance(message, dict) else row.get("text")
        thoughts, text = _apart(text if isinstance(text, str) else "")
        thoughts = thoughts or (
            isinstance(message, dict) and any(message.get(name) for name in THOUGHTS)
        )
        usage = body.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        details = usage.get("prompt_tokens_details")
        cached = details.get("cached_tokens") if isinstance(details, dict) else None
        return Answer(
            text,
            _tops(row.get("logprobs")),
            _count(usage.get("prompt_tokens")),
            _count(cached),
            reply.seconds,
            bool(thoughts) and not text.strip(),
        )


def _form(body: Any) -> str:
    """The form of an answer that has no choices."""
    begin = body.lstrip()[:20].lower() if isinstance(body, str) else ""
    if begin.startswith("<"):
        return "with a web page"
    if begin.startswith(("data:", "event:", ":")):
        return "with a stream, though none was asked for"
    return "with nothing" if body == "" else "without choices"


def _apart(text: str) -> tuple[bool, str]:
    """Whether a text has thoughts in it, and what follows them."""
    before, end, after = text.partition(THOUGHT[1])
    if end:
        return True, after
    return (True, "") if before.lstrip().startswith(THOUGHT[0]) else (False, text)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None


def _tops(given: Any) -> tuple[Top, ...]:
    """Log-probabilities in the form of completions or of chat, which llama-server uses for both."""
    if not isinstance(given, dict):
        return ()
    old = [one for one in _list(given.get("top_logprobs")) if isinstance(one, dict)]
    if old:
        return tuple({str(k): float(v) for k, v in one.items() if _is_number(v)} for one in old)
    rows = [row for row in _list(given.get("content")) if isinstance(row, dict)]
    return tuple(
        {
            str(one.get("token")): float(one["logprob"])
            for one in [*_list(row.get("top_logprobs")), row]
            if isinstance(one, dict) and _is_number(one.get("logprob"))
        }
        for row in rows
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and -1e4 < value <= 1e-3
