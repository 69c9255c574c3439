"""What is worth knowing about a configuration, and the settings to paste into a runtime."""

import json
import re
import shlex
from collections.abc import Callable
from typing import Literal

import streamlit as st

from posenc import Finding, Llama3, LongRoPE, RopeConfig
from posenc.words import say
from ui.controls.model_config import plain
from ui.words import _, translate

LONGEST_IN_FULL = 10000
WORDS = {"error": say("Error"), "warning": say("Warning"), "info": say("Worth knowing")}


def show_findings(config: RopeConfig) -> None:
    """One paragraph for each finding, errors first."""
    st.header(_("Findings"), anchor=False)
    if not config.findings:
        st.markdown(_("Nothing to report: the fields agree with each other."))
    for finding in config.findings:
        st.markdown(finding_words(finding))


def finding_words(finding: Finding) -> str:
    """A finding in Markdown: how grave, what, where, and what to do."""
    fields = ", ".join(f"`{name.replace('`', '·')}`" for name in finding.fields)
    words = f"**{translate(WORDS[finding.severity])}.** {plain(translate(finding.message))}"
    if finding.remedy:
        words += f" *{plain(translate(finding.remedy))}*"
    return f"{words} ({fields})" if fields else words


def show_settings(config: RopeConfig, before: RopeConfig) -> None:
    """The same configuration for each runtime, each from the library's own writer.

    Args:
        config: What the runtimes shall do.
        before: What the model's file says.
    """
    st.header(_("Settings to paste"), anchor=False)
    st.caption(
        _(
            "For transformers: put these in place of the file's `rope_theta`, `rope_scaling` and "
            "`rope_parameters`, and leave its other fields as they are."
        )
    )
    left, right = st.columns(2)
    with left:
        _block("transformers 5", lambda: _json(config.to_hf_fragment("new")), "json")
    with right:
        _block("transformers 4", lambda: _json(config.to_hf_fragment("old")), "json")
    _block(
        _("vLLM, after {command}", command="`vllm serve MODEL`"),
        lambda: shlex.join(config.to_vllm()),
        "bash",
    )
    _block(
        _("llama.cpp, after {command}", command="`llama-server -m FILE`"),
        lambda: _llama_cpp(config),
        "bash",
    )
    if config is not before and (_in_the_model_file(config) or _in_the_model_file(before)):
        st.markdown(
            _(
                "llama.cpp has no flag for the factors of Llama-3 and LongRoPE scaling: it takes "
                "them from the model file and applies them in addition to any flags. Convert the "
                "file again from the changed config.json."
            )
        )


def _block(title: str, write: Callable[[], str], language: str) -> None:
    """Settings, or the sentence that says why there are none."""
    st.markdown(f"**{title}**")
    try:
        written = write()
    except ValueError as error:
        st.markdown(plain(translate(error)))
        return
    if written:
        height: Literal["content"] | int = 320 if len(written) > LONGEST_IN_FULL else "content"
        st.code(written, language=language, wrap_lines=True, height=height)
    else:
        st.markdown(_("Nothing to set."))


def _json(fields: dict[str, object]) -> str:
    """Indented, but a list on one line: LongRoPE's have dozens of numbers."""
    text = json.dumps(fields, indent=2) if fields else ""
    return re.sub(r"\[[^][{}]*\]", lambda found: " ".join(found[0].split()), text)


def _llama_cpp(config: RopeConfig) -> str:
    return shlex.join(config.to_llama_cpp())


def _in_the_model_file(config: RopeConfig) -> bool:
    return any(isinstance(layer.scaling, Llama3 | LongRoPE) for layer in config.rotary.values())
