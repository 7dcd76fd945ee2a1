"""The environments that are registered in Gymnasium."""

from pathlib import Path

import gymnasium

from nodia._core import InputError

# Folder of the scenario for each registered name.
ENVIRONMENTS = {
    "nodia/CableWind-v0": "cable_winding",
    "nodia/MatFold-v0": "mat_folding",
    "nodia/QuickLift-v0": "quick_lift",
    "nodia/SoftBallLift-v0": "soft_ball",
}


def scenario_file(name):
    """Path of a scenario that the package contains: `quick_lift` gives .../quick_lift.yaml.

    @throws InputError if the package has no scenario of this name
    """
    package = Path(__file__).resolve().parents[1]
    for root in (package / "data", package.parents[1]):  # in an installed package; in a clone
        file = root / "scenarios" / name / f"{name}.yaml"
        if file.is_file():
            return file
    raise InputError(f"scenario = {name} (must be one of {', '.join(ENVIRONMENTS.values())}, or another of nodia list)")


def register():
    """Registers ENVIRONMENTS. Names that are registered already do not change."""
    for name, scenario in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="nodia.gym.scenario_env:ScenarioEnv",
                vector_entry_point="nodia.gym.scenario_vector_env:ScenarioVectorEnv",
                kwargs={"scenario": str(scenario_file(scenario))},
            )
