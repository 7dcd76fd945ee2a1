"""Pictures, films and the viewer of run directories, as `nodia render` and `nodia view` show them."""

from pathlib import Path

from nodia._core import InputError
from nodia.arguments import path_text
from nodia.tools import printed, require, start, words_of

EXTRA = ("h5py", "imageio", "matplotlib", "PIL", "pyvista", "viser", "vtk")


def render(directory, out=None, **options):
    """Renders a run directory with VTK in a separate process: a sheet of frames (.png) or a film (.mp4).

    It needs the optional packages of pip install 'nodia[render]'.
    @param out      file to write (default: DIRECTORY/SCENARIO.png)
    @param options  options of `nodia render` without their dashes: frames=4, field="speed", size="1920x1080", env=0
    @return path of the file
    @throws ImportError if a package is missing; InputError for bad arguments; RuntimeError if the rendering fails
    """
    require("render", EXTRA)
    directory = path_text("directory", directory)
    return Path(printed("nodia_tools.render", [directory, *words_of({"out": out} | options)]).splitlines()[-1])


def view(directory, **options):
    """Starts the browser viewer of a run directory in a separate process, which runs until the caller terminates it.

    It needs the optional packages of pip install 'nodia[render]'.
    @param options  options of `nodia view` without their dashes: port=8080
    @return the process (subprocess.Popen), which prints the address of the viewer
    @throws ImportError if a package is missing; InputError if there is no such directory
    """
    require("render", EXTRA)
    directory = path_text("directory", directory)
    if not Path(directory).is_dir():
        raise InputError(f"directory = {directory} (must be the directory of a run; nodia run SCENARIO --out DIR)")
    return start("nodia_tools.view", [directory, *words_of(options)])
