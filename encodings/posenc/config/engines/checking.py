"""How to see that a setting took effect: what an engine's log says, where its server listens."""

import shlex
from dataclasses import dataclass

from posenc.words import Sentence, say


@dataclass(frozen=True)
class Checking:
    """Where to look once an engine runs.

    Args:
        url: Its server, at its usual port.
        look: The line of its log that names the length, or another place that does.
    """

    url: str
    look: Sentence

    def command(self, file: str, target: int | None, read_as: str = "") -> str:
        """The `posenc check` command for this server.

        Args:
            file: What it runs: a path, or the name of a known model.
            target: L, tokens; None for what the file reaches.
            read_as: Family in the place of one that is not known.
        """
        more = [] if target is None else ["--target", str(target)]
        more += ["--read-as", read_as] if read_as else []
        return shlex.join(["posenc", "check", self.url, file, *more])


_VLLM = say(
    "Its log says `Using max model len …` and `Maximum concurrency for … tokens per request`."
)
_TABBY = say("Under TabbyAPI, `/v1/model` names `max_seq_len`.")
_SILENT = say("Its server names no length: only long prompts tell.")
CHECKING: dict[str, Checking] = {
    "vllm": Checking("http://localhost:8000", _VLLM),
    "vllm_old": Checking("http://localhost:8000", _VLLM),
    "sglang": Checking(
        "http://localhost:30000",
        say("Its log says `max_total_num_tokens=…, …, context_len=…`; the second one counts."),
    ),
    "llama_cpp": Checking(
        "http://localhost:8080",
        say(
            "Its log says `n_ctx_slot = …`, and `exceeds the training context of the model … "
            "capping` where it gives less."
        ),
    ),
    "ollama": Checking(
        "http://localhost:11434",
        say("`ollama ps` shows the length of the loaded model in its column CONTEXT."),
    ),
    "lm_studio": Checking(
        "http://localhost:1234",
        say("`/api/v0/models` of its server names `loaded_context_length`."),
    ),
    "koboldcpp": Checking(
        "http://localhost:5001",
        say("`/api/extra/true_max_context_length` of its server names the length."),
    ),
    "exllamav3": Checking("http://localhost:5000", _TABBY),
    "exllamav2": Checking("http://localhost:5000", _TABBY),
    "tabbyapi": Checking("http://localhost:5000", _TABBY),
    "lmdeploy": Checking("http://localhost:23333", _SILENT),
    "tgi": Checking(
        "http://localhost:3000", say("`/info` of its server names `max_total_tokens`.")
    ),
    "mlx_vlm": Checking("http://localhost:8080", _SILENT),
    "webui_exllama": Checking("http://localhost:5000", _SILENT),
    "webui_llama_cpp": Checking("http://localhost:5000", _SILENT),
    "mlx": Checking("http://localhost:8080", _SILENT),
    "transformers_5": Checking("http://localhost:8000", _SILENT),
    "transformers_4": Checking("http://localhost:8000", _SILENT),
    "tensorrt_llm": Checking("http://localhost:8000", _SILENT),
}
"""By id of the engine."""
