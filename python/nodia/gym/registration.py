"""The environments that Gymnasium knows by name."""

from pathlib import Path

import gymnasium

from nodia._core import InputError

# Folders of scenarios that have a task.
ENVIRONMENTS = {
    "nodia/CableWind-v0": "cable_winding",
    "nodia/MatFold-v0": "mat_folding",
    "nodia/QuickLift-v0": "quick_lift",
    "nodia/SoftBallLift-v0": "soft_ball",
}


def scenario_file(name):
    """Path of a scenario that comes with the package: of `quick_lift` its quick_lift.yaml.

    @throws InputError where there is none
    """
    package = Path(__file__).resolve().parents[1]
    for root in (package / "data", package.parents[1]):  # installed; in a clone
        file = root / "scenarios" / name / f"{name}.yaml"
        if file.is_file():
            return file
    raise InputError(f"scenario = {name} (must be one of {', '.join(ENVIRONMENTS.values())}, or another of nodia list)")


def register():
    """Registers ENVIRONMENTS; those that are registered stay."""
    for name, scenario in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="nodia.gym.scenario_env:ScenarioEnv",
                vector_entry_point="nodia.gym.scenario_vector_env:ScenarioVectorEnv",
                kwargs={"scenario": str(scenario_file(scenario))},
            )
