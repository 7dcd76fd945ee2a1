"""Pictures, films and the viewer of run directories: the modules behind `nodia render` and `nodia view`."""

import subprocess
import sys
from pathlib import Path

from nodia._core import InputError, RuntimeError

EXTRA = ("h5py", "imageio", "matplotlib", "PIL", "pyvista", "viser", "vtk")


def _require_extra():
    from importlib.util import find_spec

    missing = [name for name in EXTRA if find_spec(name) is None]
    if missing:
        raise ImportError(f"{', '.join(missing)} (is missing; pip install 'nodia[render]')")


def _run(module, arguments, **how):
    root = str(Path(__file__).absolute().parents[1])
    code = f"import sys; sys.path.insert(0, {root!r}); import runpy; runpy.run_module('nodia_tools', run_name='__main__')"
    return subprocess.Popen([sys.executable, "-c", code, module, *map(str, arguments)], text=True, **how)


def render(directory, out=None, **options):
    """A sheet of moments (.png) or a film (.mp4) of a run directory, by VTK, in a process of its own.

    Needs the extra: pip install 'nodia[render]'.
    @param out      file; DIRECTORY/SCENARIO.png without it
    @param options  those of `nodia render` without their dashes: frames=4, field="speed", size="1920x1080", env=0
    @return path of the file
    """
    _require_extra()
    words = [str(directory)] if out is None else [str(directory), "--out", str(out)]
    for name, value in options.items():
        words += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    done = _run("nodia_tools.render", words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    printed, told = done.communicate()
    if done.returncode == 2:
        raise InputError(told.strip())
    if done.returncode != 0:
        raise RuntimeError(told.strip())
    return Path(printed.splitlines()[-1])


def view(directory, **options):
    """The browser viewer of a run directory, in a process of its own that runs until it is terminated.

    Needs the extra: pip install 'nodia[render]'.
    @param options  those of `nodia view` without their dashes: port=8080
    @return the process (subprocess.Popen), which prints its address
    """
    _require_extra()
    words = [str(directory)]
    for name, value in options.items():
        words += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    return _run("nodia_tools.view", words)
