"""The last chapter, which is a picture in the browser and nothing else."""

from ui.course import chapter
from ui.screen import course, walk

SCREEN = "which"


def main() -> None:
    """Draw it; its free screen is that of the measured curves."""
    walk.where(course.chapter(SCREEN))
    chapter.show(SCREEN)


main()
