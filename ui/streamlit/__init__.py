"""Whatever the app needs of Streamlit beside its documented interface, and nothing else does.

Each name is looked up with `private`: where a release has it no longer, a line of the log says what
is lost, and the rest goes on. `tests/ui/streamlit` holds each to the Streamlit that is installed.
What pages and styles need in the browser stands in `static/streamlit.js`.
"""
