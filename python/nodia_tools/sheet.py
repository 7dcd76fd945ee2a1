"""Arranges pictures of several times on one sheet, with the times, a title and a legend."""

from pathlib import Path

import matplotlib
import numpy as np
from matplotlib import colormaps
from PIL import Image, ImageDraw, ImageFont

from nodia_tools.camera import Camera
from nodia_tools.fields import STATE_COLOURS, STATE_NAMES

PAPER = (255, 255, 255)
INK = (38, 44, 52)
FAINT_INK = (105, 113, 124)


def _font(size):
    return ImageFont.truetype(
        str(Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf"), size
    )


class Sheet:
    """A sheet of `size` = (width, height) [pixel] with n_picture pictures in columns."""

    def __init__(self, n_picture, columns, size):
        self._width, self._height = size
        self._columns = columns
        rows = -(-n_picture // columns)
        self._text = max(9, round(self._height / 52))
        self._gap = max(2, self._text // 3)
        self._bar = round(2.4 * self._text)  # height of the line of text below the pictures
        self.picture_size = (
            max(16, (self._width - (columns + 1) * self._gap) // columns),
            max(16, (self._height - self._bar - (rows + 1) * self._gap) // rows),
        )

    def compose(self, title, times, pictures, coloured):
        """Draws the sheet.

        @return RGB image [height, width, 3] uint8
        """
        sheet = Image.new("RGB", (self._width, self._height), PAPER)
        draw = ImageDraw.Draw(sheet)
        font = _font(self._text)
        width, height = self.picture_size
        for i, (time_s, picture) in enumerate(zip(times, pictures)):
            x = self._gap + (i % self._columns) * (width + self._gap)
            y = self._gap + (i // self._columns) * (height + self._gap)
            sheet.paste(Image.fromarray(picture), (x, y))
            draw.text(
                (x + 0.7 * self._text, y + 0.5 * self._text), f"t = {time_s:.2f} s", INK, font
            )
        middle = self._height - self._bar // 2
        draw.text((2 * self._gap, middle), title, INK, font, anchor="lm")
        left = 4 * self._gap + draw.textlength(title, font)
        self._draw_legend(draw, sheet, font, middle, left, coloured)
        return np.asarray(sheet)

    def _draw_legend(self, draw, sheet, font, middle, left, coloured):
        """Draws the legend right-aligned on the line below the pictures.

        @param left  left end of the free space on the line [pixel]
        """
        field, x, text = coloured.field, self._width - 2 * self._gap, self._text
        if coloured.on_faces:
            for name, colour in reversed(list(zip(STATE_NAMES, STATE_COLOURS))):
                draw.text((x, middle), name, INK, font, anchor="rm")
                x -= draw.textlength(name, font) + 0.5 * text
                box = (x - text, middle - 0.5 * text, x, middle + 0.5 * text)
                draw.rectangle(box, tuple(int(round(255 * c)) for c in colour), FAINT_INK)
                x -= 2.2 * text
            title = f"{coloured.title}:"
            if draw.textlength(title, font) > x - left:  # too long for a small sheet: without the details
                title = f"{field.title}:"
            draw.text((x, middle), title, FAINT_INK, font, anchor="rm")
            return
        upper = f"{coloured.upper:.3g}"
        draw.text((x, middle), upper, INK, font, anchor="rm")
        x -= draw.textlength(upper, font) + 0.5 * text
        ramp = colormaps[field.colour_map](np.linspace(0, 1, 12 * text))[None, :, :3]
        image = Image.fromarray(np.round(255 * np.repeat(ramp, text, axis=0)).astype(np.uint8))
        x -= image.width
        sheet.paste(image, (round(x), middle - text // 2))
        x -= 0.5 * text
        draw.text((x, middle), "0", INK, font, anchor="rm")
        draw.text((x - 1.8 * text, middle), field.title, FAINT_INK, font, anchor="rm")


def best_sheet(n_picture, size, direction, places):
    """The sheet whose number of columns shows `places` [n, 3], seen along `direction`, at the largest scale."""

    def scale(sheet):
        width, height = sheet.picture_size
        return height * Camera(direction, places, width / height).scale

    return max((Sheet(n_picture, columns, size) for columns in range(1, n_picture + 1)), key=scale)
