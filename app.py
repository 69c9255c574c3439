"""Navigation and page setup, nothing else. Start with `make run`."""

from pathlib import Path

import streamlit as st
import torch

# Each session's run has its own thread; more threads per operation only fight over the cores.
torch.set_num_threads(1)

st.set_page_config(page_title="Positional encodings", layout="wide")
st.html(Path(__file__).parent / "static" / "app.css")

SCREENS = {
    "Learn": [
        ("home", "The four places", ""),
        ("why_position", "Why position", "why-position"),
        ("absolute", "Absolute", "absolute"),
        ("relative", "Relative", "relative"),
        ("alibi", "ALiBi", "alibi"),
        ("rope", "RoPE", "rope"),
        ("cope", "CoPE", "cope"),
        ("kv_cache", "KV cache", "kv-cache"),
    ],
    "Compare": [("live_attention", "Live attention", "live-attention")],
    "Extend the context": [("scaling", "Scaling", "scaling")],
}

st.navigation(
    {
        group: [
            st.Page(f"pages/{file}.py", title=title, url_path=path, default=path == "")
            for file, title, path in screens
        ]
        for group, screens in SCREENS.items()
    },
    position="top",
).run()
