"""The controls of a screen; `from ui import controls`, then `controls.number(…)`."""

from ui.controls.widgets import MAX_URL_TEXT as MAX_URL_TEXT
from ui.controls.widgets import apply as apply
from ui.controls.widgets import choice as choice
from ui.controls.widgets import choices as choices
from ui.controls.widgets import number as number
from ui.controls.widgets import parse_vector as parse_vector
from ui.controls.widgets import powers as powers
from ui.controls.widgets import presets as presets
from ui.controls.widgets import sentences_here as sentences_here
from ui.controls.widgets import slider as slider
from ui.controls.widgets import text as text
from ui.controls.widgets import toggle as toggle
from ui.controls.widgets import vector as vector
