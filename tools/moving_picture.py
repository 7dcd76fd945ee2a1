#!/usr/bin/env python3
"""Turns a video of `nodia render` into an animated GIF for a page.

Usage: tools/moving_picture.py VIDEO.mp4 OUT.gif [--width PIXELS] [--rate FRAMES_PER_SECOND] [--hold SECONDS]
"""

import argparse

import imageio.v2 as imageio
from PIL import Image

COLOURS = 96
PALETTE_SAMPLES = 12


def frames_of(video, width, rate):
    """Frames of a video with a width of `width` pixels, sampled at `rate` frames per second."""
    reader = imageio.get_reader(video)
    every = max(1, round(reader.get_meta_data()["fps"] / rate))
    frames = []
    for index, frame in enumerate(reader):
        if index % every == 0:
            picture = Image.fromarray(frame)
            frames.append(picture.resize((width, round(width * picture.height / picture.width)), Image.LANCZOS))
    return frames


def common_palette(frames):
    """Palette for all frames. A GIF whose palette changes between frames flickers."""
    samples = frames[:: max(1, len(frames) // PALETTE_SAMPLES)]
    width, height = samples[0].size
    sheet = Image.new("RGB", (width, height * len(samples)))
    for row, frame in enumerate(samples):
        sheet.paste(frame, (0, row * height))
    return sheet.quantize(COLOURS, method=Image.Quantize.MEDIANCUT)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("video", help="video of nodia render")
    parser.add_argument("out", help="the GIF to write")
    parser.add_argument("--width", type=int, default=640, help="width [pixel] (default 640)")
    parser.add_argument("--rate", type=float, default=10, help="frames per second (default 10)")
    parser.add_argument("--hold", type=float, default=1.5, help="how long the last frame stays [s] (default 1.5)")
    arguments = parser.parse_args()

    frames = frames_of(arguments.video, arguments.width, arguments.rate)
    palette = common_palette(frames)
    pictures = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    durations_ms = [round(1000 / arguments.rate)] * len(pictures)
    durations_ms[-1] = round(1000 * arguments.hold)
    pictures[0].save(
        arguments.out,
        save_all=True,
        append_images=pictures[1:],
        duration=durations_ms,
        loop=0,
        optimize=False,
        disposal=1,
    )
    print(arguments.out)


if __name__ == "__main__":
    main()
