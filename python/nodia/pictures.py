"""Pictures, films and the viewer of run directories: the modules behind `nodia render` and `nodia view`."""

from pathlib import Path

from nodia._core import InputError
from nodia.arguments import path_text
from nodia.tools import printed, require, start, words_of

EXTRA = ("h5py", "imageio", "matplotlib", "PIL", "pyvista", "viser", "vtk")


def render(directory, out=None, **options):
    """A sheet of moments (.png) or a film (.mp4) of a run directory, by VTK, in a process of its own.

    Needs the extra: pip install 'nodia[render]'.
    @param out      file; DIRECTORY/SCENARIO.png without it
    @param options  those of `nodia render` without their dashes: frames=4, field="speed", size="1920x1080", env=0
    @return path of the file
    """
    require("render", EXTRA)
    directory = path_text("directory", directory)
    return Path(printed("nodia_tools.render", [directory, *words_of({"out": out} | options)]).splitlines()[-1])


def view(directory, **options):
    """The browser viewer of a run directory, in a process of its own that runs until it is terminated.

    Needs the extra: pip install 'nodia[render]'.
    @param options  those of `nodia view` without their dashes: port=8080
    @return the process (subprocess.Popen), which prints its address
    @throws InputError if there is no such directory
    """
    require("render", EXTRA)
    directory = path_text("directory", directory)
    if not Path(directory).is_dir():
        raise InputError(f"directory = {directory} (must be the directory of a run; nodia run SCENARIO --out DIR)")
    return start("nodia_tools.view", [directory, *words_of(options)])
