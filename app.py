"""Navigation and page setup, nothing else. Start with `make run`."""

from pathlib import Path

import streamlit as st
import torch

# Each session's run has its own thread; more threads per operation only fight over the cores.
torch.set_num_threads(1)

st.set_page_config(page_title="Positional encodings", layout="wide")
st.html(Path(__file__).parent / "static" / "app.css")

SCREENS = {
    "Learn": {
        "home": "The four places",
        "why_position": "Why position",
        "absolute": "Absolute",
        "relative": "Relative",
        "alibi": "ALiBi",
        "rope": "RoPE",
        "cope": "CoPE",
        "kv_cache": "KV cache",
    },
    "Compare": {"side_by_side": "Side by side", "live_attention": "Live attention"},
    "Extend the context": {
        "config": "Scaling studio",
        "scaling": "Scaling",
        "units": "Units",
        "measured": "Measured curves",
        "lab": "Lab",
        "own": "Your own checkpoint",
    },
    "Reference": {"pitfalls": "Pitfalls", "verified": "Verified"},
}

st.navigation(
    {
        group: [
            st.Page(f"pages/{file}/screen.py", title=title, url_path=file, default=file == "home")
            for file, title in screens.items()
        ]
        for group, screens in SCREENS.items()
    },
    position="top",
).run()
