"""Sinusoidal & learned: the sinusoidal table, its similarity and shift, and a learned table."""

from pages.absolute import learned_table, odometer, shift, similarity, waves
from pages.absolute.settings import PRESETS, Settings
from posenc.words import say
from ui import screen

PICTURES: screen.Pictures = {
    "table": (say("Table"), Settings, waves.picture),
    "odometer": (say("7 against 8"), odometer.Settings, odometer.picture),
    "similarity": (say("Similarity"), Settings, similarity.picture),
    "shift": (say("Shift"), shift.Settings, shift.picture),
    "learned": (say("Learned"), learned_table.Settings, learned_table.picture),
}

screen.show("absolute", screen.screen_of(PICTURES, PRESETS, hear=[odometer.hear]))
