"""Navigation and page setup, nothing else. Start with `make run`."""

import sys
from pathlib import Path

import streamlit as st
import torch

from posenc.words import say
from ui.charts import stage
from ui.controls import address
from ui.screen import homework, menu, playlist
from ui.screen.course import COURSE, script_of
from ui.words import PARAMETER, asked_language, choose_language, translate

# Each session's run has its own thread; more threads per operation only fight over the cores.
torch.set_num_threads(1)

if Path(sys.argv[0]).name == Path(__file__).name:  # `streamlit run app.py`
    st.error("Start this app with `make run` or `streamlit run asgi.py`.")
    st.stop()
wrong_language = choose_language()
st.set_page_config(layout="wide")
CHAPTERS = {
    "why_position": say("Why position"),
    "absolute": say("Absolute"),
    "relative": say("Relative"),
    "alibi": "ALiBi",
    "rope": "RoPE",
    "scaling": say("Scaling"),
    "measured": say("Measured curves"),
    "live_attention": say("Live attention"),
    "kv_cache": say("KV cache"),
    "cope": "CoPE",
    "which": say("Which to choose"),
}
SCREENS = {
    say("Learn"): {
        "home": say("Home"),
        "course": say("The course"),
        **{chapter: CHAPTERS[chapter] for chapter in COURSE},
    },
    say("Compare"): {"side_by_side": say("Side by side"), "lab": say("Lab")},
    say("Extend the context"): {
        "config": say("Scaling studio"),
        "engines": say("What engines read"),
        "units": say("Units"),
        "own": say("Your own checkpoint"),
    },
    say("Reference"): {"pitfalls": say("Pitfalls"), "verified": say("Verified")},
    say("In class"): {playlist.SCREEN: say("Playlist"), homework.PAGE: say("Homework")},
}

page = st.navigation(
    {
        translate(group): [
            st.Page(
                script_of(file),
                title=translate(title),
                url_path=file,
                default=file == "home",
            )
            for file, title in screens.items()
        ]
        for group, screens in SCREENS.items()
    },
    position="hidden",  # the header of the site is the menu: serving/index.py
)
is_news = address.is_news(page.url_path)
wrong_mode = stage.settle(is_news=is_news)
playlist.settle(is_news=is_news)
homework.settle(is_news=is_news)
for wrong in (wrong_language, wrong_mode):
    if wrong is not None:
        st.warning(translate(wrong))
if stage.mode():
    st.html(stage.CSS)
APP = translate(stage.SOURCE["name"])
st.set_page_config(page_title=f"{page.title} · {APP}" if page.url_path else APP)
here = page.url_path or "home"
NAMES = [file for screens in SCREENS.values() for file in screens]
everywhere = {PARAMETER: asked_language()} | stage.parameter() | playlist.parameters()
everywhere |= homework.parameters(here)
with address.visit(page.url_path, NAMES, everywhere):
    menu.follow(NAMES)
    playlist.keys()  # behind `visit`: widgets of its own would look like those of an earlier visit
    page.run()
    stage.finish()
