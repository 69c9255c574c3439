"""Places on a page: one that sends nothing, and the type of a tab."""

from typing import TYPE_CHECKING, Any

from streamlit.delta_generator import DeltaGenerator

from ui.streamlit.private import private

if TYPE_CHECKING:
    from streamlit.elements.lib.mutable_tab_container import TabContainer as TabContainer
else:  # for annotations alone
    TabContainer = Any

private("delta_generator", "DeltaGenerator._cursor", None, "controls behind a step are drawn too")


class Unsent(DeltaGenerator):
    """A place for controls that say what they are set to and are not drawn.

    Nothing that stands here is sent, so that no browser has to build what nobody sees.
    """

    @property
    def _cursor(self) -> None:  # without one, Streamlit registers a control and sends nothing
        return None
