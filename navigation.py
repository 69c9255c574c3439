"""The script of every session: its language, how much is shown, and the screen that is drawn."""

import streamlit as st
import torch

from course.page import menu
from course.page.header import NAME
from posenc.words import say
from ui.charts import stage
from ui.controls import address
from ui.screen import homework, playlist
from ui.screen.course import script_of
from ui.words import PARAMETER, asked_language, choose_language, settle_screen, translate

# Each session's run has its own thread; more threads per operation only fight over the cores.
torch.set_num_threads(1)

wrong_language = choose_language()
st.set_page_config(layout="wide")
TITLES = {
    "home": say("Home"),
    **{screen: entry.label for screen, entry in menu.SCREENS.items()},
}

page = st.navigation(
    [
        st.Page(script_of(file), title=translate(title), url_path=file, default=file == "home")
        for file, title in TITLES.items()
    ],
    position="hidden",  # the header of the site is the menu: serving/index.py
)
is_news = address.is_news(page.url_path)
wrong_mode = stage.settle(is_news=is_news)
playlist.settle(is_news=is_news)
homework.settle(is_news=is_news)
for wrong in (wrong_language, wrong_mode):
    if wrong is not None:
        st.warning(translate(wrong))
if untold := settle_screen(page.url_path or "home"):
    st.caption(untold)
if stage.mode():
    st.html(stage.CSS)
site = translate(NAME)
st.set_page_config(page_title=f"{page.title} · {site}" if page.url_path else site)
everywhere = {PARAMETER: asked_language()} | stage.parameter() | playlist.parameters()
everywhere |= homework.parameters(page.url_path or "home")
with address.visit(page.url_path, [*TITLES], everywhere):
    playlist.keys()  # behind `visit`: widgets of its own would look like those of an earlier visit
    page.run()
    stage.finish()
    with st.container(key="site_ways"):  # unseen: the menu of the page opens screens by them
        for file in TITLES:
            st.page_link(script_of(file), label=file)
