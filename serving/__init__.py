"""The operator's view of the running app: figures, readiness, requests."""

from pathlib import Path

try:  # before Streamlit does, which ends in a traceback
    Path.home()
except RuntimeError:
    raise SystemExit(
        "The app does not start. HOME must name a folder: this user has none."
    ) from None
