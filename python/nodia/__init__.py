"""Soft bodies, cables, rigid bodies and robots in contact with exact Coulomb friction.

    import nodia

    world = nodia.Scenario("scene.yaml")
    sim = nodia.Simulation(world, num_envs=8, seed=7)
    reports = sim.step(100)
    sim.nodes("ball")  # (8, n, 3) m

SI units; z is up; poses are (x, y, z, qw, qx, qy, qz).
"""

import sys
from pathlib import Path

try:
    from nodia._build import VERSION as __version__
except ModuleNotFoundError:
    raise ImportError(
        "nodia: the compiled part is missing, because these are the sources (from a clone, install it with: pip install .)"
    ) from None
from nodia._cpu import require_cpu  # noqa: E402

require_cpu()  # before the import of the compiled part, in which an older CPU would raise SIGILL

from nodia._core import InputError, RuntimeError, set_vtk_reader  # noqa: A004, E402
from nodia.action_log import read_action_log, write_action_log  # noqa: E402
from nodia.checkpoint import Checkpoint  # noqa: E402
from nodia.contacts import Contacts  # noqa: E402
from nodia.exports import export  # noqa: E402
from nodia.notices import OverlapWarning, ScenarioWarning  # noqa: E402
from nodia.pictures import render, view  # noqa: E402
from nodia.reports import Reports  # noqa: E402
from nodia.scenario import Episode, Scenario  # noqa: E402
from nodia.simulation import Simulation  # noqa: E402

set_vtk_reader(sys.executable or "", str(Path(__file__).resolve().parents[1]))

__all__ = [
    "Checkpoint",
    "Contacts",
    "Episode",
    "InputError",
    "OverlapWarning",
    "Reports",
    "RuntimeError",
    "Scenario",
    "ScenarioWarning",
    "Simulation",
    "__version__",
    "export",
    "read_action_log",
    "render",
    "view",
    "write_action_log",
]


def __getattr__(name):
    """Imports nodia.gym at its first use, because it needs Gymnasium."""
    if name == "gym":
        from importlib import import_module

        return import_module("nodia.gym")
    raise AttributeError(f"module 'nodia' has no attribute {name!r}")
