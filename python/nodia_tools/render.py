"""nodia render: draws several times of a run in one picture (PNG), or the whole run as a video (MP4).

Needs no screen. A video plays at the simulated speed.
"""

import contextlib
import re
import sys
from pathlib import Path

import imageio.v2 as imageio
import numpy as np
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from nodia_tools.camera import places_to_see, side_view
from nodia_tools.command_line import (
    ArgumentParser,
    InputError,
    exit_code_of,
    interrupted_at_once,
)
from nodia_tools.contact_list import report_uneven_pairs
from nodia_tools.fields import FIELDS, FieldOnSurface, field_named
from nodia_tools.scene import load_scene
from nodia_tools.sheet import best_sheet
from nodia_tools.surface import Surface
from nodia_tools.trajectory import open_trajectory

FRAMES_PER_SECOND = 30
DEFAULT_MOMENTS = 6
MARK = "nodia render"  # written into every picture and video
MARK_BYTES = 1 << 16  # size of the parts of a file that are searched for the mark


def _parse_size(text):
    words = text.lower().split("x")
    if len(words) != 2 or not all(word.isdecimal() for word in words):
        raise InputError(f"--size = {text} (must be WIDTHxHEIGHT in pixels; try 1920x1080)")
    size = tuple(int(word) for word in words)
    if not all(160 <= pixels <= 8192 for pixels in size):
        raise InputError(f"--size = {text} (must be from 160 to 8192 pixels each; try 1920x1080)")
    return size


def _parse_times(text, trajectory):
    first, last = trajectory.times[0], trajectory.times[-1]
    times = []
    for word in text.split(","):
        try:
            time_s = float(word)
        except ValueError:
            time_s = np.nan
        if not first <= time_s <= last:
            raise InputError(
                f"--time = {word} (must be within the run, {first:.6g} to {last:.6g} s)"
            )
        times.append(time_s)
    return times


def _moments(arguments, trajectory):
    if arguments.time is not None:
        return _parse_times(arguments.time, trajectory)
    count = DEFAULT_MOMENTS if arguments.frames is None else arguments.frames
    if not 1 <= count <= 100:
        raise InputError(f"--frames = {count} (must be from 1 to 100)")
    return list(np.linspace(trajectory.times[0], trajectory.times[-1], count))


def _default_name(scenario):
    """Converts the name of a scenario, which may contain any character, to a file name without folders."""
    return re.sub(r"[^\w.-]", "_", scenario).lstrip(".") or "run"


def _output_path(arguments, name):
    path = Path(arguments.out) if arguments.out else Path(arguments.directory) / f"{_default_name(name)}.png"
    if path.suffix.lower() not in (".png", ".mp4"):
        raise InputError(f"--out = {path} (must end in .png or .mp4)")
    if not path.parent.is_dir():
        raise InputError(f"--out = {path} (must lie in a directory that exists)")
    if path.suffix.lower() == ".mp4" and (
        arguments.time is not None or arguments.frames is not None
    ):
        raise InputError("--time, --frames (are for pictures; a video shows the whole run)")
    return path


def _made_here(path):
    """Whether nodia render wrote the file. Its mark is near the beginning of a picture and near the end of a video."""
    with open(path, "rb") as file:
        start = file.read(MARK_BYTES)
        file.seek(max(0, path.stat().st_size - MARK_BYTES))
        return MARK.encode() in start or MARK.encode() in file.read()


def _require_replaceable(path, overwrite):
    if not path.exists() and not path.is_symlink():
        return
    if path.is_symlink() or not path.is_file():
        raise InputError(f"--out = {path} (must be a new file; the existing one is not a regular file)")
    if not overwrite and not _made_here(path):
        raise InputError(
            f"--out = {path} (must be a new file, or one of nodia render; --overwrite replaces any)"
        )


def _write_picture(path, stage, sheet, title, times, coloured):
    pictures = [stage.picture(time_s) for time_s in times]
    mark = PngInfo()
    mark.add_text("Software", MARK)
    Image.fromarray(sheet.compose(title, times, pictures, coloured)).save(
        path, optimize=True, pnginfo=mark
    )


def _write_video(path, stage, sheet, title, trajectory, coloured):
    first, last = trajectory.times[0], trajectory.times[-1]
    times = np.arange(first, last + 0.5 / FRAMES_PER_SECOND, 1 / FRAMES_PER_SECOND)
    with imageio.get_writer(
        path,
        format="FFMPEG",
        fps=FRAMES_PER_SECOND,
        codec="libx264",
        macro_block_size=2,
        quality=8,
        ffmpeg_log_level="error",
        output_params=["-metadata", f"comment={MARK}"],
    ) as video:
        for i, time_s in enumerate(np.minimum(times, last)):
            video.append_data(sheet.compose(title, [time_s], [stage.picture(time_s)], coloured))
            if sys.stderr.isatty():
                print(f"\rrender: frame {i + 1} of {len(times)}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)


def _render(arguments):
    field = field_named(arguments.field)
    size = _parse_size(arguments.size)
    trajectory = open_trajectory(arguments.directory, arguments.env)
    scene = load_scene(arguments.directory, trajectory, arguments.env)
    path = _output_path(arguments, scene.name)
    _require_replaceable(path, arguments.overwrite)
    video = path.suffix.lower() == ".mp4"
    if video:
        size = tuple(pixels - pixels % 2 for pixels in size)
    times = [] if video else _moments(arguments, trajectory)
    surface = Surface(trajectory.points(0), trajectory.cells(0))
    coloured = FieldOnSurface(field, trajectory, surface, scene.step_s)
    report_uneven_pairs(trajectory, surface)

    direction = side_view(trajectory)
    sheet = best_sheet(
        max(1, len(times)), size, direction, places_to_see(trajectory, surface, scene)
    )

    with interrupted_at_once():
        from nodia_tools.stage import Stage  # loads VTK, which is slow: imported after the input is checked

        stage = Stage(
            trajectory, surface, coloured, scene, direction, sheet.picture_size, 1 if video else 2
        )
    unfinished = path.with_name(f".{path.stem}.unfinished{path.suffix}")
    try:
        if video:
            _write_video(unfinished, stage, sheet, scene.name, trajectory, coloured)
        else:
            _write_picture(unfinished, stage, sheet, scene.name, times, coloured)
        unfinished.replace(path)
    except OSError as error:
        print(f"nodia render: {path}: cannot be written ({error})", file=sys.stderr)
        return 1
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        stage.close()
    print(path)
    return 0


def main():
    parser = ArgumentParser(
        prog="nodia render",
        description=__doc__,
        examples=[
            "nodia render out/soft_ball --frames 4",
            "nodia render out/soft_ball --time 0.5,2 --field speed --size 640x360 --out out/speed.png",
        ],
    )
    parser.add_argument("directory", metavar="DIR", help="run directory")
    parser.add_argument(
        "--out", metavar="FILE", help="picture FILE.png or video FILE.mp4 (default DIR/SCENARIO.png)"
    )
    parser.add_argument(
        "--overwrite", action="store_true", help="replace FILE even if another program wrote it"
    )
    parser.add_argument("--time", metavar="T,...", help="comma-separated times to draw [s]")
    parser.add_argument(
        "--frames", metavar="N", type=int, help="draw N evenly spaced times (default 6)"
    )
    parser.add_argument(
        "--size",
        metavar="WxH",
        default="1920x1080",
        help="size of the picture [pixel] (default 1920x1080)",
    )
    parser.add_argument(
        "--field", metavar="NAME", default="contact_state", help=f"field that colours the surface: {', '.join(FIELDS)} (default contact_state)"
    )
    parser.add_argument(
        "--env", metavar="N", type=int, default=0, help="number of the environment in a batch (default 0)"
    )
    arguments = parser.parse_args()
    return exit_code_of("nodia render", lambda: _render(arguments))


if __name__ == "__main__":
    sys.exit(main())
