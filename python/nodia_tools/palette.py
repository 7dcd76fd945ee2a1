"""Colours of pictures and of the viewer."""

BACKGROUND = "#f7f8fa"
FLOOR = "#e4e7eb"
FLOOR_LINE = "#cfd4da"
SHADOW = "#c4c9d0"
OBSTACLE = "#8a97a6"
GRIP = "#2f3640"
SOLID = "#b9a37e"
CABLE = "#546e7a"
MARK = "#16191d"


def rgb(colour):
    """Red, green and blue of `#rrggbb`, 0 to 255 each."""
    return tuple(int(colour[k : k + 2], 16) for k in (1, 3, 5))
