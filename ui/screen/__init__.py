"""The bones that every screen shares; `from ui import screen`, then `screen.header(…)`."""

from ui.screen.bones import ask as ask
from ui.screen.bones import columns as columns
from ui.screen.bones import curve_frame as curve_frame
from ui.screen.bones import guard as guard
from ui.screen.bones import header as header
from ui.screen.bones import notice as notice
from ui.screen.bones import readouts as readouts
from ui.screen.bones import tabs as tabs
from ui.screen.bones import timed as timed
from ui.screen.bones import view_frame as view_frame
from ui.screen.lesson import Lesson as Lesson
from ui.screen.part import show as show
from ui.screen.picture import CurvesFigure as CurvesFigure
from ui.screen.picture import Drawn as Drawn
from ui.screen.picture import MatrixFigure as MatrixFigure
from ui.screen.picture import PanelsFigure as PanelsFigure
from ui.screen.picture import Picture as Picture
from ui.screen.picture import Pictures as Pictures
from ui.screen.picture import RowFigure as RowFigure
from ui.screen.picture import TableFigure as TableFigure
from ui.screen.picture import only as only
from ui.screen.picture import screen_of as screen_of
from ui.screen.view import Frames as Frames
from ui.screen.view import ScreenView as ScreenView
