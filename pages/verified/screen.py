"""The screen What was verified: posenc, what it was compared with, how far apart the two were."""

from pages.verified import families, libraries, tables, ways
from posenc.words import say
from ui import screen

PICTURES: screen.Pictures = {
    "libraries": (say("Other libraries"), libraries.Settings, libraries.picture),
    "two_ways": (say("Two ways"), ways.Settings, ways.picture),
    "tables": (say("Whose table is right"), tables.Settings, tables.picture),
    "families": (say("Model families"), families.Settings, families.picture),
}

screen.show("verified", screen.screen_of(PICTURES))
