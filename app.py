"""Navigation and page setup, nothing else. Start with `make run`."""

from pathlib import Path

import streamlit as st
import torch

from posenc.words import say
from ui.charts import stage
from ui.controls import address
from ui.words import PARAMETER, asked_language, choose_language, translate

# Each session's run has its own thread; more threads per operation only fight over the cores.
torch.set_num_threads(1)

wrong_language = choose_language()
st.set_page_config(page_title=translate(say("Positional encodings")), layout="wide")
for wrong in (wrong_language, stage.settle()):
    if wrong is not None:
        st.warning(translate(wrong))
st.html(Path(__file__).parent / "static" / "app.css")
if stage.mode():
    st.html(stage.CSS)

SCREENS = {
    say("Learn"): {
        "home": say("The four places"),
        "why_position": say("Why position"),
        "absolute": say("Absolute"),
        "relative": say("Relative"),
        "alibi": "ALiBi",
        "rope": "RoPE",
        "cope": "CoPE",
        "kv_cache": say("KV cache"),
    },
    say("Compare"): {"side_by_side": say("Side by side"), "live_attention": say("Live attention")},
    say("Extend the context"): {
        "config": say("Scaling studio"),
        "scaling": say("Scaling"),
        "units": say("Units"),
        "measured": say("Measured curves"),
        "lab": say("Lab"),
        "own": say("Your own checkpoint"),
    },
    say("Reference"): {"pitfalls": say("Pitfalls"), "verified": say("Verified")},
}

page = st.navigation(
    {
        translate(group): [
            st.Page(
                f"pages/{file}/screen.py",
                title=translate(title),
                url_path=file,
                default=file == "home",
            )
            for file, title in screens.items()
        ]
        for group, screens in SCREENS.items()
    },
    position="top",
)
NAMES = [file for screens in SCREENS.values() for file in screens]
with address.visit(page.url_path, NAMES, {PARAMETER: asked_language()} | stage.parameter()):
    page.run()
    stage.finish()
