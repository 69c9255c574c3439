"""The controls of a screen; `from ui import controls`, then `controls.number(…)`."""

from ui.controls.address import MAX_URL_TEXT as MAX_URL_TEXT
from ui.controls.address import is_set as is_set
from ui.controls.address import put as put
from ui.controls.address import step as step
from ui.controls.address import value as value
from ui.controls.choosing import Presets as Presets
from ui.controls.choosing import apply as apply
from ui.controls.choosing import choice as choice
from ui.controls.choosing import choices as choices
from ui.controls.choosing import held as held
from ui.controls.choosing import picture as picture
from ui.controls.choosing import presets as presets
from ui.controls.choosing import tabs as tabs
from ui.controls.claims import sentences_here as sentences_here
from ui.controls.entries import MORE as MORE
from ui.controls.entries import entry as entry
from ui.controls.entries import read as read
from ui.controls.widgets import line as line
from ui.controls.widgets import number as number
from ui.controls.widgets import parse_vector as parse_vector
from ui.controls.widgets import powers as powers
from ui.controls.widgets import slider as slider
from ui.controls.widgets import text as text
from ui.controls.widgets import toggle as toggle
from ui.controls.widgets import vector as vector
from ui.streamlit.run import only_a_part as only_a_part
